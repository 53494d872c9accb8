import {
  type CipherKey,
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { RandomBytes } from './ids.ts';

export type EncryptionKey = { id: string; key: Buffer };

type EncryptionKeys = { ok: true; keys: EncryptionKey[] } | { ok: false; issues: string[] };

export type Decrypted =
  | { ok: true; plaintext: string }
  | { ok: false; reason: 'unknown_key'; keyId: string }
  | { ok: false; reason: 'tampered'; keyId?: string };

export type SecretBox = {
  /** The ids of all keys; the first one encrypts. */
  readonly keyIds: readonly string[];
  /** Encrypts with the first key. The result can only be decrypted with the same `boundTo`, such as `channel:<id>`. */
  encrypt(plaintext: string, boundTo: string): string;
  /**
   * Returns the plaintext, or the reason why it cannot be decrypted: an unknown key, or a text or binding that does not
   * match.
   */
  decrypt(encrypted: string, boundTo: string): Decrypted;
  /** Whether the text was encrypted with the current key; if not, encrypt it again. */
  isCurrent(encrypted: string): boolean;
};

/** AES-256-GCM: NIST SP 800-38D (nonces of 96 bits, section 5.2.1.1; tags of 128 bits). */
const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;
const VERSION = 'v1';

const KEY_ID = /^[A-Za-z0-9_-]{1,64}$/;
const KEY_BASE64 = /^[A-Za-z0-9+/]{43}=?$/;
const ENCRYPTED = /^v1\.([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{22,})$/;

/**
 * Parses `ENCRYPTION_KEYS`: `id:base64 of 32 bytes`, comma-separated, of which the first encrypts
 * (docs/configuration.md). Reports all issues at once, with the entry's position or id but never any
 * part of a key.
 */
export function parseEncryptionKeys(text: string): EncryptionKeys {
  const entries = text.split(',').map((entry, index) => parseEntry(entry.trim(), index + 1));
  const keys = entries.filter((entry) => typeof entry !== 'string');
  const issues = entries.filter((entry) => typeof entry === 'string');
  const ids = keys.map((key) => key.id);
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  issues.push(...[...repeated].map((id) => `the key id "${id}" is given more than once`));
  return issues.length === 0 ? { ok: true, keys } : { ok: false, issues };
}

function parseEntry(entry: string, position: number): EncryptionKey | string {
  const colon = entry.indexOf(':');
  const id = entry.slice(0, colon);
  // Without a colon the entry may be a bare key, which must not be quoted.
  if (colon === -1) return `key ${position} is not of the form id:base64`;
  if (!KEY_ID.test(id)) return `key ${position} has an id that is not 1 to 64 characters of A-Z a-z 0-9 _ -`;
  const encoded = entry.slice(colon + 1);
  if (!KEY_BASE64.test(encoded)) return `key "${id}" is not the base64 of ${KEY_BYTES} bytes`;
  return { id, key: Buffer.from(encoded, 'base64') };
}

/**
 * Encrypts secrets at rest: AES-256-GCM with `boundTo` as additional data, in the form `v1.<key id>.<nonce>.<ciphertext
 * and tag>`, both in base64url.
 * @param keys the first encrypts, all decrypt
 * @throws TypeError if there is no key, or one is not 32 bytes
 */
export function createSecretBox(
  keys: readonly EncryptionKey[],
  random: RandomBytes = randomBytes,
): SecretBox {
  const [current] = keys;
  if (current === undefined) throw new TypeError('createSecretBox needs at least one key');
  for (const { id, key } of keys) {
    if (!KEY_ID.test(id) || key.length !== KEY_BYTES)
      throw new TypeError('createSecretBox needs keys of 32 bytes');
  }
  // With raw bytes Node.js 24 takes 15 µs more per call.
  const keyById = new Map(keys.map(({ id, key }) => [id, createSecretKey(key)]));

  return {
    keyIds: keys.map(({ id }) => id),

    encrypt(plaintext, boundTo) {
      const nonce = Buffer.from(random(NONCE_BYTES));
      const content = encryptBytes(current.key, nonce, Buffer.from(plaintext, 'utf8'), boundTo);
      return [VERSION, current.id, nonce.toString('base64url'), content.toString('base64url')].join('.');
    },

    decrypt(encrypted, boundTo) {
      const [, keyId, nonce, content] = ENCRYPTED.exec(encrypted) ?? [];
      if (keyId === undefined || nonce === undefined || content === undefined) {
        return { ok: false, reason: 'tampered' };
      }
      const key = keyById.get(keyId);
      if (key === undefined) return { ok: false, reason: 'unknown_key', keyId };
      const plaintext = plaintextOf(key, nonce, content, boundTo);
      return plaintext === null ? { ok: false, reason: 'tampered', keyId } : { ok: true, plaintext };
    },

    isCurrent(encrypted) {
      return encrypted.startsWith(`${VERSION}.${current.id}.`);
    },
  };
}

function plaintextOf(key: KeyObject, nonce: string, content: string, boundTo: string): string | null {
  const bytes = Buffer.from(content, 'base64url');
  // The decoder ignores bits after the last whole byte. Encoding again ensures that no other text is accepted.
  if (bytes.toString('base64url') !== content) return null;
  return decryptBytes(key, Buffer.from(nonce, 'base64url'), bytes, boundTo)?.toString('utf8') ?? null;
}

/** Encrypts with AES-256-GCM. Returns the ciphertext with the tag behind it. */
export function encryptBytes(key: CipherKey, nonce: Uint8Array, content: Uint8Array, boundTo = ''): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(boundTo, 'utf8'));
  return Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts what {@link encryptBytes} returned; null if the key, the nonce, the bytes or the binding does not match. */
export function decryptBytes(
  key: CipherKey,
  nonce: Uint8Array,
  encrypted: Uint8Array,
  boundTo = '',
): Buffer | null {
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(boundTo, 'utf8'));
  decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(encrypted.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}
