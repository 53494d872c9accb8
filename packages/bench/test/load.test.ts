import { startHttpReceiver } from '@postrider/rig';
import { afterEach, describe, expect, it } from '@postrider/testing';
import { EVENT_KEY } from '../src/load/event-body.ts';
import { createArrivalSchedule, handlers } from '../src/load/loops.ts';
import { createLatencyRecorder } from '../src/load/tally.ts';

const EVENT = { eventKey: EVENT_KEY, bytes: 307, schedule: null };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server that answers the n-th request (from 0) with `answer(n)`; a null status breaks the connection. */
async function startServer(answer: (index: number) => { status: number | null; afterMs?: number }) {
  const keys = new Set<string>();
  let requests = 0;
  const server = await startHttpReceiver(({ headers }, response) => {
    keys.add(String(headers['idempotency-key']));
    const { status, afterMs = 0 } = answer(requests);
    requests += 1;
    if (status === null) response.destroy();
    else setTimeout(() => response.writeHead(status).end('{}'), afterMs);
  });
  closing.push(server.close);
  const url = `${server.url}/api/v1/events`;
  return { target: { urls: [url], tokens: ['token'], event: EVENT, firstReference: 7 }, keys };
}

describe('a closed loop', () => {
  it('sends each event once with its own key, and counts every answer', async () => {
    const { target, keys } = await startServer((index) => ({ status: index % 10 === 0 ? 503 : 201 }));
    const result = await handlers.closed({ ...target, connections: 4, events: 100 });
    expect(result).toMatchObject({
      sent: 100,
      answers: { '201': 90, '503': 10 },
      unanswered: 0,
      accepted: 90,
    });
    expect(keys.size).toBe(100);
    expect([...result.acceptedAtMs].filter(Number.isNaN)).toHaveLength(10);
  });

  it('counts a request with a broken connection as unanswered and continues', async () => {
    const { target } = await startServer((index) => ({ status: index === 3 ? null : 201 }));
    const result = await handlers.closed({ ...target, connections: 1, events: 10 });
    expect(result).toMatchObject({ sent: 10, answers: { '201': 9 }, unanswered: 1 });
  });
});

describe('a closed loop of batches', () => {
  it('counts the result of each event, sends each with its own key, and ends after whole batches', async () => {
    const keys = new Set<string>();
    const server = await startHttpReceiver(({ path, body }, response) => {
      const { events } = JSON.parse(body) as { events: { idempotency_key: string }[] };
      for (const { idempotency_key } of events) keys.add(idempotency_key);
      const results = events.map((_, index) => ({ status: index === 0 ? 429 : 201 }));
      response.writeHead(path === '/api/v1/events/batch' ? 200 : 404).end(JSON.stringify({ results }));
    });
    closing.push(server.close);
    const target = {
      urls: [`${server.url}/api/v1/events`],
      tokens: ['token'],
      event: EVENT,
      firstReference: 7,
    };
    const result = await handlers.closed({ ...target, connections: 2, batch: 10, events: 50 });
    expect(result).toMatchObject({ sent: 50, answers: { '201': 45, '429': 5 }, unanswered: 0, accepted: 45 });
    expect(keys.size).toBe(50);
  });

  it('counts every event of a batch that is refused or lost', async () => {
    const { target } = await startServer((index) => ({ status: index === 0 ? 503 : null }));
    const result = await handlers.closed({ ...target, connections: 1, batch: 10, events: 20 });
    expect(result).toMatchObject({ sent: 20, answers: { '503': 10 }, unanswered: 10, accepted: 0 });
  });
});

describe('an open loop', () => {
  it('counts a stall in the latency of every event that was due meanwhile', async () => {
    const stallMs = 500;
    const { target } = await startServer((index) => ({ status: 201, afterMs: index === 0 ? stallMs : 0 }));
    const result = await handlers.open({ ...target, connections: 1, rate: 100, durationMs: stallMs });
    expect(result).toMatchObject({ sent: 50, answers: { '201': 50 }, accepted: 50 });
    // The middle event was due halfway through the stall and could not be answered before its end.
    expect(result.latencies.p50).toBeGreaterThan(stallMs / 2 - 20);
  });
});

describe('constant arrival', () => {
  it('sends events at the given rate', () => {
    const schedule = createArrivalSchedule(200, 1_000);
    expect(schedule.count).toBe(200);
    expect([0, 1, 199].map(schedule.dueMs)).toEqual([0, 5, 995]);
  });

  it('never finds an event early, and finds all due events after a stall', () => {
    const schedule = createArrivalSchedule(100, 1_000);
    expect([0, 9.99, 10, 500].map(schedule.dueBy)).toEqual([1, 1, 2, 51]);
  });

  it('ends with the last event, even if it is polled late', () => {
    expect(createArrivalSchedule(100, 1_000).dueBy(1e6)).toBe(100);
  });

  it('sends at least one event', () => {
    expect(createArrivalSchedule(0.1, 1_000).count).toBe(1);
  });
});

describe('latencies', () => {
  it('are precise to a thousandth, for any number of values', () => {
    const recorder = createLatencyRecorder();
    for (let ms = 1; ms <= 1_000; ms += 1) recorder.record(ms);
    const { count, p50, p95, p99, max } = recorder.summary();
    expect(count).toBe(1_000);
    expect(Math.abs(p50 / 500 - 1)).toBeLessThan(0.002);
    expect(Math.abs(p95 / 950 - 1)).toBeLessThan(0.002);
    expect(Math.abs(p99 / 990 - 1)).toBeLessThan(0.002);
    expect(Math.abs(max / 1_000 - 1)).toBeLessThan(0.002);
  });

  it('count early events as 0, and include values beyond all bounds', () => {
    const recorder = createLatencyRecorder();
    recorder.record(-3);
    recorder.record(1e9);
    expect(recorder.summary()).toMatchObject({ count: 2, p50: 0 });
    expect(recorder.summary().max).toBeGreaterThan(599_000);
  });

  it('without values are null', () => {
    expect(createLatencyRecorder().summary()).toEqual({ count: 0, p50: 0, p95: 0, p99: 0, max: 0 });
  });
});
