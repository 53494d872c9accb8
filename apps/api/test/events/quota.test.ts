import { randomUUID } from 'node:crypto';
import { createSnapshots } from '@postrider/db';
import { periodOf } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';

const world = useApi();

type Environment = Awaited<ReturnType<typeof world.environment>>;

describe('POST /api/v1/events, 402 quota_exceeded', () => {
  it('has limit, used and resets_at in its details', async () => {
    const { token } = await world.environment({ plan: { eventsPerMonth: 1 } });
    expect((await world.api().postEvent(token)).status).toBe(201);
    const fromTransaction = await world.api().postEvent(token);
    const fromStage = await world.api().postEvent(token);
    for (const response of [fromTransaction, fromStage]) {
      expect(response.status).toBe(402);
      expect(response.body.error.code).toBe('quota_exceeded');
      expect(response.body.error.details).toEqual([
        {
          path: '',
          code: 'quota_limit',
          message: expect.any(String),
          limit: 1,
          used: 1,
          resets_at: periodOf(new Date()).end.toISOString(),
        },
      ]);
    }
  });

  it('refuses every event on a plan without events', async () => {
    const { token, environmentId } = await world.environment({ plan: { eventsPerMonth: 0 } });
    expect((await world.api().postEvent(token)).body.error.code).toBe('quota_exceeded');
    expect(await world.db().idempotencyRecord.count({ where: { environmentId } })).toBe(0);
  });

  it.each([
    ['its own', async (environment: Environment) => environment],
    ['another', async ({ tenantId }: Environment) => world.environment({ tenantId })],
  ])(
    'refuses everything after the last event of the plan was accepted, in %s environment',
    async (_which, elsewhere) => {
      const environment = await world.environment({
        plan: { eventsPerMonth: 2, requestsPerSecond: 1, burst: 3 },
      });
      const other = await elsewhere(environment);
      expect((await world.api().get('/api/v1/limits', other.token)).status).toBe(200);
      expect((await world.api().postEvent(environment.token)).status).toBe(201);
      const { body: last } = await world.api().postEvent(environment.token);
      expect(last).toHaveProperty('message_id');
      for (const broken of ['{', {}, anEvent({ event_key: 'no' }), anEvent()]) {
        expect((await world.api().postEvent(other.token, broken)).body.error.code).toBe('quota_exceeded');
      }
    },
  );

  it('refuses a broken replay after the last event of the plan was a replay', async () => {
    const { token } = await world.environment({ plan: { eventsPerMonth: 2 } });
    const { body: message } = await world.api().postEvent(token);
    const replay = (body: object) =>
      world.api().post(`/api/v1/messages/${message.message_id}/replay`, token).send(body);
    expect((await replay({})).status).toBe(201);
    expect((await replay({ unknown: 1 })).body.error.code).toBe('quota_exceeded');
  });

  it('counts the environments of a tenant together', async () => {
    const one = await world.environment({ plan: { eventsPerMonth: 1 } });
    const other = await world.environment({ tenantId: one.tenantId });
    expect((await world.api().postEvent(one.token)).status).toBe(201);
    expect((await world.api().postEvent(other.token)).status).toBe(402);
  });

  it('does not count what was refused or replayed', async () => {
    const { token } = await world.environment({ plan: { eventsPerMonth: 2 } });
    const key = randomUUID();
    expect((await world.api().postEvent(token, anEvent({ extra: 1 }))).status).toBe(422);
    expect((await world.api().postEvent(token, anEvent(), key)).status).toBe(201);
    expect((await world.api().postEvent(token, anEvent(), key)).status).toBe(201);
    expect((await world.api().postEvent(token)).status).toBe(201);
    expect((await world.api().postEvent(token)).status).toBe(402);
  });

  it('accepts exactly the remaining 40 of 400 concurrent requests over two processes', async () => {
    const { token, environmentId, tenantId } = await world.environment({ plan: { eventsPerMonth: 40 } });
    const apis = [world.api(), await world.more()];
    const responses = await Promise.all(
      Array.from({ length: 400 }, (_, index) => (apis[index % 2] ?? world.api()).postEvent(token)),
    );
    const count = (status: number) => responses.filter((response) => response.status === status).length;
    expect({ accepted: count(201), refused: count(402) }).toEqual({ accepted: 40, refused: 360 });
    const where = { environmentId };
    expect(await world.db().message.count({ where })).toBe(40);
    expect(await world.db().deliveryRun.count({ where })).toBe(40);
    expect(await world.db().idempotencyRecord.count({ where })).toBe(40);
    expect(await world.db().tenantUsage.findFirst({ where: { tenantId } })).toMatchObject({
      eventsUsed: 40n,
    });
    expect(await world.db().environmentUsage.findFirst({ where })).toMatchObject({ eventsUsed: 40n });
  });

  it('does not count the previous month at the start of a month', async () => {
    const { token } = await world.environment({ plan: { eventsPerMonth: 1 } });
    expect((await world.api().postEvent(token)).status).toBe(201);
    const snapshots = createSnapshots({ db: world.db() });
    const justBegun = new Date(periodOf(new Date()).start.getTime() + 1_000);
    let asked = 0;
    const api = await world.more({
      snapshots: {
        ...snapshots,
        environment: async (id) => {
          const snapshot = await snapshots.environment(id);
          return snapshot && { ...snapshot, databaseNow: () => justBegun };
        },
      },
      ingest: async () => {
        asked += 1;
        return { outcome: 'quota_exceeded', limit: 1, used: 1, resetsAt: justBegun };
      },
    });
    expect((await api.postEvent(token)).status).toBe(402);
    expect(asked).toBe(1);
  });
});

describe('POST /api/v1/events, 402 payment_required', () => {
  const HOUR = 3_600_000;
  it.each([
    ['suspended', null, 402],
    ['suspended', new Date(Date.now() + HOUR), 402],
    ['past_due', null, 402],
    ['past_due', new Date(Date.now() - HOUR), 402],
    ['past_due', new Date(Date.now() + HOUR), 201],
    ['active', new Date(Date.now() - HOUR), 201],
  ] as const)(
    'responds to a tenant that is %s with grace until %s: %i',
    async (billingStatus, graceEndsAt, status) => {
      const { token } = await world.environment({ billingStatus, graceEndsAt });
      const response = await world.api().postEvent(token);
      expect(response.status).toBe(status);
      if (status === 402) expect(response.body.error.code).toBe('payment_required');
    },
  );
});
