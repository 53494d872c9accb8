import { createHash, randomUUID } from 'node:crypto';
import {
  type BatchEvent,
  type EventInput,
  type EventResult,
  PostriderApiError,
  type PostriderError,
} from '@postrider/client';
import { SendingEnded, Unsuccessful, UsageError } from '../exit-codes.ts';
import { inputLines, MAX_LINE_BYTES, type Source, sendEntries } from '../input.ts';
import { withoutWidth } from '../output/style.ts';
import { table } from '../output/table.ts';
import type { Session } from '../session.ts';
import { type JsonObject, parseObject } from '../values.ts';

/** Events in memory at once. */
const EVENTS_AT_ONCE = 1_000;
/** Failures that are listed. All are counted. */
const MAX_LISTED = 100;
/** Bytes of a request besides its only event and that event's key. */
const REQUEST_BYTES = 128;

/** An event with its line number, from 1. */
type Line = BatchEvent & { readonly line: number };

interface Failed {
  readonly line: number;
  readonly code: string;
  readonly message: string;
  readonly idempotency_key: string;
}

/** The outcome of a file of events. */
interface Summary {
  /** With this key the command can be repeated without sending accepted events twice. */
  readonly idempotency_key: string;
  accepted: number;
  /** Accepted events that an earlier run had already sent. */
  replayed: number;
  failed: number;
  readonly failures: Failed[];
}

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

/** Reads a line: an event, or `{"idempotency_key": …, "event": {…}}`. */
function readLine(text: string, line: number, keys: EventKeys): Line {
  const value = parseObject(text, `Line ${line}`);
  const isNamed = typeof value.event === 'object' && value.event !== null && 'idempotency_key' in value;
  const event = (isNamed ? value.event : value) as JsonObject as EventInput;
  const json = JSON.stringify(event);
  const idempotencyKey = isNamed ? String(value.idempotency_key) : keys.next(json);
  // JSON can get longer when it is formatted again: 1E20 becomes 21 digits.
  const bytes = Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(idempotencyKey));
  if (bytes + REQUEST_BYTES > MAX_LINE_BYTES)
    throw new UsageError(`Line ${line} is too large for a request.`);
  return { line, event, idempotencyKey };
}

async function* eventsOf(source: Source, runKey: string): AsyncGenerator<Line> {
  const keys = new EventKeys(runKey);
  for await (const { number, text } of inputLines(source.read())) {
    if (text.trim() !== '') yield readLine(text, number, keys);
  }
}

function count(
  summary: Summary,
  { line }: Line,
  { accepted, replayed, error, idempotencyKey }: EventResult,
): void {
  if (accepted) summary.accepted += 1;
  if (replayed) summary.replayed += 1;
  if (!error) return;
  summary.failed += 1;
  if (summary.failures.length === MAX_LISTED) return;
  const code = error instanceof PostriderApiError ? error.code : 'unreachable';
  const details = error instanceof PostriderApiError ? error.details : [];
  const message = [error.message, ...details.map((detail) => `${detail.path} ${detail.message}`)].join('; ');
  summary.failures.push({ line, code, message, idempotency_key: idempotencyKey });
}

/** The error that ends the run: the service cannot be reached, or refuses the token. */
function endOf(results: readonly EventResult[]): PostriderError | undefined {
  return results
    .map(({ error }) => error)
    .find((error) => error && (!(error instanceof PostriderApiError) || error.status === 401));
}

/**
 * Sends the events of a file, one JSON object per line; `-` is stdin. Prints how many were accepted and which were
 * refused. If a file that can be read twice has an invalid line, nothing is sent. Throws {@link Unsuccessful} if an
 * event was refused, and {@link SendingEnded} if not all were sent.
 */
export async function sendFile(session: Session, path: string, runKey: string = randomUUID()): Promise<void> {
  const summary: Summary = { idempotency_key: runKey, accepted: 0, replayed: 0, failed: 0, failures: [] };
  let hasSent = false;
  try {
    const { events } = session.postrider();
    const read = await sendEntries(session, path, {
      doing: 'sending',
      entriesOf: (source) => eventsOf(source, runKey),
      most: { entries: EVENTS_AT_ONCE },
      async send(lines, onProgress) {
        // Before sending: a process that is killed prints nothing.
        if (!hasSent)
          session.note(
            `If this is interrupted, run it again with --idempotency-key ${runKey}: nothing is sent twice.`,
          );
        hasSent = true;
        onProgress(0);
        const results = await events.sendBatch(lines, { ...session.call, onProgress });
        const end = endOf(results);
        if (end) throw end;
        for (const [index, line] of lines.entries()) count(summary, line, results[index] as EventResult);
      },
    });
    if (read === 0) throw new UsageError(`${path === '-' ? 'Stdin' : path} contains no events.`);
  } catch (error) {
    throw new SendingEnded(runKey, hasSent, error);
  }
  session.show(summary, ({ accepted, replayed, failed, failures }, style) =>
    [
      `${accepted} accepted${replayed > 0 ? `, ${replayed} of them in an earlier run` : ''}, ${failed} refused`,
      ...(failed > 0 ? [table(['line', 'code', 'message'], failures, withoutWidth(style))] : []),
    ].join('\n\n'),
  );
  if (summary.failed > 0)
    throw new Unsuccessful(
      `${summary.failed} events were refused. Fix them and run it again with --idempotency-key ${runKey}: ` +
        'what was accepted is not sent twice.',
      { code: 'events_refused', idempotency_key: runKey },
    );
}
