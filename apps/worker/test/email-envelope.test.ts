import { contentDigest } from '@postrider/channels';
import { readSentAttempt } from '@postrider/db';
import { fileMarker } from '@postrider/domain';
import { type MailServer, startMailServer } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { mailChannel, mailTemplate } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';

let harness: Harness;
let mail: MailServer;

beforeAll(async () => {
  [harness, mail] = await Promise.all([startHarness(), startMailServer()]);
  await harness.startWorker();
});
afterAll(async () => {
  await harness.close();
  await mail.close();
});

const PDF = Buffer.from('%PDF-1.7 \u0000\u00ff', 'latin1');

const fixture = () =>
  harness.fixture({
    channels: [mailChannel(mail, { from: { email: 'shop@Sender.TEST', name: 'Shop' } })],
    templates: [
      mailTemplate({
        html: '<img src="cid:logo" alt="Shop">',
        text: 'Order',
        cc: '{{ payload.cc }}',
        bcc: 'archive@example.com',
        headers: { 'X-Order': '{{ payload.order }}' },
        attachments: [
          { content: 'payload.pdf', filename: '{{ payload.order }}.pdf', content_type: 'application/pdf' },
          { content: 'payload.logo', filename: 'logo.png', content_type: 'image/png', cid: 'logo' },
        ],
      }),
    ],
  });

describe('a mail with an envelope', () => {
  it('is sent with its copies, headers and files, which its digest covers', async () => {
    const environment = await fixture();
    const payload = { order: 42, cc: 'copy@example.com', pdf: PDF.toString('base64'), logo: 'iVBORw==' };
    const event = await harness.accept(environment, { payload });
    const run = await harness.runIn(environment, event, ['succeeded']);
    const received = mail.mails.find(({ to }) => to.includes('copy@example.com'));
    expect(received?.to).toEqual(['ada@example.com', 'copy@example.com', 'archive@example.com']);
    expect(received?.raw).toMatch(/^X-Order: 42\r$/m);
    expect(received?.raw).toMatch(/filename="?42\.pdf"?/);
    expect(received?.raw).toContain(PDF.toString('base64'));
    expect(received?.raw).toMatch(/^Content-I[dD]: <logo>\r$/m);

    const sent = await readSentAttempt(harness.db, {
      environmentId: environment.environmentId,
      runId: run.id,
      number: 1,
    });
    expect(sent?.sha256).toBe(
      contentDigest({
        subject: 'Order',
        html: '<img src="cid:logo" alt="Shop">',
        text: 'Order',
        cc: ['copy@example.com'],
        bcc: ['archive@example.com'],
        headers: { 'X-Order': '42' },
        attachments: [
          { filename: '42.pdf', contentType: 'application/pdf', content: PDF },
          {
            filename: 'logo.png',
            contentType: 'image/png',
            content: Buffer.from('iVBORw==', 'base64'),
            cid: 'logo',
          },
        ],
      }),
    );
  });

  it('is sent to addresses with upper-case letters in their domains, in one attempt', async () => {
    const environment = await fixture();
    const payload = { order: 44, cc: 'Upper@Example.COM', pdf: null, logo: null };
    const event = await harness.accept(environment, { payload, recipient: { email: 'Ada@Gmail.COM' } });
    const run = await harness.runIn(environment, event, ['succeeded']);
    expect(run.attempts).toMatchObject([{ status: 'succeeded', tried: [] }]);
    const received = mail.mails.find(({ to }) => to.includes('Upper@example.com'));
    expect(received).toMatchObject({
      ...{ from: 'shop@sender.test', to: ['Ada@gmail.com', 'Upper@example.com', 'archive@example.com'] },
    });
  });

  it('reads the stored files of a large event', async () => {
    const environment = await fixture();
    const large = Buffer.alloc(1_000_000, 'large');
    const payload = { order: 43, cc: 'large@example.com', pdf: fileMarker(1, large), logo: null };
    const event = await harness.accept(environment, { payload, files: [large] });
    await harness.runIn(environment, event, ['succeeded']);
    const received = mail.mails.find(({ to }) => to.includes('large@example.com'));
    expect(received?.raw.replaceAll('\r\n', '').includes(large.toString('base64'))).toBe(true);
    expect(received?.raw.includes('logo.png')).toBe(false);

    const lost = await harness.accept(environment, {
      payload: { ...payload, pdf: '$file:2;' },
      files: [large],
    });
    const failed = await harness.runIn(environment, lost, ['failed']);
    const [attempt] = await harness.db.attempt.findMany({ where: { runId: failed.id } });
    expect(attempt?.errorCode).toBe('template_render_failed');
  });

  it.each([
    [
      'an address that is none',
      { cc: 'Eve <eve@example.com>' },
      'cc: address 1 of 1 is not one bare address',
    ],
    ['a file that is missing', { pdf: undefined }, 'attachments/0/content: undefined variable: payload.pdf'],
    ['a file that is not base64', { pdf: '?' }, 'attachments/0/content: payload.pdf is not base64'],
  ])('fails permanently with %s', async (_, wrong, errorMessage) => {
    const environment = await fixture();
    const payload = JSON.parse(JSON.stringify({ order: 42, cc: '', pdf: 'JVBERg==', logo: null, ...wrong }));
    const event = await harness.accept(environment, { payload });
    const run = await harness.runIn(environment, event, ['failed']);
    const [attempt] = await harness.db.attempt.findMany({ where: { runId: run.id } });
    expect(attempt).toMatchObject({ errorCode: 'template_render_failed', errorMessage, retryable: false });
  });
});
