import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import {
  type BatchEvent,
  type EventInput,
  type EventResult,
  PostriderApiError,
  type PostriderError,
} from '@postrider/client';
import { progressBar } from '../output/progress.ts';
import { table } from '../output/table.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage-error.ts';
import { type JsonObject, parseObject } from '../values.ts';

/** Events that are in memory at once. */
const EVENTS_AT_ONCE = 1_000;
/** Failures that are listed; all are counted. */
const MAX_LISTED = 100;

/** An event with the line that it comes from, from 1. */
type Line = BatchEvent & { readonly line: number };

interface Failed {
  readonly line: number;
  readonly code: string;
  readonly message: string;
  readonly idempotency_key: string;
}

/** What became of a file of events. */
interface Summary {
  /** Makes the same run again without sending twice what was accepted. */
  readonly idempotency_key: string;
  accepted: number;
  /** Of the accepted: by an earlier run. */
  replayed: number;
  failed: number;
  readonly failures: Failed[];
}

/**
 * The key of a line that names none: a version 8 UUID (RFC 9562) from the run's key and the line's number, so that
 * running the same file again with the same key sends nothing twice.
 */
function keyOf(runKey: string, line: number): string {
  const bytes = createHash('sha256').update(`${runKey.toLowerCase()} ${line}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Reads a line: an event, or `{"idempotency_key": …, "event": {…}}`. */
function readLine(text: string, line: number, runKey: string): Line {
  const value = parseObject(text, `Line ${line}`);
  const isNamed = typeof value.event === 'object' && value.event !== null && 'idempotency_key' in value;
  const event = (isNamed ? value.event : value) as JsonObject as EventInput;
  return { line, event, idempotencyKey: isNamed ? String(value.idempotency_key) : keyOf(runKey, line) };
}

async function* linesOf({ io }: Session, path: string, runKey: string): AsyncGenerator<Line[]> {
  const input = path === '-' ? Readable.from(io.stdin) : createReadStream(path);
  let number = 0;
  let group: Line[] = [];
  // The stream's error is thrown by the loop: a file that is not there is found when it is read.
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (text.trim() === '') continue;
    group.push(readLine(text, number, runKey));
    if (group.length < EVENTS_AT_ONCE) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
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

/** The error that ends a run: the service cannot be reached, or refuses the token. */
function endOf(results: readonly EventResult[]): PostriderError | undefined {
  return results
    .map(({ error }) => error)
    .find((error) => error && (!(error instanceof PostriderApiError) || error.status === 401));
}

/** Not all events of a file were accepted; what was said of each is on stdout. */
export class EventsRefused extends Error {
  constructor(failed: number, key: string) {
    super(
      `${failed} events were refused. Mend them and run it again with --idempotency-key ${key}: ` +
        'what was accepted is not sent twice.',
    );
  }
}

/**
 * Sends the events of a file, one JSON object a line; `-` is stdin. Prints how many were accepted and what was refused.
 * Throws {@link EventsRefused} when an event was refused, and the error of a service that does not answer.
 */
export async function sendFile(session: Session, path: string, runKey: string = randomUUID()): Promise<void> {
  const { events } = session.postrider();
  const summary: Summary = { idempotency_key: runKey, accepted: 0, replayed: 0, failed: 0, failures: [] };
  const bar = progressBar('sending', session.io.stderr);
  let read = 0;
  try {
    for await (const lines of linesOf(session, path, runKey)) {
      const before = read;
      read += lines.length;
      bar.update(before, read);
      const results = await events.sendBatch(lines, {
        ...session.call,
        onProgress: (done) => bar.update(before + done, read),
      });
      const end = endOf(results);
      if (end) {
        end.idempotencyKey = runKey;
        throw end;
      }
      for (const [index, line] of lines.entries()) count(summary, line, results[index] as EventResult);
    }
  } finally {
    bar.stop();
  }
  if (read === 0) throw new UsageError(`${path === '-' ? 'Stdin' : path} has no events.`);
  session.show(summary, ({ accepted, replayed, failed, failures }, style) =>
    [
      `${accepted} accepted${replayed > 0 ? `, ${replayed} of them before` : ''}, ${failed} refused`,
      ...(failed > 0 ? [table(['line', 'code', 'message'], failures, style)] : []),
    ].join('\n\n'),
  );
  if (summary.failed > 0) throw new EventsRefused(summary.failed, runKey);
}
