import { randomBytes } from 'node:crypto';
import { TypeID } from 'typeid-js';
import { v7 } from 'uuid';

/**
 * The prefixes of public ids: contract section 1, `rpb` for a bulk replay, `era` for an erasure and `aud` for an entry of
 * the audit log.
 */
export const ID_PREFIXES = [
  'msg',
  'run',
  'att',
  'ten',
  'env',
  'tok',
  'chn',
  'tpl',
  'rpb',
  'era',
  'aud',
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

/** Makes the next id of a new row: a UUID in its canonical lower-case text form. */
export type IdSource = () => string;

/**
 * 128 bits in Crockford base32, lower case; a first digit above 7 would be a 129th bit (TypeID specification
 * 0.3).
 */
const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A UUIDv7 leaves this many values for the counter that uuid calls `seq` (RFC 9562 section 6.2, method 1).
 */
const SEQUENCE_SIZE = 2 ** 32;

/**
 * The public id of a stored UUID, for example `msg_01h455vb4pex5vsknk084sn02q`.
 * @throws TypeError when `uuid` is not a UUID: a stored id always is, so that is a bug.
 */
export function formatId(prefix: IdPrefix, uuid: string): string {
  if (!UUID.test(uuid)) throw new TypeError('formatId wants a UUID in its text form');
  return TypeID.fromUUID(prefix, uuid).toString();
}

/**
 * The UUID (lower case) behind a public id, or null when `text` is not a well-formed id of that prefix.
 * Exactly one text names a UUID: upper case, other prefixes and overflowing suffixes are refused.
 */
export function parseId(prefix: IdPrefix, text: string): string | null {
  const head = `${prefix}_`;
  if (!text.startsWith(head)) return null;
  const suffix = text.slice(head.length);
  return SUFFIX.test(suffix) ? new TypeID(prefix, suffix).toUUID() : null;
}

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
    return v7({ msecs: latest, seq: sequence });
  };
}
