import { contentDigest } from '@postrider/channels';
import { readSentAttempt } from '@postrider/db';
import {
  type MailServer,
  type Receiver,
  startMailServer,
  startReceiver,
  status,
  waitFor,
} from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { mailChannel, mailTemplate, webhookChannel } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';

let harness: Harness;
let receiver: Receiver;
let mail: MailServer;

beforeAll(async () => {
  [harness, receiver, mail] = await Promise.all([startHarness(), startReceiver(), startMailServer()]);
  await harness.startWorker();
});
afterAll(async () => {
  await harness.close();
  await receiver.close();
  await mail.close();
});

const sentBy = (environmentId: string, runId: string, number: number | null = null) =>
  readSentAttempt(harness.db, { environmentId, runId, number });

describe('an attempt by webhook', () => {
  it('stores the digest of its content, the headers with the signature, the address and the response headers', async () => {
    const url = receiver.endpoint(
      '/kept',
      status(500, { 'x-reason': 'full', 'set-cookie': 'id=secret' }, 'no'),
    );
    const fixture = await harness.fixture({ channels: [webhookChannel(url)] });
    const event = await harness.accept(fixture, { maxAttempts: 1 });
    const run = await harness.runIn(fixture, event, ['failed']);
    const [request] = receiver.received('/kept');

    const sent = await sentBy(fixture.environmentId, run.id);
    expect(sent?.sha256).toBe(contentDigest({ body: request?.body }));
    const headers = Object.fromEntries(sent?.exchange?.requestHeaders as [string, string][]);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': request?.headers['webhook-id'],
      'webhook-timestamp': request?.headers['webhook-timestamp'],
      'webhook-signature': request?.headers['webhook-signature'],
    });
    expect(sent?.exchange?.connectedAddress).toBe(new URL(url).host);
    const responded = Object.fromEntries(sent?.exchange?.responseHeaders as [string, string][]);
    expect(responded).toMatchObject({ 'x-reason': 'full', 'set-cookie': '(masked)' });
  });

  it('stores at most 4 KiB of the response headers', async () => {
    const big = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`x-big-${index}`, 'v'.repeat(1_000)]),
    );
    const url = receiver.endpoint('/big', status(200, big));
    const fixture = await harness.fixture({ channels: [webhookChannel(url)] });
    const run = await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    const sent = await sentBy(fixture.environmentId, run.id);
    const kept = sent?.exchange?.responseHeaders as [string, string][];
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.join('').length).toBeLessThanOrEqual(4_096 + kept.length);
  });

  it('that hangs stores digest and headers, even if its worker is lost', async () => {
    const hanging: { end: () => void }[] = [];
    const url = receiver.endpoint('/hanging', (response, nth) => {
      if (nth === 1) hanging.push(response.writeHead(200));
      else response.writeHead(200).end();
    });
    const fixture = await harness.fixture({ channels: [webhookChannel(url)] });
    const event = await harness.accept(fixture);
    const runId = event.runIds[0] ?? '';
    const first = () => sentBy(fixture.environmentId, runId, 1);
    await waitFor('what is being sent', async () => (await first())?.sha256);
    await harness.db.$executeRaw`
      UPDATE delivery_runs SET lease_until = now() - interval '1 second' WHERE id = ${runId}::uuid`;
    const { attempts } = await harness.runIn(fixture, event, ['succeeded']);
    expect(attempts).toMatchObject([
      { status: 'unknown', errorCode: 'worker_lost' },
      { status: 'succeeded' },
    ]);
    const [request] = receiver.received('/hanging');
    const sent = await first();
    expect(sent?.sha256).toBe(contentDigest({ body: request?.body }));
    expect(Object.fromEntries(sent?.exchange?.requestHeaders as [string, string][])).toMatchObject({
      'webhook-id': request?.headers['webhook-id'],
      'webhook-signature': request?.headers['webhook-signature'],
    });
    for (const response of hanging) response.end();
  });

  it('that sent nothing stores nothing', async () => {
    const channel = webhookChannel('http://198.51.100.1/never');
    const fixture = await harness.fixture({ channels: [{ ...channel, enabled: false }] });
    const event = await harness.accept(fixture);
    const run = await harness.runIn(fixture, event, ['failed']);
    expect(await sentBy(fixture.environmentId, run.id)).toMatchObject({ sha256: null, exchange: null });
  });
});

describe('an attempt by email', () => {
  const mailFixture = () =>
    harness.fixture({
      channels: [mailChannel(mail, { from: { email: 'shop@example.com', name: 'Shop' } })],
      templates: [
        mailTemplate({
          subject: 'Order {{ payload.order }}',
          html: '<p>{{ payload.order }}</p>',
          text: '{{ payload.order }}',
        }),
      ],
    });

  it('stores the digest of the rendered mail and its headers', async () => {
    const fixture = await mailFixture();
    const event = await harness.accept(fixture, { payload: { order: 42 } });
    const run = await harness.runIn(fixture, event, ['succeeded']);
    const sent = await sentBy(fixture.environmentId, run.id, 1);
    expect(sent?.sha256).toBe(contentDigest({ subject: 'Order 42', html: '<p>42</p>', text: '42' }));
    const headers = Object.fromEntries(sent?.exchange?.requestHeaders as [string, string][]);
    expect(headers).toMatchObject({ Subject: 'Order 42', To: 'Ada <ada@example.com>' });
  });

  it('stores the beginning of a long subject, in whole characters', async () => {
    const fixture = await mailFixture();
    const event = await harness.accept(fixture, { payload: { order: `-${'😀'.repeat(9_000)}` } });
    const run = await harness.runIn(fixture, event, ['succeeded']);
    const sent = await sentBy(fixture.environmentId, run.id, 1);
    const headers = Object.fromEntries(sent?.exchange?.requestHeaders as [string, string][]);
    expect(headers.Subject).toBe(`Order -${'😀'.repeat(496)}…`);
  });
});
