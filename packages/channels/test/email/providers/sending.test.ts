import { createServer } from 'node:net';
import { createAddressPolicy } from '@postrider/domain';
import { closeConnection, hang } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { simpleParser } from 'mailparser';
import type { ProviderClient } from '../../../src/email/provider.ts';
import type { ExchangeFacts } from '../../../src/sender.ts';
import { RUN_ID } from '../../support/delivery.ts';
import { createClient, MESSAGE, toSend } from './support/send.ts';
import { answered, SERVICES, type StandIn, startStandIn } from './support/stand-ins.ts';

/** A port that nobody listens on. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('mail to addresses that are inactive at Postmark', () => {
  let standIn: StandIn;
  let client: ProviderClient;
  beforeAll(async () => {
    standIn = await startStandIn('postmark');
    client = await createClient('postmark');
  });
  afterAll(async () => {
    client.close();
    await standIn.close();
  });

  const send = (Message: string, statusCode = 200, ErrorCode = 0) => {
    standIn.answer(answered(statusCode, {}, { ErrorCode, Message, MessageID: 'an-id' }));
    const mail = { cc: ['gone@example.com'], bcc: ['well@example.com'] };
    return client.send(toSend('postmark', standIn.url, { mail }));
  };
  const taken = 'Message OK, but will not deliver to these inactive addresses:';

  it('bounces for the copies that it names, and is delivered to the others', async () => {
    const result = await send(`${taken} Gone@example.com`);
    const gone = { email: 'Gone@example.com', reason: 'Postmark does not send to this address.' };
    expect(result).toMatchObject({ status: 'succeeded', providerMessageId: 'an-id', skippedCopies: [gone] });
    expect(result.bounces).toEqual([{ ...gone, permanent: true }]);
  });

  it('fails if its recipient is one of them', async () => {
    const result = await send(`${taken} ada@example.com, gone@example.com`);
    expect(result).toMatchObject({
      status: 'failed',
      bounces: [{ email: 'ada@example.com' }, { email: 'gone@example.com' }],
      skippedCopies: [{ email: 'gone@example.com' }],
      error: { code: 'email_permanent_rejection', retryable: false, about: 'message' },
    });
  });

  it('fails if all are, and each bounces', async () => {
    const said =
      'You tried to send to recipient(s) that have been marked as inactive. Found inactive addresses: gone@example.com, ada@example.com. Inactive recipients are ones that have generated a hard bounce.';
    expect((await send(said, 422, 406)).bounces).toMatchObject([
      { email: 'ada@example.com', permanent: true },
      { email: 'gone@example.com', permanent: true },
    ]);
  });
});

describe.each(Object.keys(SERVICES))('mail by %s', (provider) => {
  let standIn: StandIn;
  let client: ProviderClient;
  beforeAll(async () => {
    standIn = await startStandIn(provider);
    client = await createClient(provider);
  });
  afterAll(async () => {
    client.close();
    await standIn.close();
  });

  it("has the content of the message and the run's id, and returns the id of the service", async () => {
    const result = await client.send(toSend(provider, standIn.url));
    expect(result).toMatchObject({ status: 'succeeded', providerMessageId: standIn.service.messageId });
    expect(standIn.mails.at(-1)).toMatchObject({
      from: 'shop@example.com',
      recipients: ['ada@example.com'],
      subject: 'Grüße',
      html: '<p>Hello</p>',
      text: 'Hello',
      run: RUN_ID,
      headers: { 'auto-submitted': 'auto-generated', 'list-unsubscribe': '<https://example.com/u/1>' },
      attachments: [],
    });
    expect([null, MESSAGE.messageId]).toContain(standIn.mails.at(-1)?.messageId);
  });

  it('is sent to copies, with files and inline images', async () => {
    const file = { filename: 'order.csv', contentType: 'text/csv', content: Buffer.from('a,b') };
    const image = {
      filename: 'logo.png',
      contentType: 'image/png',
      content: Buffer.from('png'),
      cid: 'logo',
    };
    const mail = { cc: ['cc@example.com'], bcc: ['bcc@example.com'], attachments: [file, image] };
    const result = await client.send(toSend(provider, standIn.url, { mail }));
    expect(result).toMatchObject({ status: 'succeeded' });
    const received = standIn.mails.at(-1);
    expect(received?.recipients).toEqual(['ada@example.com', 'cc@example.com', 'bcc@example.com']);
    expect(received?.headers).not.toHaveProperty('bcc');
    expect(
      [...(received?.attachments ?? [])].sort((one, other) => (one.filename < other.filename ? -1 : 1)),
    ).toMatchObject([
      { filename: 'logo.png', content: 'png', cid: 'logo' },
      { filename: 'order.csv', content: 'a,b' },
    ]);
  });

  it('has files whose types have parameters', async () => {
    const contentType = 'text/calendar; method=REQUEST; charset=utf-8';
    const mail = {
      attachments: [{ filename: 'invite.ics', contentType, content: Buffer.from('BEGIN:VCALENDAR') }],
    };
    await client.send(toSend(provider, standIn.url, { mail }));
    // SendGrid refuses all parameters but the method.
    const taken = provider === 'sendgrid' ? 'text/calendar; method=REQUEST' : contentType;
    expect(standIn.mails.at(-1)?.attachments).toMatchObject([
      { filename: 'invite.ics', contentType: taken, content: 'BEGIN:VCALENDAR' },
    ]);
  });

  it('has text headers that parsers read unchanged', async () => {
    const texts = ['Grüße an Ada', '=?utf-8?q?hidden?=', '注文を発送しました'.repeat(20), 'a'.repeat(200)];
    for (const text of texts) {
      await client.send(toSend(provider, standIn.url, { mail: { headers: { 'X-Note': text } } }));
      const written = standIn.mails.at(-1)?.headers['x-note'] ?? '';
      expect(written).toMatch(/^[ -~]+(?:\r\n[ -~]+)*$/);
      // The parser decodes no header that it does not know.
      expect((await simpleParser(`Subject: ${written}\r\n\r\n`)).subject).toBe(text);
    }
    expect(standIn.mails.at(-1)?.headers['x-note']).toContain('a'.repeat(200));
  });

  it('does not gain a recipient by the name of another', async () => {
    const mail = {
      to: { email: 'ada@example.com', name: 'A" <eve@example.com>, "B\r\nBcc: eve@example.com' },
    };
    await client.send(toSend(provider, standIn.url, { mail }));
    expect(standIn.mails.at(-1)?.recipients).toEqual(['ada@example.com']);
  });

  it('is refused with wrong credentials, and retried', async () => {
    const credentials = Object.fromEntries(
      Object.keys(standIn.service.credentials).map((name) => [name, 'wrong']),
    );
    expect(await client.send(toSend(provider, standIn.url, { credentials }))).toMatchObject({
      status: 'failed',
      error: { code: 'email_auth_failed', retryable: true },
    });
  });

  it('fails with certainty without its credentials, and if nothing listens', async () => {
    expect(await client.send(toSend(provider, standIn.url, { credentials: {} }))).toMatchObject({
      status: 'failed',
      error: { code: 'email_auth_failed' },
    });
    expect(await client.send(toSend(provider, `http://127.0.0.1:${await closedPort()}`))).toMatchObject({
      status: 'failed',
      error: { code: 'email_connection_failed', retryable: true },
    });
  });

  it('is not sent to an address that the policy refuses', async () => {
    const before = standIn.requests.length;
    const strict = await createClient(provider, { isAddressAllowed: createAddressPolicy([]) });
    for (const url of [standIn.url, standIn.url.replace('127.0.0.1', 'localhost')]) {
      expect(await strict.send(toSend(provider, url))).toMatchObject({
        status: 'failed',
        error: { code: 'email_connection_failed', retryable: false },
      });
    }
    expect(standIn.requests).toHaveLength(before);
    strict.close();
  });

  it('has an unknown outcome without a response', async () => {
    const unknown = { status: 'unknown', error: { code: 'email_outcome_unknown', retryable: true } };
    standIn.answer(closeConnection);
    expect(await client.send(toSend(provider, standIn.url))).toMatchObject(unknown);
    standIn.answer(hang);
    expect(await client.send(toSend(provider, standIn.url, { timeoutMs: 1_000 }))).toMatchObject(unknown);
    standIn.answer(null);
  });

  it('is accepted if the response breaks off after a success status', async () => {
    standIn.answer((response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{');
      response.socket?.end();
    });
    expect(await client.send(toSend(provider, standIn.url))).toMatchObject({ status: 'succeeded' });
    standIn.answer(null);
  });

  it.each([200, 400])('stores no credential of a response with %i', async (code) => {
    const [secret = ''] = Object.values(standIn.service.credentials);
    const within = Buffer.from(`x:${secret}`).toString('base64');
    standIn.answer(answered(code, { 'x-seen': `${secret} ${within}` }, `no: ${secret} ${within}`));
    const reported: ExchangeFacts[] = [];
    const result = await client.send(
      toSend(provider, standIn.url, { reportExchange: (facts) => void reported.push(facts) }),
    );
    expect(result.response?.bodyExcerpt).toMatch(/^no: /);
    expect(reported.flatMap(({ responseHeaders = [] }) => responseHeaders.map(([name]) => name))).toContain(
      'x-seen',
    );
    const kept = JSON.stringify([result, reported]);
    expect(kept).not.toContain(secret);
    expect(kept).not.toContain(within.slice(4, -4));
    standIn.answer(null);
  });
});

describe('the idempotency key of Resend', () => {
  it('is the same for the same message of a run, and differs if the message changes', async () => {
    const standIn = await startStandIn('resend');
    const client = await createClient('resend');
    for (const subject of ['One', 'One', 'Two']) {
      await client.send(toSend('resend', standIn.url, { mail: { subject } }));
    }
    const [first, second, third] = standIn.requests.map(({ headers }) => headers['idempotency-key']);
    expect(String(first)).toMatch(new RegExp(`^${RUN_ID}/`));
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    client.close();
    await standIn.close();
  });
});
