import { formatId, parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { pathOf } from '../support/channels.ts';
import { useApi, WEBHOOK } from '../support/database.ts';

const world = useApi();

const admin = (method: 'get' | 'post' | 'patch', path: string, body?: unknown) =>
  world.api().admin(method, path, body);
const channelOf = (fixture: { channels: readonly { id: string }[] }) =>
  formatId('chn', fixture.channels[0]?.id ?? '');
const actionsOf = (resourceId: string) =>
  world.db().auditEntry.findMany({
    where: { resourceId, action: { in: ['channel.paused', 'channel.resumed'] } },
    orderBy: { id: 'asc' },
    select: { action: true, before: true, after: true },
  });

describe('POST /admin/v1/channels/{id}/pause and /resume', () => {
  it('hold the runs of accepted events and release them, once each and with audit entries', async () => {
    const fixture = await world.environment({ channels: [WEBHOOK] });
    const channel = channelOf(fixture);
    const paused = await admin('post', `${pathOf(channel)}/pause`).expect(200);
    expect(paused.body.health).toMatchObject({
      state: 'paused',
      reason: 'manual',
      next_probe_at: null,
      waiting: 0,
    });
    await admin('post', `${pathOf(channel)}/pause`).expect(200);

    world.api().deps.snapshots.drop(`environment:${fixture.environmentId}`);
    const accepted = await world.api().postEvent(fixture.token).expect(201);
    expect(accepted.body.delivery_runs).toMatchObject([{ status: 'queued' }]);
    const runId = parseId('run', accepted.body.delivery_runs[0].id) ?? '';
    const run = await world.db().deliveryRun.findUniqueOrThrow({ where: { id: runId } });
    expect(run.held).toBe('paused');
    expect((await admin('get', pathOf(channel))).body.health).toMatchObject({ state: 'paused', waiting: 1 });

    const resumed = await admin('post', `${pathOf(channel)}/resume`).expect(200);
    expect(resumed.body.health).toMatchObject({ state: 'ok', reason: null });
    await admin('post', `${pathOf(channel)}/resume`).expect(200);
    expect(await actionsOf(channel)).toEqual([
      {
        action: 'channel.paused',
        before: { state: 'ok', reason: null },
        after: { state: 'paused', reason: 'manual' },
      },
      {
        action: 'channel.resumed',
        before: { state: 'paused', reason: 'manual' },
        after: { state: 'ok', reason: null },
      },
    ]);
  });

  it('respond with 404 for an unknown channel', async () => {
    const path = '/admin/v1/channels/chn_01h455vb4pex5vsknk084sn02q';
    for (const action of ['pause', 'resume']) {
      expect((await admin('post', `${path}/${action}`).expect(404)).body.error.code).toBe(
        'channel_not_found',
      );
    }
  });
});
