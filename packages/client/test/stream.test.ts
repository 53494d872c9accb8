import { createPostrider, type StreamEvent, type StreamOptions } from '@postrider/client';
import { describe, expect, it } from '@postrider/testing';

/** What one connection gets: the text of a stream that then ends, breaks or stays open. */
type Answer = { text: string; after?: 'end' | 'break' | 'stay' } | 'unreachable';

const EVENT = { message_id: 'msg_1', at: '2026-11-21T12:00:00.000Z' };
const accepted = (id: string) => `id: ${id}\nevent: message.accepted\ndata: ${JSON.stringify(EVENT)}\n\n`;

function answer(given: Answer, closed: () => void): Response {
  if (given === 'unreachable') throw new TypeError('fetch failed');
  let sent = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (!sent) controller.enqueue(new TextEncoder().encode(given.text));
        else if (given.after === 'break') controller.error(new TypeError('terminated'));
        else if (given.after !== 'stay') controller.close();
        sent = true;
        return given.after === 'stay' ? new Promise(() => undefined) : undefined;
      },
      cancel: closed,
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
}

/** Follows a service that answers by a script, and takes as many events as are asked for. */
async function follow(script: readonly Answer[], count: number, options: StreamOptions = {}) {
  const steps = [...script];
  const positions: (string | null)[] = [];
  const waits: number[] = [];
  let closed = 0;
  const client = createPostrider({
    baseUrl: 'https://notify.example.com',
    token: 'pr_test_token',
    surroundings: {
      fetch: async ({ headers }) => {
        positions.push(headers.get('last-event-id'));
        const step = steps.shift();
        if (step === undefined) throw new Error('the script has no more answers');
        return answer(step, () => {
          closed += 1;
        });
      },
      random: () => 0,
      wait: async (ms, signal) => {
        signal?.throwIfAborted();
        waits.push(ms);
      },
    },
  });
  const events: StreamEvent[] = [];
  for await (const event of await client.stream(options)) {
    events.push(event);
    if (events.length === count) break;
  }
  return { events, positions, waits, closed: () => closed };
}

describe('a stream', () => {
  it('resumes from the last position after an end, an error or a lost connection, also at a position without an event', async () => {
    const { events, positions, waits } = await follow(
      [
        { text: `retry: 2000\n\n${accepted('a')}id: b\n\n` },
        { text: accepted('c'), after: 'break' },
        'unreachable',
        'unreachable',
        { text: accepted('d') },
      ],
      3,
    );
    expect(events.map(({ event, lastEventId }) => [event, lastEventId])).toEqual([
      ['message.accepted', 'a'],
      ['message.accepted', 'c'],
      ['message.accepted', 'd'],
    ]);
    expect(positions).toEqual([null, 'b', 'c', 'c', 'c']);
    // What the service asks for between two streams, then longer after each failure: half of it is left to chance.
    expect(waits).toEqual([2_000, 2_000, 125, 250]);
  });

  it('tells that it is alive by whatever arrives, also without an event, and that a connection failed', async () => {
    const heard: boolean[] = [];
    const script: Answer[] = [{ text: 'id: a\n\n:\n\n' }, 'unreachable', { text: accepted('b') }];
    await follow(script, 1, { onConnection: (isAlive) => heard.push(isAlive) });
    expect(heard).toEqual([true, true, false, true]);
  });

  it('does not tell that it is alive before it has a position, from which on no change is missed', async () => {
    const heard: boolean[] = [];
    const script: Answer[] = [{ text: 'retry: 2000\n\n:\n\n' }, { text: accepted('a') }];
    await follow(script, 1, { onConnection: (isAlive) => heard.push(isAlive) });
    expect(heard).toEqual([true]);
  });

  it('closes its connection when the loop ends or the signal is aborted', async () => {
    const left = await follow([{ text: accepted('a'), after: 'stay' }], 1);
    expect(left.closed()).toBe(1);
    const controller = new AbortController();
    const ended = follow([{ text: accepted('a'), after: 'stay' }], 2, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(ended).rejects.toThrow('enough');
  });

  it('does not buffer an event without an end', async () => {
    await expect(follow([{ text: `data: ${'x'.repeat(70_000)}` }], 1)).rejects.toThrow('too long');
  });
});
