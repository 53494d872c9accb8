import { formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { useApi } from '../support/database.ts';

const world = useApi();

describe('GET /api/v1/limits', () => {
  it('answers 200 with the limits of the plan', async () => {
    const graceEndsAt = new Date('2099-01-01T00:00:00.000Z');
    const { token, tenantId, planCode } = await world.environment({
      billingStatus: 'past_due',
      graceEndsAt,
      plan: {
        name: 'Pro',
        eventsPerMonth: 1_000,
        requestsPerSecond: 50,
        burst: 100,
        maxPayloadBytes: 65_536,
        maxScheduleDays: 30,
        retentionDays: 90,
        channelKinds: ['webhook'],
      },
    });
    const response = await world.api().get('/api/v1/limits', token);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      tenant_id: formatId('ten', tenantId),
      plan: { code: planCode, name: 'Pro' },
      billing: { status: 'past_due', grace_ends_at: graceEndsAt.toISOString() },
      quota: { events_per_month: 1_000 },
      rate_limit: { requests_per_second: 50, burst: 100 },
      payload: { max_bytes: 65_536 },
      schedule: { max_days: 30 },
      retention: { days: 90 },
      entitlements: { channel_kinds: ['webhook'] },
    });
  });

  it('has null without a limit, and the size that applies to every plan', async () => {
    const { token } = await world.environment();
    const { body } = await world.api().get('/api/v1/limits', token);
    expect(body).toMatchObject({
      billing: { status: 'active', grace_ends_at: null },
      quota: { events_per_month: null },
      rate_limit: { requests_per_second: null, burst: null },
      payload: { max_bytes: 262_144 },
      schedule: { max_days: null },
      retention: { days: null },
    });
  });

  it('answers 401 without a token', async () => {
    expect((await world.api().get('/api/v1/limits')).status).toBe(401);
  });
});
