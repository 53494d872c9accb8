import { canonicalAddress } from '@postrider/domain';
import { Prisma } from '../client.ts';

/**
 * The messages to an address, whatever the case of its domain, as a table of `environment_id`, `id` and `created_at`.
 * Both parts give ids in order by an index of their own: the second those that were accepted before domains were stored
 * in lower case (`messages_domain_case`, whose condition is repeated here).
 */
export function messagesTo(address: string): Prisma.Sql {
  const canonical = canonicalAddress(address);
  return Prisma.sql`(
    SELECT environment_id, id, created_at FROM messages WHERE recipient_email = ${canonical}
    UNION ALL
    SELECT environment_id, id, created_at FROM messages
     WHERE recipient_email ~ '@.*[A-Z]' AND lower(recipient_email) = lower(${canonical})
       AND split_part(recipient_email, '@', 1) = split_part(${canonical}, '@', 1))`;
}
