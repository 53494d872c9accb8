import { createFinish, settleOrder } from '@postrider/db';
import { createOwnerClaim, failedWith } from '@postrider/db/testing';
import { createUuidV7Source, formatId, parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { pathOf } from '../support/channels.ts';
import { useApi, WEBHOOK } from '../support/database.ts';

const world = useApi();
const newId = createUuidV7Source();

/** Posts an event of a key and returns its message and its only run. */
async function post(token: string, orderingKey: string) {
  const { body } = await world
    .api()
    .postEvent(token, anEvent({ ordering_key: orderingKey }))
    .expect(201);
  return { messageId: body.message_id as string, runId: body.delivery_runs[0].id as string };
}

/** Ends a run as if it had no attempts left. */
async function exhaust(publicId: string): Promise<void> {
  const runId = parseId('run', publicId) ?? '';
  const claimed = await createOwnerClaim(world.db())({ runId, attemptId: newId() });
  if (claimed.outcome !== 'claimed') throw new Error(claimed.outcome);
  const outcome = failedWith('webhook_timeout', { status: 'failed' });
  await createFinish(world.db())({ run: claimed.run, outcome });
  while ((await settleOrder(world.db(), 100)).ends > 0);
}

describe('the blocked keys of a channel', () => {
  it('are listed, retried and skipped once each, with audit entries, and shown under attention', async () => {
    const fixture = await world.environment({ channels: [{ ...WEBHOOK, ordering: 'key' }] });
    const { environmentId, token } = fixture;
    const channel = formatId('chn', fixture.channels[0]?.id ?? '');
    const path = `${pathOf(channel)}/blocked-keys`;
    const failed = await post(token, 'order 1');
    const next = await post(token, 'order 1');
    await exhaust(failed.runId);
    const other = await post(token, 'order 2');
    await exhaust(other.runId);

    const page = await world.api().admin('get', `${path}?limit=1`).expect(200);
    expect(page.body).toMatchObject({
      data: [
        {
          ordering_key: 'order 1',
          sequence: 1,
          delivery_run_id: failed.runId,
          message_id: failed.messageId,
          last_error_code: 'webhook_timeout',
          waiting: 1,
        },
      ],
      has_more: true,
    });
    const second = await world.api().admin('get', `${path}?cursor=${page.body.next_cursor}`).expect(200);
    expect(second.body.data).toMatchObject([{ ordering_key: 'order 2', waiting: 0 }]);
    const attention = `/admin/v1/environments/${formatId('env', environmentId)}/attention`;
    expect((await world.api().admin('get', attention).expect(200)).body).toMatchObject({
      blocked_keys: 2,
      blocked_channels: [{ channel_id: channel, kind: 'webhook', blocked_keys: 2 }],
    });

    const skip = (key: string) =>
      world.api().admin('post', `${path}/skip`, { ordering_key: key }).expect(200);
    const retry = (key: string) =>
      world.api().admin('post', `${path}/retry`, { ordering_key: key }).expect(200);
    expect((await skip('order 1')).body).toMatchObject({ unblocked: true, delivery_run_id: next.runId });
    expect((await skip('order 1')).body).toMatchObject({ unblocked: false, delivery_run_id: null });
    const retried = (await retry('order 2')).body;
    expect(retried).toMatchObject({ unblocked: true });
    expect(retried.delivery_run_id).not.toBe(other.runId);
    expect((await retry('order 3')).body).toMatchObject({ unblocked: false });
    expect((await world.api().admin('get', path)).body.data).toEqual([]);
    const audited = await world.db().auditEntry.findMany({
      where: { resourceId: channel, action: { startsWith: 'channel.ordering' } },
      orderBy: { id: 'asc' },
    });
    expect(audited.map(({ action }) => action)).toEqual([
      'channel.ordering_key_skipped',
      'channel.ordering_key_retried',
    ]);
  });

  it('continue when the channel is set to skip', async () => {
    const fixture = await world.environment({ channels: [{ ...WEBHOOK, ordering: 'key' }] });
    const { token } = fixture;
    const channel = formatId('chn', fixture.channels[0]?.id ?? '');
    const failed = await post(token, 'k');
    const next = await post(token, 'k');
    await exhaust(failed.runId);
    const changed = await world.api().admin('patch', pathOf(channel), { on_exhausted: 'skip' }).expect(200);
    expect(changed.body).toMatchObject({ ordering: 'key', on_exhausted: 'skip' });
    const { wakeUps } = await settleOrder(world.db(), 100);
    expect(wakeUps.map(({ runId }) => formatId('run', runId))).toContain(next.runId);
  });

  it('are retried like a replay: for 1 of the quota, and not for a tenant that does not pay', async () => {
    const fixture = await world.environment({
      plan: { eventsPerMonth: 1 },
      channels: [{ ...WEBHOOK, ordering: 'key' }],
    });
    const { token, tenantId, planCode } = fixture;
    const path = `${pathOf(formatId('chn', fixture.channels[0]?.id ?? ''))}/blocked-keys`;
    await exhaust((await post(token, 'k')).runId);
    const retry = () => world.api().admin('post', `${path}/retry`, { ordering_key: 'k' });
    const blocked = async () => (await world.api().admin('get', path).expect(200)).body.data.length;
    const billing = (status: string) =>
      world.db().tenant.update({ where: { id: tenantId }, data: { billingStatus: status } });

    const { body } = await retry().expect(402);
    expect(body.error).toMatchObject({ code: 'quota_exceeded', details: [{ limit: 1, used: 1 }] });
    await world.db().plan.update({ where: { code: planCode ?? '' }, data: { eventsPerMonth: 2 } });
    await billing('suspended');
    expect((await retry().expect(402)).body.error.code).toBe('payment_required');
    await billing('active');
    expect(await blocked()).toBe(1);
    expect((await retry().expect(200)).body).toMatchObject({ unblocked: true });
    expect(await blocked()).toBe(0);
    const usage = await world.db().tenantUsage.findFirstOrThrow({ where: { tenantId } });
    expect(Number(usage.eventsUsed)).toBe(2);
  });

  it('are masked without messages:content, in the list, its cursor and the audit log', async () => {
    const fixture = await world.environment({ channels: [{ ...WEBHOOK, ordering: 'key' }] });
    const path = `${pathOf(formatId('chn', fixture.channels[0]?.id ?? ''))}/blocked-keys`;
    for (const key of ['ada-1', 'ada-2']) await exhaust((await post(fixture.token, key)).runId);
    const role = { code: 'auditor', name: 'Auditor', scopes: ['channels:write', 'audit:read'] };
    await world.api().admin('post', '/admin/v1/roles', role).expect(201);
    const issued = await world
      .api()
      .admin('post', '/admin/v1/operator-tokens', { name: 'masked', role: 'auditor' })
      .expect(201);
    const get = (at: string) => world.api().get(at, issued.body.token).expect(200);

    const first = await get(`${path}?limit=1`);
    expect(first.body.data).toMatchObject([{ ordering_key: 'a•••', waiting: 0 }]);
    expect(Buffer.from(first.body.next_cursor, 'base64url').toString()).not.toContain('ada');
    const second = await get(`${path}?limit=1&cursor=${first.body.next_cursor}`);
    expect(second.body.data).toHaveLength(1);
    expect(second.body.data[0].delivery_run_id).not.toBe(first.body.data[0].delivery_run_id);
    expect(second.body.has_more).toBe(false);
    await world.api().admin('post', `${path}/skip`, { ordering_key: 'ada-1' }).expect(200);
    const log = await get('/admin/v1/audit-log?action=channel.ordering_key_skipped');
    expect(log.body.data[0]).toMatchObject({ actor: 'admin', before: { ordering_key: 'a•••' } });
  });

  it('are refused for an unknown channel and for a body without a key', async () => {
    const nowhere = '/admin/v1/channels/chn_01h455vb4pex5vsknk084sn02q/blocked-keys';
    await world.api().admin('get', nowhere).expect(404);
    await world.api().admin('post', `${nowhere}/skip`, { ordering_key: 'k' }).expect(404);
    await world.api().admin('post', `${nowhere}/skip`, {}).expect(422);
  });
});
