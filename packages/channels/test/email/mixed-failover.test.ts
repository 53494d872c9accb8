import type { JsonObject } from '@postrider/domain';
import { closeConnection, type MailServer, startMailServer } from '@postrider/rig';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@postrider/testing';
import type { EmailContent } from '../../src/email/index.ts';
import { EMAIL_PROVIDERS } from '../../src/email/providers/index.ts';
import { createEmailSender } from '../../src/email/sender.ts';
import type { Delivery, Sender } from '../../src/sender.ts';
import { emailDelivery, loopbackAllowed } from '../support/delivery.ts';
import { createClient } from './providers/support/send.ts';
import { answered, SERVICES, type StandIn, startStandIn } from './providers/support/stand-ins.ts';

const PROVIDER = 'postmark';
let smtp: MailServer;
let service: StandIn;
let channel: Sender<EmailContent>;

beforeAll(async () => {
  [smtp, service] = await Promise.all([startMailServer(), startStandIn(PROVIDER)]);
});
afterEach(() => {
  channel?.close();
  service.answer(null);
});
afterAll(async () => {
  await smtp.close();
  await service.close();
});

async function openChannel(): Promise<Sender<EmailContent>> {
  const names = ['smtp', PROVIDER];
  const clients = EMAIL_PROVIDERS.filter(({ name }) => names.includes(name)).map(async (provider) => ({
    provider,
    client: await createClient(provider.name, { isAddressAllowed: loopbackAllowed }),
  }));
  return createEmailSender(await Promise.all(clients));
}

/** A mail whose first sender is `first`; the other one is a spare. */
function mailBy(first: 'smtp' | 'api', failover: 'safe' | 'eager'): Delivery<EmailContent> {
  const delivery = emailDelivery({ port: 1 });
  const { smtp: _smtp, ...config } = delivery.channel.config;
  const server: JsonObject = {
    ...{ name: 'smtp', provider: 'smtp', smtp: { host: '127.0.0.1', port: smtp.port } },
    ...(first === 'smtp' ? {} : { weight: 0 }),
  };
  const api: JsonObject = {
    ...{
      name: 'api',
      provider: PROVIDER,
      [PROVIDER]: { ...SERVICES[PROVIDER]?.settings, endpoint: service.url },
    },
    ...(first === 'api' ? {} : { weight: 0 }),
  };
  const credentials = Object.fromEntries(
    Object.entries(SERVICES[PROVIDER]?.credentials ?? {}).map(([name, value]) => [
      `senders/api/${name}`,
      value,
    ]),
  );
  const senders = [server, api];
  return {
    ...delivery,
    credentials,
    channel: { ...delivery.channel, config: { ...config, senders, failover } },
  };
}
const counts = () => [service.mails.length, smtp.mails.length] as const;

describe.each(['safe', 'eager'] as const)('%s failover between a service and a mail server', (failover) => {
  it.each([
    ['its limit of requests', 429, 'email_temporary_rejection'],
    ['a refused key', 401, 'email_auth_failed'],
  ])('moves from the service to the server after %s', async (_what, status, code) => {
    channel = await openChannel();
    const [, before] = counts();
    service.answer(answered(status, {}, { ErrorCode: status, Message: 'No' }));
    expect(await channel.send(mailBy('api', failover))).toMatchObject({
      status: 'succeeded',
      account: 'smtp',
      tried: [{ sender: 'api', outcome: 'failed', code }],
    });
    expect(smtp.mails).toHaveLength(before + 1);
  });

  it('ends with a permanent rejection by the service', async () => {
    channel = await openChannel();
    const [, before] = counts();
    service.answer(answered(422, {}, { ErrorCode: 300, Message: 'Invalid email request' }));
    expect(await channel.send(mailBy('api', failover))).toMatchObject({
      status: 'failed',
      account: 'api',
      error: { code: 'email_permanent_rejection', retryable: false },
    });
    expect(smtp.mails).toHaveLength(before);
  });

  it.each([
    ['connect', 421],
    ['end', 451],
  ] as const)('moves from the server to the service when it answers to %s with %i', async (verb, code) => {
    channel = await openChannel();
    const [before] = counts();
    smtp.fail(verb, code);
    expect(await channel.send(mailBy('smtp', failover))).toMatchObject({
      status: 'succeeded',
      account: 'api',
      providerMessageId: service.service.messageId,
      tried: [{ sender: 'smtp', code: 'smtp_temporary_rejection' }],
    });
    expect(service.mails).toHaveLength(before + 1);
  });

  it('ends with a permanent rejection by the server', async () => {
    channel = await openChannel();
    const [before] = counts();
    smtp.fail('rcpt', 550);
    expect(await channel.send(mailBy('smtp', failover))).toMatchObject({
      account: 'smtp',
      error: { code: 'smtp_permanent_rejection' },
    });
    expect(service.mails).toHaveLength(before);
  });

  it.each([
    ['an error of the service', answered(500, {}, '')],
    ['no answer', closeConnection],
  ])(
    'treats %s as an unknown outcome, after which only eager tries the next sender',
    async (_what, answer) => {
      channel = await openChannel();
      const [, before] = counts();
      service.answer(answer);
      const result = await channel.send(mailBy('api', failover));
      expect(result).toMatchObject(
        failover === 'eager'
          ? {
              status: 'succeeded',
              account: 'smtp',
              tried: [{ sender: 'api', outcome: 'unknown', code: 'email_outcome_unknown' }],
            }
          : { status: 'unknown', account: 'api', error: { code: 'email_outcome_unknown' } },
      );
      expect(smtp.mails).toHaveLength(before + (failover === 'eager' ? 1 : 0));
    },
  );
});
