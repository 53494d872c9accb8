import type { ServerResponse } from 'node:http';
import type { ReceivedRequest } from '../http-receiver.ts';
import type { BatchResult, HeaderFields, Step } from './case.ts';

/** The time between the halves of a slow body. */
const SLOW_MS = 300;

type Answer = Extract<Step, { status: number }>;

const errorBody = (code: string, details?: unknown) => ({
  error: { code, message: `It is ${code}.`, request_id: 'r-1', ...(details ? { details } : {}) },
});

/** The answer to a batch: a result for each of its events, which are accepted unless the step says otherwise. */
function batchAnswer(
  results: Readonly<Record<string, BatchResult>>,
  body: string,
  accepted: unknown,
): Answer {
  const { events } = JSON.parse(body) as { events: readonly unknown[] };
  const answered = events.map((_, index) => {
    const { status = 201, code, ...others } = results[index] ?? {};
    return { status, body: code === undefined ? accepted : errorBody(code), ...others };
  });
  return { status: 200, body: { results: answered } };
}

function headersOf(fields: HeaderFields = {}): Record<string, string> {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : new Date(Date.now() + value.$date_in_s * 1_000).toUTCString(),
  ]);
  return Object.fromEntries(entries);
}

const written = (response: ServerResponse, bytes: Buffer) =>
  new Promise<void>((resolve) => response.write(bytes, () => resolve()));

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function playStream(
  response: ServerResponse,
  { stream, then, in_pieces: inPieces }: Extract<Step, { stream: string }>,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' });
  const bytes = Buffer.from(stream);
  const pieces = inPieces ? Array.from(bytes, (byte) => Buffer.of(byte)) : [bytes];
  for (const piece of pieces) await written(response, piece);
  if (then === 'end') response.end();
  else if (then === 'cut') response.destroy();
}

async function playAnswer(response: ServerResponse, { status, headers, body, text, half, slow }: Answer) {
  const bytes = Buffer.from(text ?? JSON.stringify(body) ?? '');
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': bytes.length,
    // A connection that is used again could be lost between two requests, and be repeated below the client.
    connection: 'close',
    ...headersOf(headers),
  });
  if (half || slow) {
    const middle = Math.floor(bytes.length / 2);
    await written(response, bytes.subarray(0, middle));
    if (half === 'hang') return;
    if (half === 'cut') return void response.destroy();
    await pause(SLOW_MS);
    response.end(bytes.subarray(middle));
  } else response.end(bytes);
}

/** Answers a request as a step says. `accepted` is the body of an accepted event. */
export async function play(
  step: Step,
  { body }: ReceivedRequest,
  response: ServerResponse,
  accepted: unknown,
): Promise<void> {
  if (step === 'hang') return;
  if (step === 'cut') return void response.destroy();
  if ('stream' in step) return playStream(response, step);
  if ('accept' in step) return playAnswer(response, { status: 201, body: accepted });
  if ('batch' in step) return playAnswer(response, batchAnswer(step.batch, body, accepted));
  if ('refuse' in step) {
    const [status, code] = step.refuse;
    const refusal = { status, body: errorBody(code, step.details) };
    return playAnswer(response, step.headers ? { ...refusal, headers: step.headers } : refusal);
  }
  return playAnswer(response, step);
}
