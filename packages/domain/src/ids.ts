import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import { base32ToUuid, uuidToBase32 } from './base32.ts';
import type { IdPrefix } from './resources/registry.ts';

/** Returns `size` random bytes. */
export type RandomBytes = (size: number) => Uint8Array;

const STORE_BYTES = 4_096;

/**
 * Creates a source that draws from a buffer of 4 KiB, which costs a tenth of generating bytes for each call. `size` is
 * at most 4 KiB, and the result is valid until the next call. Use it for ids, not for secrets: the bytes stay in the
 * buffer.
 */
export function createStoredRandomBytes(): (size: number) => Buffer {
  const store = Buffer.alloc(STORE_BYTES);
  let next = STORE_BYTES;
  return (size) => {
    if (next + size > STORE_BYTES) {
      randomFillSync(store);
      next = 0;
    }
    next += size;
    return store.subarray(next - size, next);
  };
}

/** Returns the id of a new row: a UUID as lower-case text. */
export type IdSource = () => string;

/** The number of values of the counter in a UUIDv7, which uuid calls `seq` (RFC 9562 section 6.2, method 1). */
const SEQUENCE_SIZE = 2 ** 32;

/**
 * Formats a stored UUID as a public id, for example `msg_01h455vb4pex5vsknk084sn02q`.
 * @throws TypeError if `uuid` is not a UUID, which is a bug because stored ids always are
 */
export function formatId(prefix: IdPrefix, uuid: string): string {
  return `${prefix}_${uuidToBase32(uuid)}`;
}

/**
 * Parses a public id to its UUID (lower case); null if `text` is not a well-formed id with that prefix. Never throws. A
 * client may send any 128 bits, including ones that are not a UUID of RFC 9562; an id like that just does not exist. Each
 * UUID has exactly one text: upper case, other prefixes and overflowing suffixes are invalid.
 */
export function parseId(prefix: IdPrefix, text: string): string | null {
  const head = `${prefix}_`;
  return text.startsWith(head) ? base32ToUuid(text.slice(head.length)) : null;
}

/** Shared by all sources. Each event has its own source, which would fill a 4 KiB buffer for two ids. */
const randomBytes = createStoredRandomBytes();

/**
 * Creates a source of strictly increasing UUIDv7, even within a millisecond and when the clock steps back (it then
 * stays at the latest millisecond). The sources of two processes are independent.
 * @param now the clock, in milliseconds since the epoch
 */
export function createUuidV7Source(now: () => number = Date.now): IdSource {
  let latest = Number.NEGATIVE_INFINITY;
  let sequence = 0;
  return () => {
    const time = Math.trunc(now());
    if (time > latest) {
      latest = time;
      // Half of the range stays free, so that the counter does not overflow in a busy millisecond.
      sequence = randomBytes(4).readUInt32BE() >>> 1;
    } else {
      sequence += 1;
      if (sequence === SEQUENCE_SIZE) {
        latest += 1;
        sequence = 0;
      }
    }
    return v7({ msecs: latest, seq: sequence, random: randomBytes(16) });
  };
}

/** The form of a UUID of any version in lower case, as a part of regular expressions. */
export const UUID_FORM = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const UUID = new RegExp(`^${UUID_FORM}$`);
/** Whether a text is a UUID of any version, in lower case. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** The time in a UUIDv7, in milliseconds since the epoch. */
export const timeOfUuid = (uuid: string): number => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);

const END = /^[0-9a-hjkmnp-tv-z]{6,26}$/;
/** The last digits of a UUID behind its last hyphen that whole digits of a public id stand for. */
const MAX_END_DIGITS = 9;

/** The last hexadecimal digits of the UUIDs of public ids that end with this text; null if it is too short or no end of an id. */
export function endOfUuid(text: string): string | null {
  if (!END.test(text)) return null;
  const end = text.slice(-MAX_END_DIGITS);
  // The digits before make it an id.
  const uuid = base32ToUuid(end.padStart(26, '0'));
  return uuid?.slice(-Math.floor((end.length * 5) / 4)) ?? null;
}
