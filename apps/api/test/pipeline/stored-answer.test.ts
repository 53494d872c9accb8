import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { useApi, WEBHOOK } from '../support/database.ts';

/** Tokens that were taken and not given back, of buckets that are named after their environments. */
const used = new Map<string, number>();
const emptyBuckets = new Set<string>();
const world = useApi({
  takeBucketTokens: async (bucket) => {
    const taken = emptyBuckets.has(bucket) ? 0 : 1;
    const use = (count: number) => used.set(bucket, (used.get(bucket) ?? 0) + count);
    use(taken);
    const giveBack = (count: number) => void use(-count);
    return { taken, remaining: 0, retryAfterMs: 1_000, resetMs: 1_000, giveBack };
  },
});

/** What would refuse the request if its key had no answer. */
const REFUSALS = ['quota', 'payment', 'rate'] as const;
type Refusal = (typeof REFUSALS)[number];

const BODIES = {
  'a good body': JSON.stringify(anEvent()),
  'no JSON': '{',
  'a wrong shape': '{}',
  'no channel for its event': JSON.stringify(anEvent({ event_key: 'nobody.listens' })),
} as const;

/** Every set of refusals, the empty one included. */
const SETS = Array.from({ length: 2 ** REFUSALS.length }, (_, set) =>
  REFUSALS.filter((_refusal, bit) => (set >> bit) % 2 === 1),
);
const CASES = Object.entries(BODIES).flatMap(([name, body]) =>
  SETS.map((refusals) => ({ name, body, refusals, also: refusals.join(', ') || 'nothing else' })),
);

const STORED = JSON.stringify({
  message_id: 'msg_01h455vb4pex5vsknk084sn02q',
  status: 'pending',
  delivery_runs: [],
});

async function storeResponse(environmentId: string, key: string, body: string): Promise<void> {
  const fingerprint = createHash('sha256').update(body).digest();
  await world.db().$executeRaw`
    INSERT INTO idempotency_records
      (environment_id, operation, key, fingerprint, response_status, response_body, created_at, expires_at)
    VALUES (${environmentId}::uuid, 'events.create', ${key}::uuid, ${fingerprint}, 201,
            ${Buffer.from(STORED)}, now(), now() + interval '24 hours')`;
}

/** An event whose key has an answer already, to `stored`; also what the request took and made. */
async function sendAgain(refusals: readonly Refusal[], { sent, stored }: { sent: string; stored: string }) {
  const { token, environmentId, tenantId } = await world.environment({
    plan: {
      eventsPerMonth: refusals.includes('quota') ? 0 : null,
      requestsPerSecond: 1,
      burst: 1,
    },
    billingStatus: refusals.includes('payment') ? 'suspended' : 'active',
    channels: [{ ...WEBHOOK, eventKeys: ['order.*'] }],
  });
  if (refusals.includes('rate')) emptyBuckets.add(environmentId);
  const key = randomUUID();
  await storeResponse(environmentId, key, stored);
  const response = await world.api().postEvent(token, sent, key);
  const made = {
    messages: await world.db().message.count({ where: { environmentId } }),
    runs: await world.db().deliveryRun.count({ where: { environmentId } }),
    usage: await world.db().tenantUsage.count({ where: { tenantId } }),
    jobs: world.api().enqueued.length,
    tokens: used.get(environmentId) ?? 0,
  };
  return { response, made };
}

const NOTHING = { messages: 0, runs: 0, usage: 0, jobs: 0, tokens: 0 };

describe('an event whose key has a stored response', () => {
  it.each(CASES)(
    'gets it, and takes nothing, with $name and $also against it',
    async ({ body, refusals }) => {
      const { response, made } = await sendAgain(refusals, { sent: body, stored: body });
      expect([response.status, response.text]).toEqual([201, STORED]);
      expect(response.headers['idempotent-replayed']).toBe('true');
      expect(response.headers.ratelimit).toBeUndefined();
      expect(made).toEqual(NOTHING);
    },
  );

  it.each(CASES)(
    'is a conflict when it is another, with $name and $also against it',
    async ({ body, refusals }) => {
      const { response, made } = await sendAgain(refusals, { sent: body, stored: `${body} ` });
      expect([response.status, response.body.error.code]).toEqual([409, 'idempotency_conflict']);
      expect(response.headers['idempotent-replayed']).toBeUndefined();
      expect(made).toEqual(NOTHING);
    },
  );
});
