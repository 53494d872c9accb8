import { type EncryptionKey, parseEncryptionKeys } from '@postrider/domain';
import { accepted, type Field, optional, refused, required } from './read-environment.ts';

/** See docs/specification.md, "Admin authentication": the admin token has 32 characters at least. */
const ADMIN_TOKEN_MIN_LENGTH = 32;

/**
 * With fewer, a secret was typed and not drawn at random. Of 32 random bytes about 30 differ, and fewer than 16 do less
 * than once in 10^14 keys; 32 random hexadecimal digits have fewer than 8 different ones less than once in
 * 10^7 tokens.
 */
const MIN_DISTINCT_KEY_BYTES = 16;
const MIN_DISTINCT_TOKEN_CHARACTERS = 8;

/**
 * `ENCRYPTION_KEYS`: `id:base64 of 32 bytes`, comma-separated, the first encrypts
 * (docs/specification.md, "Configuration"). Required everywhere: a default key in the code would be
 * everybody's key. In production a key that was not drawn at random is refused too.
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
 * `ADMIN_TOKEN`: the management API's bearer token (docs/specification.md, "Admin authentication"), `null`
 * when it is not given and that API is off. A short one is refused everywhere, in production one that was not
 * drawn at random as well.
 */
export const adminToken: Field<string | null> = optional<string | null>(
  'ADMIN_TOKEN',
  null,
  (text, { production }) => {
    if (text.length < ADMIN_TOKEN_MIN_LENGTH) {
      return refused(`must have ${ADMIN_TOKEN_MIN_LENGTH} characters at least`);
    }
    if (!/^[\x21-\x7e]+$/.test(text)) return refused('must consist of visible ASCII characters');
    return production && new Set(text).size < MIN_DISTINCT_TOKEN_CHARACTERS
      ? refused('is too weak: its characters are not random')
      : accepted<string | null>(text);
  },
);
