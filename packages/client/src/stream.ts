import type { components } from './generated.ts';
import type { CallOptions } from './transport.ts';

export interface StreamOptions extends CallOptions {
  /** That of the last event that came: what happened since comes first. */
  readonly lastEventId?: string | undefined;
}

export const lastEventHeader = (lastEventId: string | undefined) =>
  lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };

/** What happened: a hint of ids and statuses. After `reset` more has happened than was told: read the lists again. */
export interface StreamEvent {
  readonly event:
    | 'message.accepted'
    | 'delivery_run.updated'
    | 'attempt.finished'
    | 'delivery_run.feedback'
    | 'reset';
  /** Empty for `reset`. */
  readonly data: Partial<components['schemas']['StreamEvent']>;
  /** Where to go on from, as `lastEventId` of the next call; null while none has come. */
  readonly lastEventId: string | null;
}

/** Longest text that is kept while an event is not complete. */
const MAX_EVENT_CHARACTERS = 64 * 1024;

/**
 * The events of a `text/event-stream` (HTML Living Standard, section 9.2), until it ends. Leaving the loop closes the
 * connection.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array> | null | undefined,
): AsyncGenerator<StreamEvent, void, undefined> {
  if (!body) return;
  let text = '';
  let lastEventId: string | null = null;
  for await (const piece of body.pipeThrough(
    new TextDecoderStream() as never,
  ) as unknown as AsyncIterable<string>) {
    const blocks = (text + piece).split('\n\n');
    text = blocks.pop() ?? '';
    if (text.length > MAX_EVENT_CHARACTERS) throw new TypeError('An event of the stream is too long.');
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => [fieldOf(line), textOf(line)]));
      lastEventId = fields.get('id') ?? lastEventId;
      const data = fields.get('data');
      if (data === undefined) continue;
      yield { event: fields.get('event') as StreamEvent['event'], data: JSON.parse(data), lastEventId };
    }
  }
}

const fieldOf = (line: string) => line.split(':', 1)[0] ?? '';
const textOf = (line: string) => line.slice(fieldOf(line).length + 1).replace(/^ /, '');
