import { failurePolicyOf, formatId } from '@postrider/domain';
import {
  hang,
  inTurn,
  type MailServer,
  type Receiver,
  startMailServer,
  startReceiver,
  status,
} from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { Webhook } from 'standardwebhooks';
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

const retry = { max_attempts: 5, delays_seconds: [0.05] };
describe('a delivery by webhook', () => {
  it('arrives once, signed so that the published library verifies it', async () => {
    const url = receiver.endpoint('/fine', status(204));
    const fixture = await harness.fixture({ channels: [webhookChannel(url)] });
    const event = await harness.accept(fixture, { payload: { order: 42 } });
    const run = await harness.runIn(fixture, event, ['succeeded']);
    expect(run.attempts).toMatchObject([
      { number: 1, status: 'succeeded', errorCode: null, response: { statusCode: 204, bodyExcerpt: '' } },
    ]);
    const [request, ...more] = receiver.received('/fine');
    expect(more).toEqual([]);
    expect(request?.headers['webhook-id']).toBe(formatId('run', run.id));
    const secret = fixture.channels[0]?.secret ?? '';
    const verified = new Webhook(secret).verify(
      request?.body ?? '',
      request?.headers as Record<string, string>,
    );
    expect(verified).toEqual({
      type: 'order.shipped',
      timestamp: expect.any(String),
      data: {
        message_id: formatId('msg', event.messageId),
        delivery_run_id: formatId('run', run.id),
        recipient: { email: 'ada@example.com', name: 'Ada' },
        payload: { order: 42 },
      },
    });
  });

  it('is retried after failures with the same webhook-id until it succeeds', async () => {
    const url = receiver.endpoint('/500-500-200', inTurn(status(500), status(500, {}, 'no'), status(200)));
    const fixture = await harness.fixture({ channels: [webhookChannel(url)] });
    const event = await harness.accept(fixture);
    const run = await harness.runIn(fixture, event, ['succeeded']);
    expect(run.attempts.map((attempt) => [attempt.status, attempt.errorCode])).toEqual([
      ['failed', 'webhook_http_error'],
      ['failed', 'webhook_http_error'],
      ['succeeded', null],
    ]);
    expect(run.attempts[1]?.response).toEqual({ statusCode: 500, bodyExcerpt: 'no' });
    const ids = receiver.received('/500-500-200').map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual(Array(3).fill(formatId('run', run.id)));
  });

  it('ends when its attempts are used up', async () => {
    const url = receiver.endpoint('/always-500', status(500));
    const fixture = await harness.fixture({ channels: [webhookChannel(url)] });
    const event = await harness.accept(fixture, { maxAttempts: 3 });
    const run = await harness.runIn(fixture, event, ['failed']);
    expect(run.attempts).toHaveLength(3);
    expect(receiver.received('/always-500')).toHaveLength(3);
  });

  it('without a response in time is unknown and retried', async () => {
    const url = receiver.endpoint('/hang', inTurn(hang, status(200)));
    const fixture = await harness.fixture({ channels: [webhookChannel(url, { timeoutMs: 2_000 })] });
    const run = await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    expect(run.attempts).toMatchObject([
      { status: 'unknown', errorCode: 'webhook_timeout', retryable: true },
      { status: 'succeeded' },
    ]);
  });

  it('waits as long as Retry-After says', async () => {
    const url = receiver.endpoint('/429', inTurn(status(429, { 'retry-after': '2' }), status(200)));
    const channel = webhookChannel(url, { delaysSeconds: [0.05, 10] });
    const fixture = await harness.fixture({ channels: [channel] });
    const event = await harness.accept(fixture);
    await harness.runIn(fixture, event, ['succeeded']);
    const [first, second] = receiver.received('/429');
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_990);
  });

  it('to a gone endpoint ends the run and disables the channel if its failure policy says so', async () => {
    const url = receiver.endpoint('/410', status(410));
    // biome-ignore lint/suspicious/noThenProperty: a field of the API with a string, never awaited as a promise
    const failurePolicy = failurePolicyOf({ then: 'disable' });
    const fixture = await harness.fixture({ channels: [{ ...webhookChannel(url), failurePolicy }] });
    const run = await harness.runIn(fixture, await harness.accept(fixture), ['failed']);
    expect(run.attempts).toMatchObject([
      { status: 'failed', errorCode: 'webhook_endpoint_gone', retryable: false },
    ]);
    const later = await harness.runIn(fixture, await harness.accept(fixture), ['failed']);
    expect(later.attempts).toMatchObject([{ status: 'failed', errorCode: 'channel_disabled' }]);
    expect(receiver.received('/410')).toHaveLength(1);
  });

  it('sends the rendered template, and a failing template ends the run', async () => {
    const url = receiver.endpoint('/template', status(200));
    const fixture = await harness.fixture({
      channels: [webhookChannel(url)],
      templates: [
        {
          channelKind: 'webhook',
          eventKey: 'order.shipped',
          body: { text: 'Order {{ payload.order.id }} of {{ recipient.name }}', n: 1 },
          activate: true,
        },
      ],
    });
    await harness.runIn(fixture, await harness.accept(fixture, { payload: { order: { id: '"7"' } } }), [
      'succeeded',
    ]);
    expect(JSON.parse(receiver.received('/template')[0]?.body ?? '')).toEqual({
      text: 'Order "7" of Ada',
      n: 1,
    });
    const run = await harness.runIn(fixture, await harness.accept(fixture, { payload: {} }), ['failed']);
    expect(run.attempts).toMatchObject([{ errorCode: 'template_render_failed', retryable: false }]);
  });

  it('whose secret cannot be decrypted is not sent', async () => {
    const url = receiver.endpoint('/no-secret', status(200));
    const fixture = await harness.fixture({ channels: [webhookChannel(url)] });
    await harness.db.channel.update({
      where: { id: fixture.channels[0]?.id ?? '' },
      data: { sealedSecret: 'v1.other.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
    });
    const run = await harness.runIn(fixture, await harness.accept(fixture, { maxAttempts: 1 }), ['failed']);
    expect(run.attempts[0]?.errorMessage).toContain('encrypted with a key that the service does not have');
    expect(receiver.received('/no-secret')).toEqual([]);
  });
});

describe('a delivery by email', () => {
  const template = mailTemplate({
    subject: 'Order {{ payload.order }}',
    html: '<p>Dear <b>{{ recipient.name }}</b></p>',
    text: null,
  });
  const email = () => mailChannel(mail, { from: { email: 'shop@example.com', name: 'Shop' }, retry });

  it('arrives as HTML and text, addressed to the recipient', async () => {
    const fixture = await harness.fixture({ channels: [email()], templates: [template] });
    const run = await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    expect(run.attempts).toMatchObject([{ status: 'succeeded', response: { statusCode: 250 } }]);
    const id = `<${formatId('run', run.id)}@example.com>`;
    const [sent, ...more] = mail.mails.filter(({ messageId }) => messageId === id);
    expect(more).toEqual([]);
    expect(sent).toMatchObject({
      from: 'shop@example.com',
      to: ['ada@example.com'],
      subject: 'Order 1',
      html: '<p>Dear <b>Ada</b></p>',
      text: 'Dear Ada',
    });
  });

  it('has the same Message-ID in every attempt', async () => {
    const fixture = await harness.fixture({ channels: [email()], templates: [template] });
    mail.fail('end', 451);
    const run = await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    expect(run.attempts.map((attempt) => attempt.errorCode)).toEqual(['smtp_temporary_rejection', null]);
    const id = `<${formatId('run', run.id)}@example.com>`;
    expect(mail.mails.filter(({ messageId }) => messageId === id)).toHaveLength(2);
  });
});

describe('the trace of the request', () => {
  it('is passed to the receiver of the webhook, and a run without one sends none', async () => {
    const url = receiver.endpoint('/traced', status(200));
    const fixture = await harness.fixture({ channels: [webhookChannel(url)] });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await harness.runIn(fixture, await harness.accept(fixture, { traceparent }), ['succeeded']);
    await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    expect(receiver.received('/traced').map(({ headers }) => headers.traceparent)).toEqual([
      traceparent,
      undefined,
    ]);
  });
});

describe('the log', () => {
  it('has one line per attempt, without addresses, payloads and secrets', async () => {
    const url = receiver.endpoint('/logged', status(200));
    const fixture = await harness.fixture({ channels: [webhookChannel(url)] });
    const event = await harness.accept(fixture, { payload: { secretive: 'payload' } });
    const run = await harness.runIn(fixture, event, ['succeeded']);
    const lines = harness.log.filter((line) => line.run === formatId('run', run.id));
    const ids = { tenant: formatId('ten', fixture.tenantId), message_id: formatId('msg', run.messageId) };
    expect(lines).toMatchObject([{ message: 'attempt', status: 'succeeded', attempt: 1, ...ids }]);
    const everything = JSON.stringify(harness.log);
    for (const secret of ['ada@example.com', 'secretive', fixture.channels[0]?.secret ?? '?']) {
      expect(everything).not.toContain(secret);
    }
  });
});
