import { channelKinds } from '@postrider/channels';
import {
  acceptTestSend,
  changeChannel,
  deleteChannel,
  inTransaction,
  lockChannel,
  rotateChannelSecret,
  type TestSend,
} from '@postrider/db';
import { actorNamed } from '@postrider/db/testing';
import { createUuidV7Source, formatId } from '@postrider/domain';
import {
  hang,
  type MailServer,
  type ReceivedRequest,
  type Receiver,
  startMailServer,
  startReceiver,
  status,
  waitFor,
} from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { Webhook } from 'standardwebhooks';
import { mailChannel, mailTemplate, webhookChannel } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';

let harness: Harness;
let receiver: Receiver;
let mail: MailServer;

beforeAll(async () => {
  [harness, receiver, mail] = await Promise.all([
    startHarness({ fastSweeps: ['deletedChannels', 'expiredSecrets'] }),
    startReceiver(),
    startMailServer(),
  ]);
  await harness.startWorker();
});
afterAll(async () => {
  await harness.close();
  await receiver.close();
  await mail.close();
});

const newId = createUuidV7Source();
const actor = actorNamed('test');
const deps = () => ({ db: harness.db, newId, actor, secretBox: harness.secretBox, kinds: channelKinds });
const channelOf = (fixture: { channels: readonly { id: string }[] }) => fixture.channels[0]?.id ?? '';

function verifies(secret: string, request: ReceivedRequest | undefined): boolean {
  try {
    new Webhook(secret).verify(request?.body ?? '', request?.headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

describe('a webhook whose secret was rotated', () => {
  it('is verified with either secret during the overlap, and only with the new one after it', async () => {
    const url = receiver.endpoint('/rotated', status(200));
    const fixture = await harness.fixture({ channels: [webhookChannel(url)] });
    const old = fixture.channels[0]?.secret ?? '';
    const rotated = await rotateChannelSecret(deps(), {
      channelId: channelOf(fixture),
      overlapSeconds: 3_600,
    });
    await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    const [during] = receiver.received('/rotated');
    expect(String(during?.headers['webhook-signature']).split(' ')).toHaveLength(2);
    expect([verifies(old, during), verifies(rotated.secret ?? '', during)]).toEqual([true, true]);

    await harness.db.$executeRaw`
      UPDATE channels SET previous_secret_expires_at = now() WHERE id = ${channelOf(fixture)}::uuid`;
    await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    const [, after] = receiver.received('/rotated');
    expect([verifies(old, after), verifies(rotated.secret ?? '', after)]).toEqual([false, true]);
    await waitFor('the old secret to be erased', async () => {
      const row = await harness.db.channel.findUniqueOrThrow({ where: { id: channelOf(fixture) } });
      return row.sealedPreviousSecret === null && row.previousSecretExpiresAt === null;
    });
  });
});

describe('a channel that was changed while its old endpoint responded 410', () => {
  it('is neither paused nor disabled and gets the next event, and the run of the old endpoint is sent to the new one', async () => {
    let answerGone: () => void = () => undefined;
    const url = receiver.endpoint('/old', (response) => {
      answerGone = () => response.writeHead(410).end();
    });
    const fixture = await harness.fixture({ channels: [webhookChannel(url)] });
    const event = await harness.accept(fixture);
    await waitFor('the request', () => receiver.received('/old').length === 1);
    const repaired = await inTransaction(deps(), async (tx) => {
      const locked = await lockChannel(tx, channelOf(fixture));
      if (locked === null) throw new Error('no channel');
      const config = { ...locked.channel.config, url: receiver.endpoint('/new', status(200)) };
      return changeChannel(tx, deps(), locked, { ...locked.channel, config, credentials: {} });
    });
    expect(repaired).toMatchObject({ id: channelOf(fixture) });
    answerGone();
    const ended = await harness.runIn(fixture, event, ['succeeded']);
    expect(ended.attempts).toMatchObject([
      { errorCode: 'webhook_endpoint_gone', errorMessage: 'The endpoint is gone (HTTP 410).' },
      { status: 'succeeded' },
    ]);
    const channel = await harness.db.channel.findUniqueOrThrow({ where: { id: channelOf(fixture) } });
    expect(channel).toMatchObject({ enabled: true, disabledReason: null, paused: false });
    await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    expect(receiver.received('/new')).toHaveLength(2);
  });
});

describe('a deleted channel', () => {
  it('gets no deliveries: waiting runs end, and open ones are not retried', async () => {
    const url = receiver.endpoint('/deleted', hang);
    const channel = webhookChannel(url, { timeoutMs: 5_000, delaysSeconds: [0.05] });
    const fixture = await harness.fixture({ channels: [channel] });
    const open = await harness.accept(fixture);
    await waitFor('the request', () => receiver.received('/deleted').length === 1);
    const later = await harness.accept(fixture, { scheduleAt: new Date(Date.now() + 3_600_000) });
    expect(await deleteChannel(deps(), channelOf(fixture))).toBe(true);
    expect(await harness.run(fixture, later)).toMatchObject({
      status: 'failed',
      attempts: [{ status: 'failed', errorCode: 'channel_disabled' }],
    });
    const ended = await harness.runIn(fixture, open, ['failed']);
    expect(ended.attempts).toMatchObject([
      { status: 'unknown', errorCode: 'webhook_timeout' },
      { status: 'failed', errorCode: 'channel_disabled' },
    ]);
    expect(receiver.received('/deleted')).toHaveLength(1);
  });
});

describe('a test of a channel', () => {
  const send = (test: Partial<TestSend> & Pick<TestSend, 'channelId'>) =>
    acceptTestSend(deps(), {
      templateVersionId: null,
      eventKey: 'postrider.test',
      recipient: {},
      payload: { message: 'hello' },
      ...test,
    });

  async function runOf(sent: Awaited<ReturnType<typeof send>>) {
    await harness.producer.enqueue(sent.wakeUps);
    const id = sent.wakeUps[0]?.runId ?? '';
    return waitFor('the end of the run', async () => {
      const run = await harness.db.deliveryRun.findUniqueOrThrow({
        where: { id },
        include: { attempts: true },
      });
      return run.completedAt !== null && run;
    });
  }

  it('is delivered to a disabled webhook and marked as a test', async () => {
    const url = receiver.endpoint('/tested', status(200));
    const fixture = await harness.fixture({ channels: [{ ...webhookChannel(url), enabled: false }] });
    const run = await runOf(await send({ channelId: channelOf(fixture) }));
    expect(run).toMatchObject({ status: 'succeeded', attemptCount: 1 });
    const [request, ...more] = receiver.received('/tested');
    expect(more).toEqual([]);
    expect(request?.headers['postrider-test']).toBe('true');
    expect(verifies(fixture.channels[0]?.secret ?? '', request)).toBe(true);
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      type: 'postrider.test',
      data: { delivery_run_id: formatId('run', run.id), payload: { message: 'hello' } },
    });
  });

  it('is tried once, so that its result is available immediately', async () => {
    const url = receiver.endpoint('/test-fails', status(500));
    const fixture = await harness.fixture({ channels: [webhookChannel(url)] });
    const run = await runOf(await send({ channelId: channelOf(fixture) }));
    expect(run).toMatchObject({ status: 'failed', attempts: [{ errorCode: 'webhook_http_error' }] });
    expect(receiver.received('/test-fails')).toHaveLength(1);
  });

  it('does not mark other deliveries', async () => {
    const url = receiver.endpoint('/real', status(200));
    const fixture = await harness.fixture({ channels: [webhookChannel(url)] });
    await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    expect(receiver.received('/real')[0]?.headers).not.toHaveProperty('postrider-test');
  });

  it('uses the template of its event key for mail, or a default text', async () => {
    const fixture = await harness.fixture({
      channels: [{ ...mailChannel(mail), name: 'customer mail' }],
      templates: [mailTemplate({ subject: 'Order {{ payload.order }}', text: 'Dear {{ recipient.name }}' })],
    });
    const recipient = { email: 'ada@example.com', name: 'Ada' };
    const channelId = channelOf(fixture);
    const plain = await runOf(await send({ channelId, recipient }));
    const templateVersionId = fixture.templates[0]?.id ?? null;
    const templated = await runOf(
      await send({ channelId, recipient, templateVersionId, payload: { order: 7 } }),
    );
    const sent = [plain, templated].map(({ id }) =>
      mail.mails.find(({ messageId }) => messageId === `<${formatId('run', id)}@example.com>`),
    );
    expect(sent).toMatchObject([
      { to: ['ada@example.com'], subject: 'Test of the channel customer mail' },
      { to: ['ada@example.com'], subject: 'Order 7', text: expect.stringMatching(/^Dear Ada\s*$/) },
    ]);
    for (const { raw } of sent.filter((received) => received !== undefined)) {
      expect(raw).toMatch(/^X-Postrider-Test: true$/m);
    }
  });
});

describe('a channel that a token configured', () => {
  it('connects to public addresses only, unlike the channel of an operator with the same config', async () => {
    const hook = webhookChannel(receiver.endpoint('/inside', status(200)));
    const relay = mailChannel(mail);
    const templates = [mailTemplate()];
    const ofOperator = await harness.fixture({ channels: [hook, relay], templates });
    const ofToken = await harness.fixture({
      channels: [hook, relay].map((channel) => ({ ...channel, publicOnly: true })),
      templates,
    });
    const endOf = async (fixture: typeof ofOperator) => {
      await harness.accept(fixture);
      return [...(await harness.drained(fixture)).values()];
    };
    expect(await endOf(ofOperator)).toEqual(['succeeded', 'succeeded']);
    const before = receiver.received('/inside').length;
    expect(await endOf(ofToken)).toEqual(['failed', 'failed']);
    expect(receiver.received('/inside')).toHaveLength(before);
  });
});
