import {
  changePlan,
  changeTenant,
  createPlan,
  createServiceKeys,
  emitOperational,
  findNeedy,
  inTransaction,
  lockPlan,
  lockTenant,
  rotateChannelSecret,
  suppress,
  switchChannel,
} from '@postrider/db';
import { passTime } from '@postrider/db/testing';
import { failurePolicyOf, formatId, type JsonObject } from '@postrider/domain';
import { type MailServer, type Receiver, status, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { mailChannel, webhookChannel } from './support/channels.ts';
import type { Harness } from './support/harness.ts';
import { HOUR, type Reporting, startReporting } from './support/reporting.ts';

let reporting: Reporting;
let harness: Harness;
let receiver: Receiver;
let mail: MailServer;

beforeAll(async () => {
  reporting = await startReporting(['expiringSecrets', 'quotaThresholds', 'attention']);
  ({ harness, receiver, mail } = reporting);
});
afterAll(() => reporting.close());

interface Report {
  readonly type: string;
  readonly data: { readonly payload: JsonObject };
}
const reports = (path: string) => receiver.received(path).map(({ body }) => JSON.parse(body) as Report);
const types = (path: string) => reports(path).map(({ type }) => type);
/** An operational channel that takes events with these keys. */
const operational = (path: string, eventKeys = ['*']) => ({
  ...webhookChannel(receiver.endpoint(path, status(200))),
  eventKeys,
  operational: true,
});
describe('operational events', () => {
  it('are sent once for each change of a channel, only to operational channels', async () => {
    let isUp = false;
    const url = receiver.endpoint('/shaky', (response) => response.writeHead(isUp ? 200 : 500).end());
    const policy = failurePolicyOf({ min_attempts: 2, warn_after: 3_600, pause_after: 7_200 });
    const fixture = await harness.fixture({
      channels: [
        { ...webhookChannel(url, { maxAttempts: 2 }), failurePolicy: policy },
        operational('/reports', ['channel.*']),
        operational('/others', ['quota.threshold']),
      ],
    });
    const channelId = fixture.channels[0]?.id ?? '';
    await harness.runIn(fixture, await harness.accept(fixture, { channels: [0], maxAttempts: 2 }), [
      'failed',
    ]);
    const failures = () => harness.db.channelHealth.findUnique({ where: { channelId } });
    await waitFor('the failures to be noted', async () => (await failures())?.failures === 2);
    await passTime(harness.db, channelId, HOUR);
    await waitFor('the warning', () => types('/reports').includes('channel.failing'));
    await passTime(harness.db, channelId, HOUR);
    await waitFor('the pause', () => types('/reports').includes('channel.paused'));
    isUp = true;
    const waiting = await harness.accept(fixture, { channels: [0], maxAttempts: 2 });
    await passTime(harness.db, channelId, HOUR);
    await harness.runIn(fixture, waiting, ['succeeded']);
    await waitFor('the recovery', () => types('/reports').includes('channel.recovered'));
    await reporting.settled();
    expect(types('/reports')).toEqual(['channel.failing', 'channel.paused', 'channel.recovered']);
    expect(reports('/reports')[1]?.data.payload).toMatchObject({
      channel_id: formatId('chn', channelId),
      name: 'hook',
      reason: 'failures',
      action: 'pause',
      failing_since: expect.any(String),
    });
    expect(types('/others')).toEqual([]);
  });

  it('report failed runs and failing templates, but no failures of operational events', async () => {
    const dead = receiver.endpoint('/dead-end', status(500));
    const fixture = await harness.fixture({
      channels: [
        webhookChannel(dead, { maxAttempts: 1 }),
        operational('/runs'),
        {
          ...webhookChannel(receiver.endpoint('/never', status(500)), { maxAttempts: 1 }),
          operational: true,
        },
      ],
    });
    const events = await Promise.all(
      [1, 2, 3].map(() => harness.accept(fixture, { channels: [0], maxAttempts: 1 })),
    );
    for (const event of events) await harness.runIn(fixture, event, ['failed']);
    await waitFor('the reports', () => types('/runs').length === 3 && types('/never').length === 3);
    await reporting.settled();
    expect(types('/runs')).toEqual(Array(3).fill('run.exhausted'));
    expect(
      reports('/runs')
        .map(({ data }) => data.payload.delivery_run_id)
        .sort(),
    ).toEqual(events.map(({ runIds }) => formatId('run', runIds[0] ?? '')).sort());
    expect(reports('/runs')[0]?.data.payload).toMatchObject({
      error_code: 'webhook_http_error',
      attempts: 1,
    });
    const counted = await harness.db.$queryRaw<object[]>`
      SELECT FROM stats_deltas WHERE environment_id = ${fixture.environmentId}::uuid AND event_key = 'run.exhausted'
       UNION ALL SELECT FROM stats WHERE environment_id = ${fixture.environmentId}::uuid AND event_key = 'run.exhausted'`;
    expect(counted).toEqual([]);
  });

  it('report each quota threshold once, even if many events reach it at once, and do not count themselves', async () => {
    const fixture = await harness.fixture({
      plan: { eventsPerMonth: 20 },
      channels: [webhookChannel(receiver.endpoint('/ok', status(200))), operational('/quota', ['quota.*'])],
    });
    await Promise.all(Array.from({ length: 20 }, () => harness.accept(fixture, { channels: [0] })));
    await waitFor('the reports', () => types('/quota').length >= 3);
    await reporting.settled();
    const thresholds = reports('/quota').map(({ data }) => Number(data.payload.threshold));
    expect(thresholds.sort((a, b) => a - b)).toEqual([50, 80, 100]);
    const usage = await harness.db.tenantUsage.findFirstOrThrow({ where: { tenantId: fixture.tenantId } });
    expect(usage.eventsUsed).toBe(20n);
  });

  it('report thresholds that are exceeded when a plan is lowered or replaced, each once', async () => {
    const fixture = await harness.fixture({
      plan: { eventsPerMonth: 100 },
      channels: [webhookChannel(receiver.endpoint('/ok', status(200))), operational('/lowered', ['quota.*'])],
    });
    const { tenantId, planCode } = fixture;
    await Promise.all(Array.from({ length: 12 }, () => harness.accept(fixture, { channels: [0] })));
    const lower = (code: string, eventsPerMonth: number) =>
      inTransaction(reporting.deps(), async (tx) => {
        const plan = await lockPlan(tx, code);
        if (!plan) throw new Error('there is no such plan');
        const { createdAt: _createdAt, updatedAt: _updatedAt, ...current } = plan;
        await changePlan(tx, reporting.deps(), plan, { ...current, eventsPerMonth });
        return current;
      });
    const thresholds = () => reports('/lowered').map(({ data }) => data.payload);
    const plan = await lower(planCode ?? '', 20);
    await waitFor('the first report', () => thresholds().length === 1);
    expect(thresholds()).toMatchObject([
      { tenant_id: formatId('ten', tenantId), threshold: 50, events_per_month: 20 },
    ]);
    await lower(plan.code, 15);
    const small = { ...plan, code: `${plan.code}-small`, eventsPerMonth: 12 };
    await createPlan(reporting.deps(), small);
    await inTransaction(reporting.deps(), async (tx) => {
      const tenant = await lockTenant(tx, tenantId);
      if (!tenant) throw new Error('the fixture has a tenant');
      const { name, billingStatus, graceEndsAt } = tenant;
      await changeTenant(tx, reporting.deps(), tenant, {
        name,
        billingStatus,
        graceEndsAt,
        planCode: small.code,
      });
    });
    await waitFor('the other reports', () => thresholds().length === 3);
    await lower(small.code, 2);
    await reporting.settled();
    const told = thresholds().map(({ threshold }) => Number(threshold));
    expect(told.sort((a, b) => a - b)).toEqual([50, 80, 100]);
  });

  it('report a failing template once a day per event key and channel', async () => {
    const fixture = await harness.fixture({
      channels: [
        webhookChannel(receiver.endpoint('/ok', status(200)), { maxAttempts: 1 }),
        operational('/renders', ['template.render_failed']),
      ],
      templates: [
        {
          channelKind: 'webhook',
          eventKey: 'order.shipped',
          body: { order: '{{ payload.missing }}' },
          activate: true,
        },
      ],
    });
    const [channel] = fixture.channels;
    for (const eventKey of ['order.shipped', 'order.shipped', 'order.paid']) {
      const event = await harness.accept(fixture, { channels: [0], eventKey, maxAttempts: 1 });
      await harness.runIn(fixture, event, ['failed']);
    }
    await waitFor('the reports', () => types('/renders').length >= 2);
    await reporting.settled();
    const payloads = reports('/renders').map(({ data }) => data.payload);
    expect(payloads.map(({ event_key }) => event_key).sort()).toEqual(['order.paid', 'order.shipped']);
    expect(payloads.find(({ event_key }) => event_key === 'order.shipped')).toEqual({
      event_key: 'order.shipped',
      channel_id: formatId('chn', channel?.id ?? ''),
      delivery_run_id: expect.stringMatching(/^run_/),
      message_id: expect.stringMatching(/^msg_/),
      attempts: 1,
      error_code: 'template_render_failed',
    });
  });

  it('report expiring secrets and suppressed addresses, but no change that is rolled back', async () => {
    const fixture = await harness.fixture({
      channels: [webhookChannel(receiver.endpoint('/ok', status(200))), operational('/changes')],
    });
    const [channel] = fixture.channels;
    const { environmentId } = fixture;
    await rotateChannelSecret(reporting.deps(), { channelId: channel?.id ?? '', overlapSeconds: 600 });
    const keys = await createServiceKeys({ db: harness.db, secretBox: harness.secretBox }).get();
    const add = () =>
      inTransaction(reporting.deps(), (tx) =>
        suppress(
          tx,
          { newId: reporting.deps().newId, keys },
          { environmentId, email: 'ada@example.com', source: 'manual' },
        ),
      );
    await Promise.all([add(), add(), add()]);
    await expect(
      inTransaction(reporting.deps(), async (tx) => {
        await emitOperational(tx, {
          environmentId,
          type: 'channel.paused',
          payload: {},
          dedupeKey: 'rolled back',
        });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await waitFor('the reports', () => types('/changes').length >= 2);
    await reporting.settled();
    expect(types('/changes').sort()).toEqual(['secret.expiring', 'suppression.added']);
    expect(JSON.stringify(reports('/changes'))).not.toContain('ada@example.com');
  });

  it('report expiring certificates and tokens once, 14 days ahead', async () => {
    const fixture = await harness.fixture({
      channels: [
        webhookChannel(receiver.endpoint('/ok', status(200))),
        operational('/ending', ['secret.expiring']),
        webhookChannel(receiver.endpoint('/ok', status(200))),
      ],
    });
    const channelId = fixture.channels[0]?.id ?? '';
    const ends = (days: number) => new Date(Date.now() + days * 24 * HOUR);
    const setCertificate = (expiresAt: Date) => harness.db.$executeRaw`
      UPDATE channels SET config = config || jsonb_build_object('tls', jsonb_build_object(
               'certificate', 'PEM', 'expires_at', ${expiresAt.toISOString()}::text))
       WHERE id = ${channelId}::uuid`;
    const setToken = (expiresAt: Date) =>
      harness.db.token.updateMany({ where: { environmentId: fixture.environmentId }, data: { expiresAt } });
    await setCertificate(ends(15));
    await setToken(ends(15));
    await harness.runIn(fixture, await harness.accept(fixture, { channels: [2] }), ['succeeded']);
    expect(types('/ending')).toEqual([]);

    const [certificate, token] = [ends(13), ends(12)];
    await setCertificate(certificate);
    await setToken(token);
    await waitFor('the reports', () => types('/ending').length >= 2);
    await setCertificate(ends(10));
    await waitFor('the report of the next certificate', () => types('/ending').length >= 3);
    await reporting.settled();
    const payloads = reports('/ending').map(({ data }) => data.payload);
    expect(payloads).toHaveLength(3);
    expect(payloads).toEqual(
      expect.arrayContaining([
        {
          channel_id: formatId('chn', channelId),
          name: 'hook',
          secret: 'client_certificate',
          expires_at: certificate.toISOString(),
        },
        {
          token_id: expect.stringMatching(/^tok_/),
          name: expect.any(String),
          secret: 'token',
          expires_at: token.toISOString(),
        },
      ]),
    );
  });

  it('are sent as an email without a template, to the address of the channel', async () => {
    const fixture = await harness.fixture({
      channels: [
        webhookChannel(receiver.endpoint('/ok', status(200))),
        { ...mailChannel(mail), operational: true, operationalEmail: 'ops@example.com' },
      ],
    });
    await switchChannel(reporting.deps(), { channelId: fixture.channels[0]?.id ?? '', to: 'paused' });
    const received = await waitFor('the email', () => mail.mails[0]);
    expect(received).toMatchObject({ to: ['ops@example.com'], subject: 'Postrider: channel.paused' });
    expect(received.text).toContain('reason: manual');
  });
});

describe('workers', () => {
  it('keep which environments need attention', async () => {
    const [needy, other] = [
      await harness.fixture({ channels: [webhookChannel(receiver.endpoint('/ok', status(200)))] }),
      await harness.fixture({}),
    ];
    await harness.db.token.updateMany({
      where: { environmentId: needy.environmentId },
      data: { expiresAt: new Date(Date.now() + 24 * HOUR) },
    });
    const found = () => findNeedy(harness.db, 100);
    await waitFor('the environment', async () => (await found()).includes(needy.environmentId));
    expect(await found()).not.toContain(other.environmentId);
  });
});
