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

/** As {@link addressConditions}, for an address as a person types it, which may be stored in lower case. */
export function typedAddressConditions(address: string): Prisma.Sql[] {
  const conditions = addressConditions(address);
  const lower = canonicalAddress(address).toLowerCase();
  return lower === canonicalAddress(address)
    ? conditions
    : [Prisma.sql`recipient_email = ${lower}`, ...conditions];
}

/**
 * The conditions for messages to an address in any case. Each has its own index; a message can match both of the latter,
 * whose conditions repeat those of `messages_domain_case` and `messages_local_case`.
 */
export function anyCaseConditions(address: string): Prisma.Sql[] {
  const lower = address.toLowerCase();
  return [
    Prisma.sql`recipient_email = ${lower}`,
    Prisma.sql`(recipient_email ~ '@.*[A-Z]' AND lower(recipient_email) = ${lower})`,
    Prisma.sql`(recipient_email ~ '[A-Z].*@' AND lower(recipient_email) = ${lower})`,
  ];
}

/** The condition for messages with this `recipient.id`: a text, or a number as JSON writes it. */
export const recipientIdCondition = (id: string): Prisma.Sql => Prisma.sql`(
  (recipient ->> 'id') IS NOT NULL AND hashtextextended(recipient ->> 'id', 0) = hashtextextended(${id}, 0)
    AND recipient ->> 'id' = ${id})`;

const hashIn = (environmentId: string, text: string) =>
  createHash('sha256')
    .update(`${formatId('env', environmentId)}:${text}`)
    .digest('hex');

/**
 * The form of a recipient's address in the audit log, which never forgets: `sha256("env_…:address")` in hexadecimal,
 * with the domain in lower case. The entry can be found by the address, and equal addresses in two environments have
 * different hashes.
 * @param environmentId UUID
 */
export const recipientHash = (environmentId: string, address: string): string =>
  hashIn(environmentId, canonicalAddress(address));

/** Whose messages an erasure erases: exactly one is set. */
export interface Erased {
  readonly recipientEmail: string | null;
  readonly recipientId: string | null;
  readonly consumerId: string | null;
}

/** As {@link recipientHash}, for an erasure: of the address in lower case, of `id:` and the recipient's id, or of `consumer:` and its id. */
export function erasedHash(
  environmentId: string,
  { recipientEmail, recipientId, consumerId }: Erased,
): string {
  const other = consumerId === null ? `id:${recipientId}` : `consumer:${consumerId}`;
  return hashIn(environmentId, recipientEmail?.toLowerCase() ?? other);
}
