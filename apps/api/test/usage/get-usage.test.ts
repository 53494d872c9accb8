import { channelKinds } from '@postrider/channels';
import { formatId, periodOf } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { EMAIL, EMAIL_TEMPLATE, useApi, WEBHOOK } from '../support/database.ts';
import { setRunStatus } from '../support/deliveries.ts';

const world = useApi();

describe('GET /api/v1/usage/current', () => {
  it('answers 200 with the figures of the tenant, over all its environments', async () => {
    const one = await world.environment({
      plan: { eventsPerMonth: 10 },
      environmentName: 'production',
      channels: [WEBHOOK, EMAIL],
      templates: [EMAIL_TEMPLATE],
    });
    const other = await world.environment({ tenantId: one.tenantId, environmentName: 'staging' });
    const first = await world.api().postEvent(one.token);
    await world.api().postEvent(one.token, anEvent({ schedule_at: '2099-01-01T00:00:00Z' }));
    await world.api().postEvent(other.token);
    const [webhookRun, emailRun] = first.body.delivery_runs;
    await setRunStatus(world.db(), webhookRun.id, 'succeeded');
    await setRunStatus(world.db(), emailRun.id, 'failed');
    const response = await world.api().get('/api/v1/usage/current', other.token);
    const period = periodOf(new Date());
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      tenant_id: formatId('ten', one.tenantId),
      period: { start: period.start.toISOString(), end: period.end.toISOString() },
      events: { used: 3, limit: 10, remaining: 7 },
      deliveries: {
        succeeded: 1,
        failed: 1,
        cancelled: 0,
        pending: 3,
        by_channel_kind: {
          ...Object.fromEntries(
            channelKinds.kinds.map((kind) => [kind, { succeeded: 0, failed: 0, cancelled: 0, pending: 0 }]),
          ),
          email: { succeeded: 0, failed: 1, cancelled: 0, pending: 1 },
          webhook: { succeeded: 1, failed: 0, cancelled: 0, pending: 2 },
        },
      },
      environments: [
        { id: formatId('env', one.environmentId), name: 'production', events_used: 2 },
        { id: formatId('env', other.environmentId), name: 'staging', events_used: 1 },
      ],
    });
  });

  it('has null for the limit of an unlimited plan, and still counts cancelled runs', async () => {
    const { token } = await world.environment();
    const posted = await world.api().postEvent(token, anEvent({ schedule_at: '2099-01-01T00:00:00Z' }));
    await world.api().post(`/api/v1/delivery-runs/${posted.body.delivery_runs[0].id}/cancel`, token);
    const { body } = await world.api().get('/api/v1/usage/current', token);
    expect(body.events).toEqual({ used: 1, limit: null, remaining: null });
    expect(body.deliveries).toMatchObject({ cancelled: 1, pending: 0 });
  });

  it('has 0 remaining if the plan was lowered below the usage', async () => {
    const { token, planCode } = await world.environment();
    await world.api().postEvent(token);
    await world.api().postEvent(token);
    await world.db().plan.update({ where: { code: planCode ?? '' }, data: { eventsPerMonth: 1 } });
    const { body } = await world.api().get('/api/v1/usage/current', token);
    expect(body.events).toEqual({ used: 2, limit: 1, remaining: 0 });
  });

  it('answers 401 without a token', async () => {
    expect((await world.api().get('/api/v1/usage/current')).status).toBe(401);
  });
});
