import { createPrivateKey } from 'node:crypto';
import type { ChannelIssue } from '@postrider/domain';

/** The settings field with the DKIM key. */
export const DKIM_KEY_FIELD = 'dkim/private_key';
/** In PEM; a key of 4,096 bits has 3,300 characters. */
export const MAX_KEY_LENGTH = 8_192;

/** RFC 8301 section 3.2: signers use at least 1,024 bits, and verifiers take up to 4,096. */
const KEY_BITS = { least: 1_024, most: 4_096 };

function keyIssue(pem: string): string | null {
  let key: ReturnType<typeof createPrivateKey>;
  try {
    key = createPrivateKey(pem);
  } catch {
    return 'must be an RSA private key in PEM without a passphrase, from -----BEGIN to -----END';
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  // nodemailer signs with rsa-sha256 only, and sends mail unsigned with any other key.
  if (type !== 'rsa') return `must be an RSA key: this one is ${type}, which cannot sign mail here`;
  const bits = details?.modulusLength ?? 0;
  if (bits < KEY_BITS.least) return `must have at least ${KEY_BITS.least} bits: receivers refuse ${bits}`;
  if (bits > KEY_BITS.most) return `must have at most ${KEY_BITS.most} bits: many receivers refuse ${bits}`;
  return null;
}

/** Issues of a DKIM key (RFC 6376, RFC 8301). The path starts at the settings. */
export function dkimKeyIssues(pem: string): readonly ChannelIssue[] {
  const message = keyIssue(pem);
  return message === null ? [] : [{ path: `/${DKIM_KEY_FIELD}`, code: 'invalid_format', message }];
}
