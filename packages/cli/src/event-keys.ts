import { createHash } from 'node:crypto';
import { UsageError } from './exit-codes.ts';

/** Different events of one run whose keys are made; their digests take some 100 MB. */
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
 * The keys of the events of one run that name none. A key is made from the run's key, the event's JSON and how many
 * equal events came before it, not from its place: when lines are fixed or taken out, the others keep their keys.
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
   * The key of the next event, from its JSON as it is sent. Throws a UsageError when there are too many to count: to
   * forget one would take its next occurrence for a repetition, which is not sent.
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
