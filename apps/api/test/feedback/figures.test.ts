import { randomUUID } from 'node:crypto';
import { foldStats } from '@postrider/db';
import { formatId, parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { eventOf, KINDS, post, type Reporting, reporting, TWO_SENDERS } from './support.ts';

const world = useApi({ kinds: KINDS });

async function figures({ token }: Reporting, groupBy: 'channel' | 'sender' | 'stream') {
  await foldStats(world.db(), 1_000);
  const { body } = await world.api().get(`/api/v1/stats?group_by=${groupBy}`, token).expect(200);
  const { buckets, totals } = body;
  return { totals, groups: buckets.flatMap(({ groups }: { groups: object[] }) => groups) };
}

/** The run of another event for this recipient. */
async function runTo({ token }: Reporting, email: string): Promise<string> {
  const { body } = await world
    .api()
    .postEvent(token, anEvent({ recipient: { email } }))
    .expect(201);
  return body.delivery_runs[0].id;
}

describe('bounces and complaints in the figures', () => {
  it('are counted by channel and stream, once for each email, however often they are reported', async () => {
    const made = await reporting(world);
    const at = `/admin/v1/environments/${formatId('env', made.environmentId)}/event-types/order.shipped`;
    await world.api().admin('put', at, { stream: 'news' }).expect(200);
    const another = await runTo(made, 'grace@example.com');
    const complaint = { type: 'complained', permanent: false, email: null } as const;
    const body = [
      eventOf(made.runId),
      eventOf(made.runId, { id: 'again' }),
      eventOf(made.runId, { id: 'copy', ...complaint, email: 'copy@example.com' }),
      eventOf(made.runId, { id: 'there', type: 'delivered', permanent: false }),
      eventOf(another, { id: 'spam', ...complaint }),
    ];
    await post(world.api(), { token: made.feedbackToken, body }).expect(200);
    await post(world.api(), { token: made.feedbackToken, body }).expect(200);
    const later = [eventOf(made.runId, { id: 'later' }), eventOf(another, { id: 'spam 2', ...complaint })];
    await post(world.api(), { token: made.feedbackToken, body: later }).expect(200);

    const counted = { bounced: 1, complained: 1 };
    expect((await figures(made, 'stream')).totals).toMatchObject({ accepted: 2, ...counted });
    expect((await figures(made, 'stream')).groups).toMatchObject([{ key: 'news', ...counted }]);
    const { groups } = await figures(made, 'channel');
    expect(groups).toMatchObject([{ key: expect.stringMatching(/^chn_/), accepted: 0, ...counted }]);
  });

  it('count one complaint of a recipient over all their emails, until an operator lets them have email again', async () => {
    const made = await reporting(world);
    const runs = [made.runId];
    while (runs.length < 5) runs.push(await runTo(made, 'ada@example.com'));
    const complain = (runIds: string[]) =>
      post(world.api(), {
        token: made.feedbackToken,
        body: runIds.map((runId) => eventOf(runId, { type: 'complained', permanent: false })),
      }).expect(200);
    await Promise.all([complain(runs.slice(0, 2)), complain(runs.slice(2, 4))]);
    await complain(runs.slice(4));
    expect((await figures(made, 'channel')).totals).toMatchObject({ complained: 1 });

    await world.db().suppression.deleteMany({ where: { environmentId: made.environmentId } });
    await complain([await runTo(made, 'ada@example.com')]);
    expect((await figures(made, 'channel')).totals).toMatchObject({ complained: 2 });
  });

  it('are counted by sender, whose key names the channel, for the operator too', async () => {
    const made = await reporting(world, { channel: TWO_SENDERS });
    const runId = parseId('run', made.runId) ?? '';
    const at = new Date();
    await world.db().attempt.create({
      data: {
        ...{ runId, id: randomUUID(), number: 1, fence: 1, startedAt: at, completedAt: at },
        ...{ status: 'succeeded', sender: 'two' },
      },
    });
    const body = [eventOf(made.runId), eventOf(made.runId, { type: 'complained', permanent: false })];
    await post(world.api(), { token: made.feedbackToken, body, key: 'key one' }).expect(200);
    const { groups } = await figures(made, 'sender');
    expect(groups).toMatchObject([{ key: `${made.channelId}/two`, bounced: 1, complained: 1 }]);
    const path = `/admin/v1/environments/${formatId('env', made.environmentId)}/stats?group_by=sender`;
    const { body: shown } = await world.api().admin('get', path).expect(200);
    expect(shown.buckets.flatMap((bucket: { groups: object[] }) => bucket.groups)).toEqual(groups);
  });

  it('do not include tests', async () => {
    const made = await reporting(world);
    await world
      .db()
      .message.updateMany({ where: { environmentId: made.environmentId }, data: { test: true } });
    await post(world.api(), { token: made.feedbackToken, body: [eventOf(made.runId)] }).expect(200);
    expect((await figures(made, 'stream')).totals).toMatchObject({ bounced: 0, complained: 0 });
  });
});
