import { contentDigest } from '@postrider/channels';
import { erasePage } from '@postrider/db';
import type { Fixture } from '@postrider/db/testing';
import { formatId, parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { EMAIL, EMAIL_TEMPLATE, useApi, WEBHOOK } from '../support/database.ts';
import { until } from '../support/waiting.ts';

const { api, db, environment } = useApi();

/** Accepts an event and stores an attempt of each run as if a worker had sent this content. */
async function sentBy(fixture: Fixture, digestOf: (runId: string) => string | null) {
  const { body } = await api().postEvent(fixture.token, anEvent()).expect(201);
  const runIds = body.delivery_runs.map(({ id }: { id: string }) => id) as string[];
  for (const id of runIds) {
    const digest = digestOf(id);
    await db().attempt.create({
      data: {
        runId: parseId('run', id) ?? '',
        number: 1,
        id: api().deps.newId(),
        fence: 1,
        status: 'succeeded',
        startedAt: new Date(),
        completedAt: new Date(),
        durationMs: 12,
        responseStatus: 200,
        responseExcerpt: 'thanks',
        contentSha256: digest === null ? null : Uint8Array.from(Buffer.from(digest, 'hex')),
        exchange: {
          requestHeaders: [['To', 'ada@example.com']],
          connectedAddress: '198.51.100.7:443',
          responseHeaders: [['server', 'x']],
        },
      },
    });
  }
  return { messageId: String(body.message_id), runIds };
}

const MAIL = { subject: 'Shipped', html: '<p>Shipped</p>', text: 'Shipped' };

describe('the content of an attempt', () => {
  it('is rendered again and verified, for the token and for operators', async () => {
    const fixture = await environment({ channels: [EMAIL], templates: [EMAIL_TEMPLATE] });
    const { runIds } = await sentBy(fixture, () => contentDigest(MAIL));
    const path = `/api/v1/delivery-runs/${runIds[0]}/content`;
    const { body } = await api().get(path, fixture.token).expect(200);
    expect(body).toMatchObject({
      delivery_run_id: runIds[0],
      attempt: 1,
      kind: 'email',
      verified: true,
      sha256: contentDigest(MAIL),
      email: { ...MAIL, to: 'ada@example.com', from: null, headers: [['To', 'ada@example.com']] },
      connected_address: '198.51.100.7:443',
      response: { status: 200, headers: [['server', 'x']], excerpt: 'thanks' },
    });
    const admin = path.replace('/api/v1', `/admin/v1/environments/${formatId('env', fixture.environmentId)}`);
    expect((await api().admin('get', `${admin}?attempt=1`).expect(200)).body).toEqual(body);
  });

  it('is not verified if something else was sent, and null if no digest was stored', async () => {
    const fixture = await environment();
    const other = await sentBy(fixture, () => contentDigest({ body: '{}' }));
    const unknown = await sentBy(fixture, () => null);
    const read = (runId: string | undefined) =>
      api().get(`/api/v1/delivery-runs/${runId}/content`, fixture.token).expect(200);
    expect((await read(other.runIds[0])).body.verified).toBe(false);
    const { body } = await read(unknown.runIds[0]);
    expect(body).toMatchObject({ verified: null, sha256: null });
    expect(JSON.parse(body.request.body)).toMatchObject({
      type: 'order.shipped',
      data: { message_id: unknown.messageId, delivery_run_id: unknown.runIds[0] },
    });
    expect(body.request.url).toBe(WEBHOOK.config.url);
  });

  it('of a lost worker that noted nothing is what it probably sent, with the headers of an email', async () => {
    const fixture = await environment({ channels: [EMAIL], templates: [EMAIL_TEMPLATE] });
    const { runIds } = await sentBy(fixture, () => null);
    const [id = ''] = runIds;
    const read = async () =>
      (await api().get(`/api/v1/delivery-runs/${id}/content`, fixture.token).expect(200)).body;
    const change = (status: string, errorCode: string | null) => db().$executeRaw`
      UPDATE attempts SET status = ${status}, error_code = ${errorCode}, response_status = NULL, response_excerpt = NULL,
                          exchange = NULL, completed_at = CASE WHEN ${status} = 'running' THEN NULL ELSE completed_at END
       WHERE run_id = ${parseId('run', id)}::uuid`;
    expect(await read()).toMatchObject({ verified: null, unverified_reason: 'not_stored' });

    await change('unknown', 'worker_lost');
    const lost = await read();
    expect(lost).toMatchObject({
      ...{ verified: null, unverified_reason: 'worker_lost', sha256: null, response: null },
      email: { ...MAIL, from: 'shop@example.com', to: 'Ada <ada@example.com>' },
    });
    expect(lost.email.headers).toContainEqual(['Message-ID', expect.stringContaining(id)]);

    await change('failed', 'smtp_connection_failed');
    expect(await read()).toMatchObject({
      ...{ verified: null, unverified_reason: 'nothing_sent' },
      email: { ...MAIL, from: null, headers: [] },
    });
    await change('running', null);
    expect((await read()).unverified_reason).toBe('in_progress');
  });

  it('verifies a webhook by the bytes of its body', async () => {
    const fixture = await environment();
    const { runIds } = await sentBy(fixture, () => null);
    const path = `/api/v1/delivery-runs/${runIds[0]}/content`;
    const { body } = await api().get(path, fixture.token).expect(200);
    const digest = Uint8Array.from(Buffer.from(contentDigest({ body: body.request.body }), 'hex'));
    await db().attempt.updateMany({
      where: { runId: parseId('run', runIds[0] ?? '') ?? '' },
      data: { contentSha256: digest },
    });
    expect((await api().get(path, fixture.token).expect(200)).body.verified).toBe(true);
  });

  it('is not shown once the recipient’s data is erased', async () => {
    const fixture = await environment();
    const { runIds } = await sentBy(fixture, () => contentDigest(MAIL));
    const runId = parseId('run', runIds[0] ?? '') ?? '';
    await db().deliveryRun.update({
      where: { id: runId },
      data: { status: 'succeeded', attemptCount: 1, startedAt: new Date(), completedAt: new Date() },
    });
    const erasures = `/admin/v1/environments/${formatId('env', fixture.environmentId)}/erasures`;
    const { body } = await api().admin('post', erasures, { email: 'ada@example.com' }).expect(201);
    const { newId, serviceKeys: keys } = api().deps;
    const deps = { db: db(), newId, keys };
    await until(async () => {
      await erasePage(deps, { id: parseId('era', body.id) ?? '' });
      const left = await db().attempt.findMany({ where: { runId } });
      return left.every(({ contentSha256, exchange }) => contentSha256 === null && exchange === null);
    });
    await api().get(`/api/v1/delivery-runs/${runIds[0]}/content`, fixture.token).expect(409);
  });

  it('exists only for the environment’s own runs and attempts', async () => {
    const fixture = await environment();
    const { runIds } = await sentBy(fixture, () => null);
    const path = `/api/v1/delivery-runs/${runIds[0]}/content`;
    await api()
      .get(path, (await environment()).token)
      .expect(404);
    await api().get(`${path}?attempt=2`, fixture.token).expect(404);
    await api().get(`${path}?attempt=0`, fixture.token).expect(422);
  });
});
