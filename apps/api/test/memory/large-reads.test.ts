import { createFairSemaphore } from '@postrider/fairness';
import { describe, expect, it } from '@postrider/testing';
import type { ByteLimit } from '../../src/http/admission.ts';
import { ADMIN_TOKEN, anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { createGate, until } from '../support/waiting.ts';
import { createStored, type Stored } from './stored.ts';

const world = useApi();
const MIB = 1_024 * 1_024;
const EMPTY_OBJECTS = { list: Array.from({ length: 60_000 }, () => ({})) };
/** PostgreSQL writes it as 240 KB of text, so that four of them are at most 1 MiB. */
const BOUNDS = { total: 2 * MIB, perOwner: MIB, waitMs: 30_000, maxWaitingPerOwner: 6, maxWaiting: 12 };
const AT_ONCE = 40;
const MODEST = 4;
/** Four fit, and six wait for them. */
const SERVED = 10;

/** Counts the most bytes that were ever held. Nobody gets any before `requests` have asked. */
function measured(inner: ByteLimit, requests: number) {
  const held = { now: 0, most: 0 };
  const { opened, open } = createGate();
  let asked = 0;
  const acquire: ByteLimit['acquire'] = async (ask, signal) => {
    const acquiring = inner.acquire(ask, signal);
    asked += 1;
    if (asked === requests) open();
    await opened;
    const permit = await acquiring;
    if (!permit) return null;
    let mine = ask.weight ?? 1;
    held.now += mine;
    held.most = Math.max(held.most, held.now);
    const release = () => {
      held.now -= mine;
      mine = 0;
      permit.release();
    };
    return { ...permit, release };
  };
  return { held, storedBytes: { ...inner, tryAcquire: () => null, acquire } };
}

const READS: readonly (readonly [string, 'GET' | 'POST', (ids: Stored['ids']) => string])[] = [
  ['the message', 'GET', ({ messageId }) => `/api/v1/messages/${messageId}`],
  [
    'the message with explanations',
    'GET',
    ({ messageId }) => `/api/v1/messages/${messageId}?explain=channels`,
  ],
  ['its replay', 'POST', ({ messageId }) => `/api/v1/messages/${messageId}/replay`],
  [
    'the message, as an operator',
    'GET',
    (ids) => `/admin/v1/environments/${ids.environmentId}/messages/${ids.messageId}`,
  ],
];

describe('many requests at once for a large message', () => {
  it.each(READS)(
    'hold no more than the share of a tenant, and leave others alone: %s',
    async (_name, method, pathOf) => {
      const large = await createStored(world, anEvent({ payload: EMPTY_OBJECTS }));
      const other = await createStored(world, anEvent({ payload: EMPTY_OBJECTS }));
      const { held, storedBytes } = measured(createFairSemaphore(BOUNDS), AT_ONCE + MODEST);
      const api = await world.more({ storedBytes });
      const path = pathOf(large.ids);
      const ask = async (token: string, of: string, method = 'GET') => {
        const authorization = `Bearer ${of.startsWith('/admin/') ? ADMIN_TOKEN : token}`;
        const response = await fetch(api.url + of, { method, headers: { authorization } });
        // What is not read stays reserved.
        const body = (await response.json()) as { payload?: unknown; error?: { code: string } };
        return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
      };
      const greedy = Array.from({ length: AT_ONCE }, () => ask(large.token, path, method));
      const modest = Array.from({ length: MODEST }, () =>
        ask(other.token, `/api/v1/messages/${other.ids.messageId}`),
      );

      for (const { status, body } of await Promise.all(modest)) {
        expect(status).toBe(200);
        expect(JSON.stringify(body.payload) === JSON.stringify(EMPTY_OBJECTS)).toBe(true);
      }
      const statuses = new Map<number, number>();
      for (const { status, retryAfter, body } of await Promise.all(greedy)) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status < 300) continue;
        expect([status, retryAfter, body.error?.code]).toEqual([429, '1', 'rate_limited']);
      }
      expect(statuses.get(429)).toBe(AT_ONCE - SERVED);
      expect((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0)).toBe(SERVED);
      expect(held.most).toBeGreaterThan(EMPTY_OBJECTS.list.length * 3);
      expect(held.most).toBeLessThanOrEqual(2 * MIB);
      await until(() => held.now === 0);
    },
  );
});

describe('the payload of a message', () => {
  it.each([
    ['texts of every kind', { 'ä"\\\n': 'ü\u2028😀</script>', '': null, __proto__x: [true, false, null] }],
    [
      'numbers of every length',
      { list: [0, -1, 0.1, 1e21, 1e308, 5e-324, -1.5e-7, 2 ** 53, 123456789012345680000] },
    ],
    ['names of methods', JSON.parse('{"__proto__":{"a":1},"constructor":{},"toJSON":"x"}')],
    ['nothing', {}],
  ])('is returned as it was sent, from every read: %s', async (_name, payload) => {
    const recipient = { email: 'ada@example.com', name: 'Ada "the first" Löve' };
    const { token, ids } = await createStored(world, JSON.stringify(anEvent({ payload, recipient })));
    const api = world.api();
    const one = `/api/v1/messages/${ids.messageId}`;
    const ofOperator = `/admin/v1/environments/${ids.environmentId}/messages`;
    const [read, explained, listed, searched] = await Promise.all([
      api.get(one, token),
      api.get(`${one}?explain=channels`, token),
      api.get('/api/v1/messages', token),
      api.admin('get', `${ofOperator}?fields=payload,recipient`),
    ]);
    for (const message of [read.body, explained.body, listed.body.data[0], searched.body.data[0]]) {
      expect(JSON.stringify(message.payload, sorted(message.payload))).toBe(
        JSON.stringify(payload, sorted(payload)),
      );
      expect(message.recipient).toEqual(recipient);
    }
  });
});

/** The names of a value in one order: PostgreSQL stores them in its own. */
function sorted(value: unknown): string[] {
  const names = new Set<string>();
  JSON.stringify(value, (name, of) => {
    names.add(name);
    return of;
  });
  return [...names].sort();
}
