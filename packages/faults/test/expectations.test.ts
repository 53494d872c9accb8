import { expect, it } from '@postrider/testing';
import type { ClientCancel, ClientLedger, Ledgers } from '../src/ledgers.ts';
import { unmetBy } from '../src/scenarios/expectations.ts';
import { createAmount } from '../src/scenarios/scenario.ts';
import { failedAfter } from './planted/runs.ts';
import { cleanLedgers } from './support/clean-ledgers.ts';

const clean = cleanLedgers();
/** The requests of `cleanLedgers` without the one whose 503 the client did not repeat. */
const asked = clean.client.requests.filter(({ reference }) => reference !== 'event-refused-request');
/** The same without the repetition that got no answer although the request before did. */
const requests = asked.filter(({ answer }) => answer !== null);
const settled: Ledgers = { ...clean, client: { ...clean.client, requests } };

const withClient = (changes: Partial<ClientLedger>): Ledgers => ({
  ...settled,
  client: { ...settled.client, ...changes },
});

const processes = (ownExits: number, uncleanStops: number) => [
  { name: 'worker 1', ownExits: () => ownExits, uncleanStops: () => uncleanStops },
];

it('finds nothing in a scenario that met every expectation', () => {
  expect(unmetBy({}, settled, processes(0, 0))).toEqual([]);
});

it('expects every event, replay and cancel to succeed in the end, unless the client may be refused', () => {
  const late: ClientCancel = { runId: 'run_plain', key: 'key-x', status: 409, code: 'idempotency_conflict' };
  const refused = withClient({
    requests: clean.client.requests.filter(({ answer }) => answer?.status === 503),
    replays: clean.client.replays.slice(0, 1),
    cancels: [late],
  });
  expect(unmetBy({}, refused, [])).toHaveLength(3);
  expect(unmetBy({ mayRefuse: true }, refused, [])).toEqual([]);
});

it('expects a Retry-After with every 503', () => {
  const exchange = { sentAt: 1_000, tookMs: 10, status: 503, retryAfterMs: 1_000 };
  expect(unmetBy({}, withClient({ exchanges: [exchange] }), [])).toEqual([]);
  const silent = withClient({ exchanges: [exchange, { ...exchange, retryAfterMs: null }] });
  expect(unmetBy({}, silent, [])).toEqual(['every 503 has a Retry-After; 1 had none']);
});

it('expects no run to fail, unless runs may', () => {
  const failed = { ...failedAfter('webhook_address_blocked'), client: settled.client };
  expect(unmetBy({}, failed, [])).toEqual(['no run fails; 1 did']);
  expect(unmetBy({ mayFail: true }, failed, [])).toEqual([]);
});

it('expects no duplicate and no unknown attempt where nothing may be sent twice', () => {
  expect(unmetBy({ isExactlyOnce: true }, settled, [])).toHaveLength(2);
});

it('expects no process to exit by itself, unless it may, and a stopped one to exit with 0', () => {
  expect(unmetBy({}, settled, processes(1, 0))).toHaveLength(1);
  expect(unmetBy({ mayExit: true }, settled, processes(1, 1))).toHaveLength(1);
  expect(unmetBy({}, settled, processes(0, 1))).toHaveLength(1);
});

it('uses at least the short form, and the whole long form at scale 1', () => {
  const amounts = (scale: number) => createAmount(scale)(3, 100);
  expect([0, 0.01, 0.1, 1].map(amounts)).toEqual([3, 3, 10, 100]);
});
