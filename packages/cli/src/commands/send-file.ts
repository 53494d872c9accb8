import { randomUUID } from 'node:crypto';
import {
  type BatchEvent,
  type EventInput,
  type EventResult,
  PostriderApiError,
  type PostriderError,
} from '@postrider/client';
import { EventKeys } from '../event-keys.ts';
import { UsageError } from '../exit-codes.ts';
import { inputLines, MAX_LINE_BYTES } from '../input-lines.ts';
import { openSource, type Source } from '../input-source.ts';
import { withProgress } from '../output/progress.ts';
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
    throw new UsageError(`Line ${line} is larger than a request can be.`);
  return { line, event, idempotencyKey };
}

async function* eventsOf(source: Source, runKey: string): AsyncGenerator<Line> {
  const keys = new EventKeys(runKey);
  for await (const { number, text } of inputLines(source.read())) {
    if (text.trim() !== '') yield readLine(text, number, keys);
  }
}

async function* groupsOf(source: Source, runKey: string): AsyncGenerator<Line[]> {
  let group: Line[] = [];
  for await (const line of eventsOf(source, runKey)) {
    group.push(line);
    if (group.length < EVENTS_AT_ONCE) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** Reads all events of a source, so that an invalid line is found before anything is sent. Returns their number. */
async function check(source: Source, runKey: string): Promise<number> {
  let events = 0;
  for await (const _ of eventsOf(source, runKey)) events += 1;
  return events;
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

/** Some events of a file were not accepted. The reasons are on stdout. */
export class EventsRefused extends Error {
  readonly idempotencyKey: string;

  constructor(failed: number, key: string) {
    super(
      `${failed} events were refused. Fix them and run it again with --idempotency-key ${key}: ` +
        'what was accepted is not sent twice.',
    );
    this.idempotencyKey = key;
  }
}

/** Sending a file ended early because of `cause`. */
export class SendingEnded extends Error {
  readonly idempotencyKey: string;
  /** Whether anything may have been sent. */
  readonly hasSent: boolean;

  constructor(run: { readonly idempotencyKey: string; readonly hasSent: boolean }, cause: unknown) {
    super(`The run with --idempotency-key ${run.idempotencyKey} did not finish.`, { cause });
    this.idempotencyKey = run.idempotencyKey;
    this.hasSent = run.hasSent;
  }
}

/** The outcome of a run so far. */
class Run {
  readonly #session: Session;
  readonly summary: Summary;
  hasSent = false;

  constructor(session: Session, idempotencyKey: string) {
    this.#session = session;
    this.summary = { idempotency_key: idempotencyKey, accepted: 0, replayed: 0, failed: 0, failures: [] };
  }

  /** Sends the events of a source; throws what ends the run. */
  async send(source: Source): Promise<void> {
    const { io, call } = this.#session;
    const { events } = this.#session.postrider();
    const { idempotency_key: key } = this.summary;
    const total = source.isRepeatable ? await check(source, key) : 0;
    const read = await withProgress('sending', io.stderr, async (update) => {
      let begun = 0;
      for await (const lines of groupsOf(source, key)) {
        if (!this.hasSent) this.#begin();
        const before = begun;
        begun += lines.length;
        const onProgress = (done: number) => update(before + done, Math.max(begun, total));
        onProgress(0);
        const results = await events.sendBatch(lines, { ...call, onProgress });
        const end = endOf(results);
        if (end) throw end;
        for (const [index, line] of lines.entries()) count(this.summary, line, results[index] as EventResult);
      }
      return begun;
    });
    if (read === 0) throw new UsageError(`${source.name} has no events.`);
  }

  /** Prints the key before sending: a process that is killed prints nothing. */
  #begin(): void {
    this.hasSent = true;
    const key = this.summary.idempotency_key;
    this.#session.note(
      `If this is interrupted, run it again with --idempotency-key ${key}: nothing is sent twice.`,
    );
  }
}

/**
 * Sends the events of a file, one JSON object per line; `-` is stdin. Prints how many were accepted and which were
 * refused. If a file that can be read twice has an invalid line, nothing is sent. Throws {@link EventsRefused} if an
 * event was refused, and {@link SendingEnded} if not all were sent.
 */
export async function sendFile(session: Session, path: string, runKey: string = randomUUID()): Promise<void> {
  const run = new Run(session, runKey);
  try {
    const source = await openSource(session, path);
    await run.send(source).finally(() => source.close());
  } catch (error) {
    throw new SendingEnded({ idempotencyKey: runKey, hasSent: run.hasSent }, error);
  }
  const { summary } = run;
  session.show(summary, ({ accepted, replayed, failed, failures }, style) =>
    [
      `${accepted} accepted${replayed > 0 ? `, ${replayed} of them in an earlier run` : ''}, ${failed} refused`,
      ...(failed > 0 ? [table(['line', 'code', 'message'], failures, style)] : []),
    ].join('\n\n'),
  );
  if (summary.failed > 0) throw new EventsRefused(summary.failed, runKey);
}
