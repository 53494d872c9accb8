import { createHash } from 'node:crypto';
import { canonicalAddress, formatId } from '@postrider/domain';
import { Prisma } from './client.ts';

/**
 * The conditions for messages to an address, whatever the case of its domain. A message matches one of them, and each
 * has its own index in the order of ids. The second is for messages accepted before domains were stored in lower case
 * (`messages_domain_case`, whose condition is repeated here). Statements search one after the other, because
 * PostgreSQL would read all matches of either to sort them.
 */
export function addressConditions(address: string): Prisma.Sql[] {
  const canonical = canonicalAddress(address);
  return [
    Prisma.sql`recipient_email = ${canonical}`,
    Prisma.sql`(recipient_email ~ '@.*[A-Z]' AND lower(recipient_email) = lower(${canonical})
      AND split_part(recipient_email, '@', 1) = split_part(${canonical}, '@', 1))`,
  ];
}

/**
 * The form of a recipient's address in the audit log, which never forgets: `sha256("env_…:address")` in hexadecimal,
 * with the domain in lower case. The entry can be found by the address, and equal addresses in two environments have
 * different hashes.
 * @param environmentId UUID
 */
export function recipientHash(environmentId: string, address: string): string {
  return createHash('sha256')
    .update(`${formatId('env', environmentId)}:${canonicalAddress(address)}`)
    .digest('hex');
}
