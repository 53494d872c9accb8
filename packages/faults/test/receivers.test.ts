import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from '@postrider/testing';
import { createSendLedger, receiveMails, receiveWebhooks } from '../src/stack/receivers.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const REFERENCE = 'event-11111111-1111-4111-8111-111111111111';
const CONTENT = { reference: REFERENCE, variant: 'a', recipient: `${REFERENCE}@example.com` };
const WEBHOOK = {
  data: {
    message_id: 'msg_1',
    delivery_run_id: 'run_1',
    recipient: { email: CONTENT.recipient },
    payload: { reference: REFERENCE, variant: 'a' },
  },
};

const post = (url: string, signal?: AbortSignal) =>
  fetch(url, {
    method: 'POST',
    headers: { 'webhook-id': 'run_1' },
    body: JSON.stringify(WEBHOOK),
    ...(signal ? { signal } : {}),
  });

describe('the HTTP receiver', () => {
  it.each([
    ['accepted', 200],
    ['refused', 500],
  ] as const)('notes what it %s and answers %i', async (answer, status) => {
    const ledger = createSendLedger(() => 42);
    const receiver = await receiveWebhooks(ledger, () => ({ delayMs: 0, answer }));
    closing.push(receiver.close);
    expect((await post(receiver.url)).status).toBe(status);
    const content = { ...CONTENT, ids: ['msg_1', 'run_1'] };
    expect(ledger.sends).toEqual([{ runId: 'run_1', kind: 'webhook', at: 42, answer, content }]);
  });

  it('records requests that it never answers', async () => {
    const ledger = createSendLedger();
    const aborted = new AbortController();
    const receiver = await receiveWebhooks(ledger, () => {
      setImmediate(() => aborted.abort());
      return { delayMs: 0, answer: 'none' };
    });
    closing.push(receiver.close);
    await expect(post(receiver.url, aborted.signal)).rejects.toThrow();
    expect(ledger.sends).toMatchObject([{ answer: 'none' }]);
  });
});

/**
 * Sends the lines, each after the answer to the previous one, and returns the answers.
 */
async function speakSmtp(port: number, lines: readonly string[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  const answers: string[] = [];
  for (const line of lines) {
    answers.push(String((await once(socket, 'data'))[0]).slice(0, 3));
    socket.write(`${line}\r\n`);
  }
  answers.push(String((await once(socket, 'data'))[0]).slice(0, 3));
  socket.destroy();
  return answers;
}

const MAIL = [
  'HELO test',
  'MAIL FROM:<a@example.com>',
  `RCPT TO:<${CONTENT.recipient}>`,
  'DATA',
  [
    'Message-ID: <run_1@example.com>',
    `Subject: Event ${CONTENT.reference}`,
    '',
    `${CONTENT.reference} variant a`,
    `<p>${CONTENT.reference}</p>`,
    '.',
  ].join('\r\n'),
];

describe('the SMTP receiver', () => {
  it.each([
    ['accepted', '250'],
    ['refused', '451'],
  ] as const)('notes the run of what it %s and replies %s', async (answer, code) => {
    const ledger = createSendLedger(() => 42);
    const receiver = await receiveMails(ledger, () => ({ delayMs: 0, answer }));
    closing.push(receiver.close);
    expect((await speakSmtp(receiver.port, MAIL)).at(-1)).toBe(code);
    const content = { ...CONTENT, ids: [] };
    expect(ledger.sends).toEqual([{ runId: 'run_1', kind: 'email', at: 42, answer, content }]);
  });
});
