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
    const { runs } = await settleOrder(world.db(), 100);
    expect(runs.map(({ runId }) => formatId('run', runId))).toContain(next.runId);
  });

  it('are refused for an unknown channel and for a body without a key', async () => {
    const nowhere = '/admin/v1/channels/chn_01h455vb4pex5vsknk084sn02q/blocked-keys';
    await world.api().admin('get', nowhere).expect(404);
    await world.api().admin('post', `${nowhere}/skip`, { ordering_key: 'k' }).expect(404);
    await world.api().admin('post', `${nowhere}/skip`, {}).expect(422);
  });
});
