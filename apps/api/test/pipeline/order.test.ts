import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { beforeAll, describe, expect, it } from '@postrider/testing';
import { anEvent, type TestApi } from '../support/api.ts';
import { useApi } from '../support/database.ts';

const world = useApi();

/** What can be wrong with a request, in the order of the stages that find it, and the answer that it gets. */
const ISSUES = {
  token: [401, 'unauthorized'],
  type: [415, 'unsupported_media_type'],
  size: [413, 'payload_too_large'],
  keyMissing: [400, 'idempotency_key_required'],
  keyInvalid: [400, 'idempotency_key_invalid'],
  conflict: [409, 'idempotency_conflict'],
  quota: [402, 'quota_exceeded'],
  payment: [402, 'payment_required'],
  rate: [429, 'rate_limited'],
  json: [400, 'invalid_json'],
  shape: [422, 'validation_failed'],
} as const;
type Issue = keyof typeof ISSUES;
const ORDER = Object.keys(ISSUES) as Issue[];

/** Issues that exclude each other. */
const EXCLUSIVE: readonly (readonly Issue[])[] = [
  ['keyMissing', 'keyInvalid', 'conflict'],
  ['json', 'shape'],
];
const canMeet = (one: Issue, other: Issue) =>
  !EXCLUSIVE.some((issues) => issues.includes(one) && issues.includes(other));
const PAIRS = ORDER.flatMap((first, index) =>
  ORDER.slice(index + 1)
    .filter((second) => canMeet(first, second))
    .map((second) => [first, second] as const),
);

async function storeOtherAnswer(environmentId: string, key: string): Promise<void> {
  await world.db().$executeRaw`
    INSERT INTO idempotency_records
      (environment_id, operation, key, fingerprint, response_status, response_body, created_at, expires_at)
    VALUES (${environmentId}::uuid, 'events.create', ${key}::uuid, sha256('other'), 201, '{}', now(),
            now() + interval '24 hours')`;
}

function bodyWith(issues: ReadonlySet<Issue>): string {
  let body = JSON.stringify(anEvent());
  if (issues.has('shape')) body = '{}';
  if (issues.has('json')) body = '{';
  return issues.has('size') ? body + ' '.repeat(256 * 1024) : body;
}

/** Sends an event that is wrong in just these ways. */
async function sendWrong(api: TestApi, wrong: readonly Issue[]) {
  const issues = new Set(wrong);
  const { token, environmentId } = await world.environment({
    plan: {
      eventsPerMonth: issues.has('quota') ? 0 : null,
      ...(issues.has('rate') ? { requestsPerSecond: 1, burst: 1 } : {}),
    },
    billingStatus: issues.has('payment') ? 'suspended' : 'active',
  });
  const key = randomUUID();
  if (issues.has('conflict')) await storeOtherAnswer(environmentId, key);
  const request = api
    .post('/api/v1/events', issues.has('token') ? 'pr_wrong' : token)
    .set('Content-Type', issues.has('type') ? 'text/plain' : 'application/json');
  if (!issues.has('keyMissing')) request.set('Idempotency-Key', issues.has('keyInvalid') ? 'no-uuid' : key);
  const response = await request.send(bodyWith(issues));
  return [response.status, response.body.error?.code];
}

/** An API whose rate limits have no token left. */
let refusing: TestApi;
beforeAll(async () => {
  refusing = await world.more({
    takeBucketTokens: async () => ({
      taken: 0,
      remaining: 0,
      retryAfterMs: 1_000,
      resetMs: 1_000,
      giveBack: () => undefined,
    }),
  });
});

describe('the order of the stages of POST /api/v1/events', () => {
  it.each(ORDER)('responds to a request with one error: %s', async (issue) => {
    expect(await sendWrong(refusing, [issue])).toEqual(ISSUES[issue]);
  });

  it.each(PAIRS)('answers %s before %s', async (first, second) => {
    expect(await sendWrong(refusing, [first, second])).toEqual(ISSUES[first]);
  });

  it('responds stage by stage while the errors of a request are fixed one after the other', async () => {
    const chain = ORDER.filter((issue) => issue !== 'keyInvalid' && issue !== 'conflict' && issue !== 'json');
    for (let fixed = 0; fixed < chain.length; fixed += 1) {
      const wrong = chain.slice(fixed);
      expect(await sendWrong(refusing, wrong)).toEqual(ISSUES[wrong[0] as Issue]);
    }
  });

  it('does not read the body of a request without a valid token', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(`${world.api().url}/api/v1/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': 100 },
      });
      request.on('response', (response) => {
        resolve(response.statusCode);
        request.destroy();
      });
      request.on('error', reject);
      request.flushHeaders();
    });
    expect(status).toBe(401);
  });
});

describe('quota and payment access', () => {
  it.each([
    ['GET', '/api/v1/messages'],
    ['GET', '/api/v1/usage/current'],
    ['GET', '/api/v1/limits'],
  ])('do not apply to %s %s', async (_method, path) => {
    const { token } = await world.environment({ plan: { eventsPerMonth: 0 }, billingStatus: 'suspended' });
    expect((await world.api().get(path, token)).status).toBe(200);
  });

  it('do not apply to cancel, but to replay', async () => {
    const { token, tenantId, planCode } = await world.environment();
    const posted = await world.api().postEvent(token, anEvent({ schedule_at: '2099-01-01T00:00:00Z' }));
    await world.db().tenant.update({ where: { id: tenantId }, data: { billingStatus: 'suspended' } });
    world.api().deps.snapshots.clear();
    const replay = () => world.api().post(`/api/v1/messages/${posted.body.message_id}/replay`, token);
    expect((await replay()).body.error.code).toBe('payment_required');
    await world.db().plan.update({ where: { code: planCode ?? '' }, data: { eventsPerMonth: 1 } });
    world.api().deps.snapshots.clear();
    expect((await replay()).body.error.code).toBe('quota_exceeded');
    const [run] = posted.body.delivery_runs;
    const cancelled = await world.api().post(`/api/v1/delivery-runs/${run.id}/cancel`, token);
    expect(cancelled.status).toBe(200);
  });

  it('apply to replay in order: key, quota, payment, rate, JSON, shape, message', async () => {
    const path = '/api/v1/messages/msg_01h455vb4pex5vsknk084sn02q/replay';
    const send = async (plan: object, billingStatus: 'active' | 'suspended', key: string, body: string) => {
      const { token } = await world.environment({ plan, billingStatus });
      const api = 'burst' in plan ? refusing : world.api();
      const request = api.post(path, token).set('Idempotency-Key', key);
      const response = await request.set('Content-Type', 'application/json').send(body);
      return response.body.error.code;
    };
    const limited = { requestsPerSecond: 1, burst: 1 };
    const answers = [
      await send({ eventsPerMonth: 0, ...limited }, 'suspended', 'x', '{'),
      await send({ eventsPerMonth: 0, ...limited }, 'suspended', randomUUID(), '{'),
      await send(limited, 'suspended', randomUUID(), '{'),
      await send(limited, 'active', randomUUID(), '{'),
      await send({}, 'active', randomUUID(), '{'),
      await send({}, 'active', randomUUID(), '{"extra":1}'),
      await send({}, 'active', randomUUID(), '{}'),
    ];
    expect(answers).toEqual([
      'idempotency_key_invalid',
      'quota_exceeded',
      'payment_required',
      'rate_limited',
      'invalid_json',
      'validation_failed',
      'message_not_found',
    ]);
  });
});
