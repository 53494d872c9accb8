import { createHmac } from 'node:crypto';
import { uuidOfHex } from '../base32.ts';
import { decryptBytes, encryptBytes, NONCE_BYTES, TAG_BYTES } from '../secret-box.ts';

/** The scope of a suppression that applies to all email, in a stream or not. */
export const ALL_STREAMS = 'all';
/** The value for event types without a stream, which cannot be a stream's name. */
const TRANSACTIONAL = 'transactional';

const MAX_STREAM_LENGTH = 64;
const STREAM = /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/;

/** The JSON Schema of a stream's name. */
export const STREAM_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_STREAM_LENGTH,
  pattern: STREAM.source,
} as const;

/** Whether a text can be a stream's name: lower case, for use in links and CSV files. */
export function isStreamName(text: string): boolean {
  const isReserved = text === ALL_STREAMS || text === TRANSACTIONAL;
  return text.length <= MAX_STREAM_LENGTH && STREAM.test(text) && !isReserved;
}

/** The content of an unsubscribe link: enough to unsubscribe after the message was erased or removed. Ids are UUIDs. */
export interface UnsubscribeTarget {
  readonly environmentId: string;
  /** The run whose email contains the link. */
  readonly runId: string;
  /** See `addressHash`. */
  readonly addressHash: Uint8Array;
  readonly stream: string;
}

export interface UnsubscribeLinks {
  /** The opaque token of a target, always the same, so that every attempt of a run sends the same content. */
  encrypt(target: UnsubscribeTarget): string;
  /** The target of a token; null for any text that {@link encrypt} did not create. */
  decrypt(token: string): UnsubscribeTarget | null;
}

const VERSION = 1;
const UUID_BYTES = 16;
const HASH_BYTES = 32;
const HEAD_BYTES = 1 + 2 * UUID_BYTES + HASH_BYTES;
/** A longer text is no token and is not decrypted. */
const MAX_TOKEN_LENGTH = 400;
const TOKEN = /^[A-Za-z0-9_-]+$/;

const uuidBytes = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');

const uuidText = (bytes: Buffer) => uuidOfHex(bytes.toString('hex'));

/**
 * Encrypts unsubscribe tokens: AES-256-GCM with an HMAC of the content as the nonce, in base64url. The same content
 * always has the same nonce and different contents have different ones, so a nonce is never used for two contents.
 * Nothing is stored.
 */
export function createUnsubscribeLinks(keys: {
  readonly encryption: Uint8Array;
  readonly nonce: Uint8Array;
}): UnsubscribeLinks {
  const nonceOf = (content: Buffer) =>
    createHmac('sha256', keys.nonce).update(content).digest().subarray(0, NONCE_BYTES);

  return {
    encrypt({ environmentId, runId, addressHash, stream }) {
      const content = Buffer.concat([
        Buffer.from([VERSION]),
        uuidBytes(environmentId),
        uuidBytes(runId),
        addressHash,
        Buffer.from(stream, 'utf8'),
      ]);
      const nonce = nonceOf(content);
      return Buffer.concat([nonce, encryptBytes(keys.encryption, nonce, content)]).toString('base64url');
    },

    decrypt(token) {
      if (token.length > MAX_TOKEN_LENGTH || !TOKEN.test(token)) return null;
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length <= NONCE_BYTES + HEAD_BYTES + TAG_BYTES || bytes.toString('base64url') !== token)
        return null;
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const content = decryptBytes(keys.encryption, nonce, bytes.subarray(NONCE_BYTES));
      if (content?.[0] !== VERSION) return null;
      const runAt = 1 + UUID_BYTES;
      const hashAt = runAt + UUID_BYTES;
      return {
        environmentId: uuidText(content.subarray(1, runAt)),
        runId: uuidText(content.subarray(runAt, hashAt)),
        addressHash: Uint8Array.from(content.subarray(hashAt, HEAD_BYTES)),
        stream: content.subarray(HEAD_BYTES).toString('utf8'),
      };
    },
  };
}
