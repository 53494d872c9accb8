import { createHash } from 'node:crypto';
import { canonicalAddress, formatId } from '@postrider/domain';

/**
 * What the audit log knows of a recipient's address, as `sha256("env_…:address")` in hex, with the domain in lower
 * case: whoever has the address can find the entry, and equal addresses of two environments do not show as equal. The log can never lose an address.
 * @param environmentId UUID
 */
export function recipientHash(environmentId: string, address: string): string {
  return createHash('sha256')
    .update(`${formatId('env', environmentId)}:${canonicalAddress(address)}`)
    .digest('hex');
}
