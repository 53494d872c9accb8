import { createHash } from 'node:crypto';
import { canonicalAddress, formatId } from '@postrider/domain';

/**
 * Conditions for rows of the view `message_recipients`, through which an index serves them also under row-level security.
 * The address, as {@link canonicalAddress} gives it, is found in any case.
 */
export const HAS_ADDRESS = 'folded_email = lower(:address::text)';

/** As {@link HAS_ADDRESS}, for a `recipient.id`: a text, or a number as JSON writes it. */
export const HAS_RECIPIENT_ID = `(
  recipient_id IS NOT NULL AND hashtextextended(recipient_id, 0) = hashtextextended(:recipientId, 0)
  AND recipient_id = :recipientId)`;

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

/**
 * As {@link recipientHash}, for an erasure: of the address in lower case, of `id:` and the recipient's id, or of `consumer:` and
 * its id.
 */
export function erasedHash(
  environmentId: string,
  { recipientEmail, recipientId, consumerId }: Erased,
): string {
  const other = consumerId === null ? `id:${recipientId}` : `consumer:${consumerId}`;
  return hashIn(environmentId, recipientEmail?.toLowerCase() ?? other);
}
