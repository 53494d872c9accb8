import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { runClosedLoad } from '../src/load/closed.ts';
import { EVENT_KEY } from '../src/load/event-body.ts';
import { runOpenLoad } from '../src/load/open.ts';

const EVENT = { eventKey: EVENT_KEY, bytes: 307, schedule: null };

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server that answers the n-th request (from 0) as it is told; null breaks the connection. */
async function startServer(answer: (index: number) => { status: number | null; afterMs?: number }) {
  const keys = new Set<string>();
  let requests = 0;
  server = createServer((request, response) => {
    keys.add(String(request.headers['idempotency-key']));
    const { status, afterMs = 0 } = answer(requests);
    requests += 1;
    request.resume().once('end', () => {
      if (status === null) response.destroy();
      else setTimeout(() => response.writeHead(status).end('{}'), afterMs);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/events`;
  return { target: { urls: [url], tokens: ['token'], event: EVENT, firstReference: 7 }, keys };
}

describe('a closed loop', () => {
  it('sends each event once, under a key of its own, and counts every answer', async () => {
    const { target, keys } = await startServer((index) => ({ status: index % 10 === 0 ? 503 : 201 }));
    const result = await runClosedLoad({ ...target, connections: 4, events: 100 });
    expect(result).toMatchObject({
      sent: 100,
      answers: { '201': 90, '503': 10 },
      unanswered: 0,
      accepted: 90,
    });
    expect(keys.size).toBe(100);
    expect([...result.acceptedAtMs].filter(Number.isNaN)).toHaveLength(10);
  });

  it('counts a request whose connection broke as unanswered and goes on', async () => {
    const { target } = await startServer((index) => ({ status: index === 3 ? null : 201 }));
    const result = await runClosedLoad({ ...target, connections: 1, events: 10 });
    expect(result).toMatchObject({ sent: 10, answers: { '201': 9 }, unanswered: 1 });
  });
});

describe('an open loop', () => {
  it('counts a stall in the latency of every event that was to be sent meanwhile', async () => {
    const stallMs = 500;
    const { target } = await startServer((index) => ({ status: 201, afterMs: index === 0 ? stallMs : 0 }));
    const result = await runOpenLoad({ ...target, connections: 1, rate: 100, durationMs: stallMs });
    expect(result).toMatchObject({ sent: 50, answers: { '201': 50 }, accepted: 50 });
    // The event in the middle was to be sent at half of the stall and could not be answered before its end.
    expect(result.latencies.p50).toBeGreaterThan(stallMs / 2 - 20);
  });
});
