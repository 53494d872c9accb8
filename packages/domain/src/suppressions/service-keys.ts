import { hkdfSync } from 'node:crypto';
import { createSecretBox, type SecretBox } from '../secret-box.ts';
import { createUnsubscribeLinks, type UnsubscribeLinks } from './unsubscribe-link.ts';

/** The size of the service's key and of the derived keys, in bytes. */
export const SERVICE_KEY_BYTES = 32;

/**
 * Keys derived from the key that the service generated for itself
 * (docs/decisions/0042-suppressed-addresses-are-found-by-a-keyed-hash.md).
 */
export interface ServiceKeys {
  /** The key of {@link addressHash}. */
  readonly addressHash: Uint8Array<ArrayBuffer>;
  /** Encrypts the texts of suppressed addresses. */
  readonly addresses: SecretBox;
  readonly links: UnsubscribeLinks;
}

/** Derives the keys (RFC 5869), each with its own label: knowing one reveals nothing about the others. */
export function deriveServiceKeys(root: Uint8Array): ServiceKeys {
  if (root.length !== SERVICE_KEY_BYTES) throw new TypeError('deriveServiceKeys wants a key of 32 bytes');
  const derive = (name: string) =>
    Buffer.from(hkdfSync('sha256', root, new Uint8Array(0), `postrider ${name}`, SERVICE_KEY_BYTES));
  return {
    addressHash: Uint8Array.from(derive('address hash')),
    addresses: createSecretBox([{ id: 'service', key: derive('address') }]),
    links: createUnsubscribeLinks({ encryption: derive('link encryption'), nonce: derive('link nonce') }),
  };
}
