import { createHash } from 'node:crypto';
import { UsageError } from './exit-codes.ts';

/** The most different events of one run without their own keys. Their digests take about 100 MB. */
const MAX_EVENTS = 1_000_000;

const DIGEST_BYTES = 16;

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, DIGEST_BYTES);
}

/** A version 8 UUID (RFC 9562). */
function uuidOf(bytes: Buffer): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Derives idempotency keys for events without one, from the run's key, the event's JSON and the number of equal events
 * before it. The line number is not used, so that events keep their keys when other lines are fixed or removed.
 */
export class EventKeys {
  readonly #runKey: string;
  readonly #maxEvents: number;
  readonly #counts = new Map<string, number>();

  constructor(runKey: string, maxEvents = MAX_EVENTS) {
    this.#runKey = runKey.toLowerCase();
    this.#maxEvents = maxEvents;
  }

  /**
   * Returns the key of the next event, from its JSON as sent. Throws a UsageError if there are too many events to
   * count: after forgetting one, its next occurrence would get the same key and not be sent.
   */
  next(json: string): string {
    const event = digest(json).toString('latin1');
    const before = this.#counts.get(event) ?? 0;
    if (before === 0 && this.#counts.size === this.#maxEvents) {
      throw new UsageError(
        `There are more than ${this.#maxEvents} different events without an idempotency_key. ` +
          'Send them as several files.',
      );
    }
    this.#counts.set(event, before + 1);
    return uuidOf(digest(`${this.#runKey} ${Buffer.from(event, 'latin1').toString('hex')} ${before}`));
  }
}
