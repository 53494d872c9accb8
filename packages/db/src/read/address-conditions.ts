import { canonicalAddress } from '@postrider/domain';
import { Prisma } from '../client.ts';

/**
 * What messages to an address fulfil, whatever the case of its domain: one of these, each of which has an index of its
 * own in the order of ids. The second is that of messages accepted before domains were stored in lower case
 * (`messages_domain_case`, whose condition is repeated here). Statements look for one after the other: Postgres would
 * read all that fulfil either to sort them.
 */
export function addressConditions(address: string): Prisma.Sql[] {
  const canonical = canonicalAddress(address);
  return [
    Prisma.sql`recipient_email = ${canonical}`,
    Prisma.sql`(recipient_email ~ '@.*[A-Z]' AND lower(recipient_email) = lower(${canonical})
      AND split_part(recipient_email, '@', 1) = split_part(${canonical}, '@', 1))`,
  ];
}
