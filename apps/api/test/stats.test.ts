import { randomBytes, randomUUID } from 'node:crypto';
import { foldStats } from '@postrider/db';
import { formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { keptFor } from '../src/admin/attention.ts';
import { EMAIL, useApi, WEBHOOK } from './support/database.ts';

const { api, db, environment, more } = useApi();

const pathOf = (environmentId: string) => `/admin/v1/environments/${formatId('env', environmentId)}`;

describe('GET stats', () => {
  it("shows operators the same as the environment's token, and no other environment", async () => {
    const [one, other] = [await environment(), await environment()];
    await api().postEvent(one.token).expect(201);
    await api().postEvent(one.token).expect(201);
    await foldStats(db(), 100);

    const { body } = await api()
      .get('/api/v1/stats?interval=minute&group_by=event_key', one.token)
      .expect(200);
    expect(body.totals).toEqual({
      accepted: 2,
      delivered: 0,
      failed: 0,
      attempts: 0,
      bounced: 0,
      complained: 0,
      latency_ms: null,
    });
    expect(body.buckets.flatMap(({ groups }: { groups: object[] }) => groups)).toContainEqual(
      expect.objectContaining({ key: 'order.shipped' }),
    );
    const path = `${pathOf(one.environmentId)}/stats?interval=minute&group_by=event_key`;
    expect((await api().admin('get', path).expect(200)).body).toEqual(body);
    const empty = await api().get('/api/v1/stats', other.token).expect(200);
    expect(empty.body).toMatchObject({ interval: 'hour', buckets: [], totals: { accepted: 0 } });
  });

  it('are grouped by the kind of the channel, also of deleted ones', async () => {
    const { token, environmentId, channels } = await environment({ channels: [WEBHOOK, WEBHOOK, EMAIL] });
    for (const [index, { id }] of channels.entries())
      await db().$executeRaw`
        INSERT INTO stats_deltas (environment_id, minute, channel_id, event_key, error_code, latency_bucket, accepted,
                                  delivered, failed, attempts)
        VALUES (${environmentId}::uuid, date_trunc('minute', now()), ${id}::uuid, 'order.shipped', '', -1, 0, ${index + 1}, 0, 1)`;
    await db().channel.update({ where: { id: channels[1]?.id ?? '' }, data: { deletedAt: new Date() } });
    await foldStats(db(), 100);
    const { body } = await api().get('/api/v1/stats?group_by=channel_kind', token).expect(200);
    const groups = body.buckets.flatMap((bucket: { groups: object[] }) => bucket.groups);
    expect(groups).toEqual([
      expect.objectContaining({ key: 'email', delivered: 3 }),
      expect.objectContaining({ key: 'webhook', delivered: 3 }),
    ]);
  });

  it.each([
    'interval=day',
    'group_by=tenant',
    'from=yesterday',
    'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z',
    'interval=minute&from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z',
    'since=1',
  ])('refuses a query that it cannot answer: %s', async (query) => {
    const { token } = await environment();
    await api().get(`/api/v1/stats?${query}`, token).expect(422);
  });
});

describe('GET attention', () => {
  it('lists failing channels, the backlog, quotas and templates, worst first', async () => {
    const { token, environmentId, channels } = await environment({ plan: { eventsPerMonth: 2 } });
    await environment();
    await api().postEvent(token).expect(201);
    await api().postEvent(token).expect(201);
    const channelId = channels[0]?.id ?? '';
    const count = (errorCode: string, minutes: number, attempts: number, delivered = 0) => db().$executeRaw`
      INSERT INTO stats_deltas (environment_id, minute, channel_id, event_key, error_code, latency_bucket, accepted,
                                delivered, failed, attempts)
      VALUES (${environmentId}::uuid, date_trunc('minute', now() - make_interval(mins => ${minutes}::int)),
              ${channelId}::uuid, 'order.shipped', ${errorCode}, -1, 0, ${delivered}, 0, ${attempts})`;
    await count('webhook_timeout', 30, 9);
    await count('', 20, 1, 1);
    await count('webhook_http_error', 10, 3);
    await count('template_render_failed', 5, 2);
    await foldStats(db(), 100);

    const { body } = await api()
      .admin('get', `${pathOf(environmentId)}/attention`)
      .expect(200);
    expect(body).toEqual({
      failing_channels: [
        {
          channel_id: formatId('chn', channelId),
          name: WEBHOOK.name,
          kind: 'webhook',
          consecutive_failures: 5,
          last_error_code: 'template_render_failed',
          failing_since: expect.any(String),
        },
      ],
      paused_channels: [],
      paused_streams: [],
      expiring: [],
      backlog: { due: 2, oldest_due_at: expect.any(String) },
      quota: { used: 2, limit: 2, ratio: 1 },
      render_failures: { last_hour: 2 },
      blocked_keys: 0,
      blocked_channels: [],
    });
    const all = await api().admin('get', '/admin/v1/attention').expect(200);
    expect(all.body.items).toEqual([
      expect.objectContaining({ ...body, environment_id: formatId('env', environmentId) }),
    ]);
    await api().admin('get', '/admin/v1/environments/env_01h455vb4pex5vsknk084sn02q/attention').expect(404);
  });

  it('lists secrets that expire within 14 days, soonest first, without expired ones', async () => {
    const { environmentId, channels } = await environment({ channels: [WEBHOOK, WEBHOOK] });
    const [certificate, rotated] = channels.map(({ id }) => id);
    const ends = (days: number) => new Date(Date.now() + days * 86_400_000);
    const addToken = (name: string, expiresAt: Date | null, revokedAt: Date | null = null) =>
      db().token.create({
        data: {
          ...{ id: randomUUID(), environmentId, name, prefix: 'pr_x_', lastFour: 'abcd' },
          ...{ hash: randomBytes(32), expiresAt, revokedAt },
        },
      });
    await db().channel.update({
      where: { id: certificate ?? '' },
      data: {
        config: { ...WEBHOOK.config, tls: { certificate: 'PEM', expires_at: ends(-1).toISOString() } },
      },
    });
    await db().channel.update({
      where: { id: rotated ?? '' },
      data: {
        ...{ previousSecretExpiresAt: ends(1), sealedPreviousSecret: 'sealed' },
        config: { ...WEBHOOK.config, tls: { expires_at: 'soon' } },
      },
    });
    const token = await addToken('ends', ends(13));
    await addToken('ends later', ends(15));
    await addToken('has ended', ends(-1));
    await addToken('revoked', ends(2), ends(-1));

    const { body } = await api()
      .admin('get', `${pathOf(environmentId)}/attention`)
      .expect(200);
    const of = (id: string | undefined) => ({ id: formatId('chn', id ?? ''), name: WEBHOOK.name });
    expect(body.expiring).toEqual([
      { type: 'client_certificate', ...of(certificate), expires_at: expect.any(String) },
      { type: 'webhook_signing_secret', ...of(rotated), expires_at: expect.any(String) },
      {
        type: 'token',
        id: formatId('tok', token.id),
        name: 'ends',
        expires_at: token.expiresAt?.toISOString(),
      },
    ]);
    const fresh = await more();
    const all = await fresh.admin('get', '/admin/v1/attention').expect(200);
    expect(all.body.items).toContainEqual(
      expect.objectContaining({ environment_id: formatId('env', environmentId), expiring: body.expiring }),
    );
  });

  it('of the whole installation is read at most once in 5 s, and failures are not cached', async () => {
    let nowMs = 0;
    const own = await more({ monotonicMs: () => nowMs });
    const { environmentId } = await environment();
    const names = async () => {
      const { body } = await own.admin('get', '/admin/v1/attention').expect(200);
      return body.items.map((item: { environment_id: string }) => item.environment_id);
    };
    await names();
    await db().token.updateMany({
      where: { environmentId },
      data: { expiresAt: new Date(Date.now() + 60_000) },
    });
    nowMs = 4_999;
    expect(await names()).not.toContain(formatId('env', environmentId));
    nowMs = 5_000;
    expect(await names()).toContain(formatId('env', environmentId));

    let reads = 0;
    const read = keptFor(10, {
      monotonicMs: () => 0,
      read: async () => {
        reads += 1;
        if (reads === 1) throw new Error('out of reach');
        return reads;
      },
    });
    await expect(read()).rejects.toThrow('out of reach');
    expect(await Promise.all([read(), read()])).toEqual([2, 2]);
  });
});
