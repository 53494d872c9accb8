import type { AccountStateChange } from '@postrider/domain';
import { type MailServer, startMailServer } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import type { MailAccount } from '../../src/email/accounts.ts';
import { createAccountBreakers } from '../../src/email/breakers.ts';
import { emailMessage } from '../../src/email/message.ts';
import { createSmtpClient } from '../../src/email/providers/smtp/client.ts';
import { smtpProvider } from '../../src/email/providers/smtp/index.ts';
import { sendWithFailover } from '../../src/email/sender.ts';
import { createEmailChannel, emailDelivery, loopbackAllowed, RUN_ID } from '../support/delivery.ts';

let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
});
afterAll(() => mail.close());

const FROM = { email: 'Shop@Sender.TEST', name: null, replyTo: 'Help@Sender.TEST' };
const CONTENT = {
  ...{ subject: 'Hello', html: null, text: 'Hello' },
  ...{ cc: ['Copy@Example.COM'], bcc: ['Hidden@XN--BCHER-KVA.example'], reply_to: 'Agent@Desk.Example.COM' },
};
const NORMALIZED = {
  from: { email: 'Shop@sender.test' },
  to: { email: 'Ada@gmail.com' },
  ...{ cc: ['Copy@example.com'], bcc: ['Hidden@xn--bcher-kva.example'], replyTo: 'Agent@desk.example.com' },
};

describe('addresses with upper-case letters in their domains', () => {
  it('are those of every provider’s mail with the domains in lower case and the local parts unchanged', () => {
    const run = { ids: { run: RUN_ID }, message: { recipient: { email: 'Ada@Gmail.COM' }, test: false } };
    const message = emailMessage({ ...run, content: CONTENT }, FROM);
    expect(message).toMatchObject(NORMALIZED);
    const { cc: _cc, reply_to: _replyTo, ...plain } = CONTENT;
    expect(emailMessage({ ...run, content: plain }, FROM)).toMatchObject({
      ...{ cc: [], replyTo: 'Help@sender.test' },
    });
  });

  it('are sent mail by SMTP, in the envelope and in all headers', async () => {
    const channel = createEmailChannel({ isAddressAllowed: loopbackAllowed });
    const delivery = emailDelivery(
      { port: mail.port },
      { message: { recipient: { email: 'Ada@Gmail.COM' } }, content: CONTENT },
    );
    const config = { ...delivery.channel.config, from: { email: FROM.email } };
    const sent = await channel.send({ ...delivery, channel: { ...delivery.channel, config } });
    channel.close();
    expect(sent).toMatchObject({ status: 'succeeded' });
    const [received] = mail.mails;
    expect(received).toMatchObject({
      from: 'Shop@sender.test',
      // The receiver decodes the domain.
      to: ['Ada@gmail.com', 'Copy@example.com', 'Hidden@bücher.example'],
    });
    expect(received?.raw).toMatch(/^Reply-To: Agent@desk\.example\.com\r$/m);
    expect(received?.raw).toMatch(/^Cc: Copy@example\.com\r$/m);
  });
});

describe('a mail whose envelope the library would change', () => {
  it('is not sent, not retried, tried by no other sender, and opens no breaker', async () => {
    const client = createSmtpClient({ isAddressAllowed: loopbackAllowed });
    const changes: AccountStateChange[] = [];
    const breakers = createAccountBreakers((change) => changes.push(change));
    const settings = { host: '127.0.0.1', port: mail.port };
    const accounts = ['main', 'backup'].map(
      (name, weight): MailAccount => ({
        ...{ name, settings, weight: 1 - weight, provider: smtpProvider, fromDomains: null, path: '' },
      }),
    );
    const from = { email: 'shop@example.com', name: null, replyTo: null };
    const composed = emailMessage(
      { content: CONTENT, ids: { run: RUN_ID }, message: { recipient: { email: 'a@b.c' }, test: false } },
      from,
    );
    if (!composed) throw new Error('the mail was not composed');
    const message = { ...composed, to: { email: 'ada@Gmail.com', name: null } };
    const before = mail.mails.length;
    const attempt = {
      ...{
        ids: emailDelivery({ port: mail.port }).ids,
        channel: { id: 'channel', revision: 1, config: {}, publicOnly: false },
        timeoutMs: 5_000,
      },
      ...{ signal: new AbortController().signal, nowMs: Date.now },
      policy: 'eager' as const,
    };
    for (let time = 0; time < 4; time += 1) {
      const tried: string[] = [];
      const result = await sendWithFailover(accounts, attempt, breakers, ({ name }, timeoutMs) => {
        tried.push(name);
        return client.send({
          ...attempt,
          account: name,
          settings,
          credentials: {},
          mail: message,
          timeoutMs,
        });
      });
      expect(result).toMatchObject({
        status: 'failed',
        error: { code: 'email_not_composed', retryable: false },
      });
      expect(tried).toEqual(['main']);
    }
    client.close();
    expect(changes).toEqual([]);
    expect(mail.mails).toHaveLength(before);
  });
});
