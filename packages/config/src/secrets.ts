import { type EncryptionKey, parseEncryptionKeys } from '@postrider/domain';
import { accepted, type Field, orNull, refused, required } from './read-environment.ts';

/** docs/specification.md, "Admin authentication": the admin token has at least 32 characters. */
const ADMIN_TOKEN_MIN_LENGTH = 32;

/**
 * A secret with fewer distinct bytes or characters was typed, not generated. 32 random bytes have about 30 distinct
 * values, and fewer than 16 less than once in 10^14 keys; 32 random hexadecimal digits have fewer than 8 distinct ones
 * less than once in 10^7 tokens.
 */
const MIN_DISTINCT_KEY_BYTES = 16;
const MIN_DISTINCT_TOKEN_CHARACTERS = 8;

/**
 * `ENCRYPTION_KEYS`: comma-separated `id:base64 of 32 bytes`; the first key encrypts
 * (docs/configuration.md). Always required: everybody would know a default key in the code. Production
 * also refuses keys that are not random.
 */
export const encryptionKeys: Field<readonly EncryptionKey[]> = required(
  'ENCRYPTION_KEYS',
  (text, { production }) => {
    const parsed = parseEncryptionKeys(text);
    if (!parsed.ok) return refused(...parsed.issues.map((issue) => `is not usable: ${issue}`));
    const weak = production
      ? parsed.keys.filter(({ key }) => new Set(key).size < MIN_DISTINCT_KEY_BYTES)
      : [];
    return weak.length === 0
      ? accepted(parsed.keys)
      : refused(...weak.map(({ id }) => `is too weak: the bytes of key "${id}" are not random`));
  },
);

/**
 * `ADMIN_TOKEN`: the management API's bearer token (docs/specification.md, "Admin authentication"). Null if it is not
 * set; that API is then off. Short tokens are always refused. Production also refuses tokens that are not random.
 */
export const adminToken: Field<string | null> = orNull<string>('ADMIN_TOKEN', (text, { production }) => {
  if (text.length < ADMIN_TOKEN_MIN_LENGTH) {
    return refused(`must have at least ${ADMIN_TOKEN_MIN_LENGTH} characters`);
  }
  if (!/^[\x21-\x7e]+$/.test(text)) return refused('must consist of visible ASCII characters');
  return production && new Set(text).size < MIN_DISTINCT_TOKEN_CHARACTERS
    ? refused('is too weak: its characters are not random')
    : accepted(text);
});
