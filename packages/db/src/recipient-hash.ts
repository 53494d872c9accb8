import { createHash } from 'node:crypto';
import { canonicalAddress, formatId } from '@postrider/domain';

/**
 * The form of a recipient's address in the audit log, which never forgets: `sha256("env_…:address")` in hexadecimal,
 * with the domain in lower case. Whoever knows the address can find the entry, and equal addresses in two
 * environments have different hashes.
 * @param environmentId UUID
 */
export function recipientHash(environmentId: string, address: string): string {
  return createHash('sha256')
    .update(`${formatId('env', environmentId)}:${canonicalAddress(address)}`)
    .digest('hex');
}
