import type { AccountStateChange, JsonObject } from '@postrider/domain';
import { type MailServer, startMailServer } from '@postrider/rig';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@postrider/testing';
import type { EmailContent } from '../../src/email/index.ts';
import { createSmtpClient } from '../../src/email/providers/smtp/client.ts';
import { smtpProvider } from '../../src/email/providers/smtp/index.ts';
import { createEmailSender } from '../../src/email/sender.ts';
import type { Delivery, Sender } from '../../src/sender.ts';
import { emailDelivery, loopbackAllowed } from '../support/delivery.ts';
import { type Break, startBreakingServer } from '../support/raw-smtp.ts';

let main: MailServer;
let backup: MailServer;
let withAuth: MailServer;
let channel: Sender<EmailContent>;
const changes: AccountStateChange[] = [];
const options = { isAddressAllowed: loopbackAllowed };
const createChannel = (openBreakers: { channelId: string; account: string; untilMs: number }[] = []) =>
  createEmailSender([{ provider: smtpProvider, client: createSmtpClient(options) }], {
    onAccountState: (change) => changes.push(change),
    openBreakers,
  });

beforeAll(async () => {
  [main, backup, withAuth] = await Promise.all([
    startMailServer(),
    startMailServer(),
    startMailServer({ auth: true }),
  ]);
});
afterEach(() => {
  channel?.close();
  main.mails.length = 0;
  backup.mails.length = 0;
  changes.length = 0;
});
afterAll(async () => {
  await main.close();
  await backup.close();
  await withAuth.close();
});

/** A mail by senders at these ports. The second is a spare: weight 0. */
function mailBy(
  ports: readonly number[],
  { failover, ...details }: Parameters<typeof emailDelivery>[1] & { failover?: string } = {},
): Delivery<EmailContent> {
  const names = ['main', 'backup', 'third'];
  const senders = ports.map(
    (port, index): JsonObject => ({
      ...{ name: names[index] ?? '', provider: 'smtp', smtp: { host: '127.0.0.1', port } },
      ...(index === 0 ? {} : { weight: 0 }),
    }),
  );
  const delivery = emailDelivery({ port: 1 }, details);
  const { smtp: _smtp, ...config } = delivery.channel.config;
  return {
    ...delivery,
    channel: { ...delivery.channel, config: { ...config, senders, ...(failover ? { failover } : {}) } },
  };
}

/** A port at which nothing listens. */
async function closedPort(): Promise<number> {
  const server = await startMailServer();
  await server.close();
  return server.port;
}

describe('safe failover', () => {
  it('sends the same mail through the next sender when the first refuses connections, and reports both', async () => {
    channel = createChannel();
    expect(await channel.send(mailBy([await closedPort(), main.port]))).toMatchObject({
      status: 'succeeded',
      account: 'backup',
      tried: [{ sender: 'main', outcome: 'failed', code: 'smtp_connection_failed' }],
    });
    expect(main.mails).toHaveLength(1);
  });

  it('tries no other sender while the first one works', async () => {
    channel = createChannel();
    const result = await channel.send(mailBy([main.port, backup.port]));
    expect(result).toMatchObject({ status: 'succeeded', account: 'main' });
    expect(result).not.toHaveProperty('tried');
    expect([main.mails.length, backup.mails.length]).toEqual([1, 0]);
  });

  it.each([
    ['connect', 421],
    ['mail', 451],
    ['rcpt', 450],
    ['end', 451],
  ] as const)('tries the next sender when the server responds to %s with %i', async (verb, code) => {
    channel = createChannel();
    main.fail(verb, code);
    expect(await channel.send(mailBy([main.port, backup.port]))).toMatchObject({
      status: 'succeeded',
      account: 'backup',
      tried: [{ sender: 'main', outcome: 'failed', code: 'smtp_temporary_rejection' }],
    });
    expect(backup.mails).toHaveLength(1);
  });

  it('tries the next sender when the login fails', async () => {
    channel = createChannel();
    const withLogin = mailBy([withAuth.port, main.port], {
      credentials: { 'senders/main/password': 'open' },
    });
    (withLogin.channel.config.senders as JsonObject[])[0] = {
      ...{ name: 'main', provider: 'smtp' },
      smtp: { host: '127.0.0.1', port: withAuth.port, username: 'shop' },
    };
    withAuth.fail('auth', 535);
    expect(await channel.send(withLogin)).toMatchObject({
      status: 'succeeded',
      account: 'backup',
      tried: [{ sender: 'main', code: 'smtp_auth_failed' }],
    });
  });

  it.each([
    ['connect', 554, 'blocked using Spamhaus'],
    ['mail', 550, 'account suspended'],
    ['mail', 554, 'sender not verified'],
    ['rcpt', 554, '5.7.1 relay denied'],
    ['rcpt', 550, '5.4.5 daily limit'],
    ['end', 554, 'Message rejected: Email address is not verified'],
  ] as const)('tries the next sender after a refusal of the account: %s %i %s', async (verb, code, text) => {
    channel = createChannel();
    main.fail(verb, code, 1, text);
    expect(await channel.send(mailBy([main.port, backup.port]))).toMatchObject({
      status: 'succeeded',
      account: 'backup',
      tried: [{ sender: 'main', outcome: 'failed', code: 'smtp_sender_refused' }],
    });
    main.fail(verb, code, 1, text);
    const alone = await channel.send(emailDelivery({ port: main.port }));
    expect(alone).toMatchObject({
      status: 'failed',
      error: { code: 'smtp_sender_refused', retryable: true },
    });
  });

  it.each(['rcpt', 'end'] as const)('ends with a permanent rejection, at %s', async (verb) => {
    channel = createChannel();
    main.fail(verb, 550);
    const result = await channel.send(mailBy([main.port, backup.port]));
    expect(result).toMatchObject({
      account: 'main',
      error: { code: 'smtp_permanent_rejection', retryable: false },
    });
    expect(backup.mails).toEqual([]);
  });

  it.each<Break>(['message', 'final-dot'])(
    'never tries another sender after an unknown outcome, at %s',
    async (at) => {
      channel = createChannel();
      const server = await startBreakingServer(at);
      expect(await channel.send(mailBy([server.port, main.port]))).toMatchObject({
        status: 'unknown',
        account: 'main',
      });
      expect(main.mails).toEqual([]);
      await server.close();
    },
  );

  it('reports the error of each sender when all have failed, and is retryable', async () => {
    channel = createChannel();
    main.fail('rcpt', 450);
    expect(await channel.send(mailBy([await closedPort(), main.port]))).toMatchObject({
      status: 'failed',
      account: 'backup',
      tried: [{ sender: 'main' }],
      error: {
        code: 'smtp_temporary_rejection',
        retryable: true,
        message: expect.stringContaining('Tried before: main (smtp_connection_failed).'),
      },
    });
  });

  it('ends within the time limit of the attempt, of which a silent sender gets half', async () => {
    channel = createChannel();
    const silent = await startBreakingServer('connect', { how: 'hang' });
    const result = await channel.send(mailBy([silent.port, main.port], { timeoutMs: 4_000 }));
    expect(result).toMatchObject({ status: 'succeeded', account: 'backup' });
    await silent.close();
  });
});

describe('eager failover', () => {
  it('tries the next sender after an unknown outcome, and reports that the mail may arrive twice', async () => {
    channel = createChannel();
    const server = await startBreakingServer('final-dot');
    const result = await channel.send(mailBy([server.port, main.port], { failover: 'eager' }));
    expect(result).toMatchObject({
      status: 'succeeded',
      account: 'backup',
      tried: [{ sender: 'main', outcome: 'unknown', code: 'smtp_outcome_unknown' }],
    });
    expect([server.messages.length, main.mails.length]).toEqual([1, 1]);
    expect(server.messages[0]).toContain(main.mails[0]?.messageId ?? 'none');
    await server.close();
  });

  it.each([450, 550])('leaves the outcome unknown when the next sender responds with %i', async (code) => {
    channel = createChannel();
    const server = await startBreakingServer('final-dot');
    main.fail('rcpt', code);
    expect(await channel.send(mailBy([server.port, main.port], { failover: 'eager' }))).toMatchObject({
      status: 'unknown',
      tried: [{ outcome: 'unknown' }],
      error: { retryable: code === 450 },
    });
    await server.close();
  });
});

describe('the breaker of a sender', () => {
  it('skips it after three failures in a row, and lets one mail probe it after a pause', async () => {
    channel = createChannel();
    let nowMs = 1_000_000;
    const delivery = mailBy([main.port, backup.port], { nowMs: () => nowMs });
    for (let time = 0; time < 3; time += 1) {
      main.fail('connect', 421);
      expect(await channel.send(delivery)).toMatchObject({ account: 'backup' });
    }
    expect(changes).toMatchObject([
      { channelId: 'channel', account: 'main', state: 'open', pauseMs: 5_000, reason: expect.any(String) },
    ]);
    const around = await channel.send(delivery);
    expect(around).toMatchObject({ account: 'backup' });
    expect(around).not.toHaveProperty('tried');
    nowMs += 5_000;
    main.fail('connect', 421);
    expect(await channel.send(delivery)).toMatchObject({ account: 'backup', tried: [{ sender: 'main' }] });
    expect(changes.at(-1)).toMatchObject({ state: 'open', pauseMs: 10_000 });
    nowMs += 10_000;
    expect(await channel.send(delivery)).toMatchObject({ account: 'main' });
    expect(changes.at(-1)).toEqual({ channelId: 'channel', account: 'main', state: 'closed' });
    expect(changes).toHaveLength(3);
  });

  it('is not opened by refused mail', async () => {
    channel = createChannel();
    for (let time = 0; time < 4; time += 1) {
      main.fail('rcpt', 450);
      await channel.send(mailBy([main.port, backup.port]));
    }
    expect(changes).toEqual([]);
    expect(await channel.send(mailBy([main.port, backup.port]))).toMatchObject({ account: 'main' });
  });

  it('never skips the last remaining sender', async () => {
    channel = createChannel([
      { channelId: 'channel', account: 'main', untilMs: Date.now() + 60_000 },
      { channelId: 'channel', account: 'backup', untilMs: Date.now() + 60_000 },
    ]);
    const result = await channel.send(mailBy([main.port, await closedPort()]));
    expect(result).toMatchObject({ status: 'succeeded', account: 'main' });
    expect(changes).toEqual([{ channelId: 'channel', account: 'main', state: 'closed' }]);
  });

  it('closes when the channel is changed', async () => {
    channel = createChannel();
    for (let time = 0; time < 3; time += 1) {
      main.fail('connect', 421);
      await channel.send(mailBy([main.port, backup.port]));
    }
    expect(await channel.send(mailBy([main.port, backup.port]))).toMatchObject({ account: 'backup' });
    const changed = mailBy([main.port, backup.port], { revision: 2 });
    expect(await channel.send(changed)).toMatchObject({ account: 'main' });
  });

  it('is restored at the start of a process', async () => {
    channel = createChannel([{ channelId: 'channel', account: 'main', untilMs: Date.now() + 60_000 }]);
    const result = await channel.send(mailBy([main.port, backup.port]));
    expect(result).toMatchObject({ account: 'backup' });
    expect(result).not.toHaveProperty('tried');
  });
});

describe('the sender of a mail', () => {
  it('is allowed to send for the domain of From', async () => {
    channel = createChannel();
    const delivery = mailBy([main.port, backup.port]);
    const [first, second] = delivery.channel.config.senders as JsonObject[];
    const restricted = { ...first, from_domains: ['example.net'] };
    const config = { ...delivery.channel.config, senders: [restricted, second] as JsonObject[] };
    const result = await channel.send({ ...delivery, channel: { ...delivery.channel, config } });
    expect(result).toMatchObject({ status: 'succeeded', account: 'backup' });
  });
});
