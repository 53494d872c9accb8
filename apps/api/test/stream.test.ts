import { formatId, parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { ADMIN_TOKEN } from './support/api.ts';
import { items } from './support/batches.ts';
import { openBrowser } from './support/console.ts';
import { useApi } from './support/database.ts';
import { bearer, messagesOf, useStreams } from './support/streams.ts';
import { until } from './support/waiting.ts';

const world = useApi();
const { db, environment } = world;
const { startStreaming, follow } = useStreams(world);

/** Ends a run with an attempt that succeeded, as a worker does: in one transaction. */
async function deliver(publicId: string): Promise<void> {
  const runId = parseId('run', publicId) ?? '';
  const completedAt = new Date();
  const status = 'succeeded';
  const attempt = { number: 1, id: crypto.randomUUID(), fence: 1, status, startedAt: completedAt };
  await db().$transaction([
    db().attempt.create({ data: { runId, ...attempt, completedAt, durationMs: 1 } }),
    db().deliveryRun.update({ where: { id: runId }, data: { status, completedAt } }),
  ]);
}

describe('GET stream', () => {
  it('reports an accepted event, its run and its attempt to tokens, sessions and operators, without payloads', async () => {
    const [api, { token, environmentId }] = [await startStreaming(), await environment()];
    const path = `/admin/v1/environments/${formatId('env', environmentId)}/stream`;
    const streams = [
      await follow(api, bearer(token)),
      await follow(api, { Cookie: (await openBrowser(api, token)).cookie }),
      await follow(api, bearer(ADMIN_TOKEN), path),
      await follow(api, { Cookie: (await openBrowser(api)).cookie }, path),
    ];
    const { body } = await api.postEvent(token).expect(201);
    const [run] = body.delivery_runs;
    await deliver(run.id);

    for (const stream of streams) {
      expect(stream.headers['content-type']).toBe('text/event-stream');
      await until(() => stream.text().includes('"succeeded"') && stream.text().includes('attempt.finished'));
      expect(messagesOf(stream)).toEqual([body.message_id]);
      const of = { message_id: body.message_id, delivery_run_id: run.id, channel_id: expect.any(String) };
      expect(stream.events()).toContainEqual({
        event: 'attempt.finished',
        data: { ...of, attempt: 1, status: 'succeeded', at: expect.any(String) },
      });
      await until(() =>
        stream
          .events()
          .some(({ event, data }) => event === 'delivery_run.updated' && data.status === 'succeeded'),
      );
      expect(stream.text()).not.toMatch(/ada@example\.com|A-1/);
    }
  });

  it('reports feedback with its type, even for a run that ended long ago', async () => {
    const [api, { token, environmentId }] = [await startStreaming(), await environment()];
    const { body } = await api.postEvent(token).expect(201);
    const [run] = body.delivery_runs;
    const runId = parseId('run', run.id) ?? '';
    const stream = await follow(api, bearer(token));
    const common = { runId, environmentId, permanent: true, at: new Date(), reason: '550 <ada@example.com>' };
    for (const type of ['unsubscribed', 'bounced']) {
      await db().runFeedback.create({ data: { ...common, type, eventDigest: Buffer.from(type) } });
    }
    await until(() => stream.text().includes('delivery_run.feedback'));
    expect(stream.events().filter(({ event }) => event === 'delivery_run.feedback')).toEqual([
      {
        event: 'delivery_run.feedback',
        data: {
          message_id: body.message_id,
          delivery_run_id: run.id,
          channel_id: run.channel.id,
          feedback: 'bounced',
          at: expect.any(String),
        },
      },
    ]);
    expect(stream.text()).not.toContain('ada@example.com');
  });

  it('continues after Last-Event-ID in any process, without gaps or repetitions', async () => {
    const [one, other] = [await startStreaming(), await startStreaming()];
    const { token } = await environment();
    const first = await follow(one, bearer(token));
    const posted: string[] = [];
    const post = async () => {
      const { body } = await one.postEvent(token).expect(201);
      posted.push(body.message_id);
    };
    await post();
    await until(() => messagesOf(first).length === 1);
    first.close();
    for (let count = 0; count < 20; count += 1) await post();
    const second = await follow(other, { ...bearer(token), 'Last-Event-ID': first.lastId() ?? '' });
    await post();
    await until(() => messagesOf(second).length >= 21);

    expect([...messagesOf(first), ...messagesOf(second)]).toEqual(posted);
  });

  it('reports changes that commit after later rows were reported', async () => {
    const [api, { token, environmentId }] = [await startStreaming(), await environment()];
    const { body: sent } = await api.postEvent(token).expect(201);
    const stream = await follow(api, bearer(token));
    const [run] = sent.delivery_runs;
    await db().$transaction(async (tx) => {
      await tx.deliveryRun.updateMany({ where: { environmentId }, data: { status: 'retrying' } });
      await api.postEvent(token).expect(201);
      await until(() => messagesOf(stream).length === 1);
    });
    await until(() => stream.events().some(({ data }) => data.status === 'retrying'));

    const late = stream.events().filter(({ data }) => data.delivery_run_id === run.id);
    expect(late).toHaveLength(1);
  });

  it('sends a reset for a position of another environment, or one that is too old', async () => {
    const [api, { token }, stranger] = [await startStreaming(), await environment(), await environment()];
    const before = await follow(api, bearer(token));
    const position = before.lastId() ?? '';
    for (const id of ['x', position.slice(0, -2), 'x'.repeat(9_000)]) {
      const stream = await follow(api, { ...bearer(token), 'Last-Event-ID': id });
      expect(stream.events()).toEqual([{ event: 'reset', data: {} }]);
    }
    const foreign = await follow(api, { ...bearer(stranger.token), 'Last-Event-ID': position });
    expect(foreign.events()).toEqual([{ event: 'reset', data: {} }]);
    before.close();
    for (let count = 0; count < 6; count += 1) {
      await api
        .post('/api/v1/events/batch', token)
        .send({ events: items(100) })
        .expect(200);
    }
    const behind = await follow(api, { ...bearer(token), 'Last-Event-ID': position });
    expect(new Set(behind.events().map(({ event }) => event))).toEqual(new Set(['reset']));
  });

  it('never reports another environment', async () => {
    const [api, one] = [await startStreaming(), await environment()];
    const others = [await environment(), await environment({ tenantId: one.tenantId })];
    const streams = await Promise.all(others.map(({ token }) => follow(api, bearer(token))));
    const own = await follow(api, bearer(one.token));
    const { body } = await api.postEvent(one.token).expect(201);
    await until(() => messagesOf(own).includes(body.message_id));
    // Each is told of its own next event by a later read.
    for (const { token } of others) await api.postEvent(token).expect(201);
    for (const stream of streams) {
      await until(() => messagesOf(stream).length > 0);
      expect(messagesOf(stream)).toHaveLength(1);
      expect(stream.text()).not.toContain(body.message_id);
    }
  });
});
