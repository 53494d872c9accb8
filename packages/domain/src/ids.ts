import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import { base32ToUuid, uuidToBase32 } from './base32.ts';
import type { IdPrefix } from './resources/registry.ts';

/** Gives `size` random bytes. */
export type RandomBytes = (size: number) => Uint8Array;

const STORE_BYTES = 4_096;

/**
 * Creates a source of small pieces from a store that is filled 4 KiB at a time: a piece costs a tenth of asking for
 * bytes. A piece has 4 KiB at most. For ids, not for secrets, because the store keeps what was given. A piece is valid until the next call.
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

/** Makes the next id of a new row: a UUID in its canonical lower-case text form. */
export type IdSource = () => string;

/**
 * A UUIDv7 leaves this many values for the counter that uuid calls `seq` (RFC 9562 section 6.2, method 1).
 */
const SEQUENCE_SIZE = 2 ** 32;

/**
 * The public id of a stored UUID, for example `msg_01h455vb4pex5vsknk084sn02q`.
 * @throws TypeError when `uuid` is not a UUID: a stored id always is, so that is a bug.
 */
export function formatId(prefix: IdPrefix, uuid: string): string {
  return `${prefix}_${uuidToBase32(uuid)}`;
}

/**
 * The UUID (lower case) behind a public id, or null when `text` is not a well-formed id of that prefix. Never throws:
 * a client may send any 128 bits, also those that are no UUID of RFC 9562, and such an id is one that does not exist.
 * Exactly one text names a UUID: upper case, other prefixes and overflowing suffixes are refused.
 */
export function parseId(prefix: IdPrefix, text: string): string | null {
  const head = `${prefix}_`;
  return text.startsWith(head) ? base32ToUuid(text.slice(head.length)) : null;
}

/** Shared by all sources: each event has one of its own, which would fill a store of 4 KiB for two ids. */
const randomBytes = createStoredRandomBytes();

/**
 * A source of UUIDv7 that only ever grows: also within one millisecond, and also when the clock steps back
 * (it then stays on the latest millisecond seen). The sources of two processes are independent.
 * @param now the clock, in milliseconds since the epoch
 */
export function createUuidV7Source(now: () => number = Date.now): IdSource {
  let latest = Number.NEGATIVE_INFINITY;
  let sequence = 0;
  return () => {
    const time = Math.trunc(now());
    if (time > latest) {
      latest = time;
      // Half of the room stays free, so that a busy millisecond does not run over.
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
