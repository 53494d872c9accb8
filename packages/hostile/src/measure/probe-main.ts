/**
 * The second tenant: posts events at a steady rate and requests /healthz in between, in its own process, so that the
 * attacker does not block its thread. Started by `startProbe`. Answers each message with its observations since the last
 * one.
 */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { Observed } from './probe.ts';

const [url = '', token = '', perSecond = '20'] = process.argv.slice(2);
const TIMEOUT_MS = 30_000;
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
const BODY = JSON.stringify({
  event_key: 'order.shipped',
  recipient: { email: 'ada@example.com' },
  payload: { order_id: 'A-1001' },
});

const nothing = (): Observed => ({ eventsMs: [], healthMs: [], failures: {} });
let observed = nothing();

/** Sends one request and records the time of its answer. Any status but `expected` is a failure. */
function ask(path: string, body: string | null, expected: number, times: number[]): void {
  const began = performance.now();
  const { failures } = observed;
  const fail = (what: string) => {
    failures[what] = (failures[what] ?? 0) + 1;
  };
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
  };
  const sent = request(
    `${url}${path}`,
    { agent, method: body ? 'POST' : 'GET', headers, timeout: TIMEOUT_MS },
    (response) => {
      response.resume();
      response.once('error', () => undefined);
      response.once('end', () => {
        times.push(performance.now() - began);
        if (response.statusCode !== expected) fail(String(response.statusCode));
      });
    },
  );
  sent.once('timeout', () => sent.destroy(new Error('timeout')));
  sent.once('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
  sent.end(body ?? undefined);
}

const interval = 1_000 / Number(perSecond);
setInterval(() => ask('/api/v1/events', BODY, 201, observed.eventsMs), interval);
setInterval(() => ask('/healthz', null, 200, observed.healthMs), interval * 2);

process.on('message', () => {
  process.send?.(observed);
  observed = nothing();
});
process.on('disconnect', () => process.exit());
// Ctrl-C in a terminal reaches all processes; the parent decides when this one stops.
process.on('SIGINT', () => undefined);
