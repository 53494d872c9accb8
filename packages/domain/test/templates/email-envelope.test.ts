import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import {
  type AttachmentTemplate,
  checkEnvelope,
  type EmailEnvelope,
  fillEnvelope,
  isBareEmailAddress,
  type JsonObject,
  readAttachments,
  renderEnvelope,
  type TemplateContext,
} from '../../src/index.ts';

const contextOf = (payload: JsonObject): TemplateContext => ({
  event_key: 'order.shipped',
  recipient: { email: 'ada@example.com' },
  payload,
  message_id: 'msg_1',
  delivery_run_id: 'run_1',
  timestamp: '2026-11-21T02:00:00.000Z',
});

const render = (envelope: EmailEnvelope, payload: JsonObject = {}) =>
  renderEnvelope(envelope, contextOf(payload));
const PDF: AttachmentTemplate = {
  content: 'payload.pdf',
  filename: 'invoice-{{ payload.number }}.pdf',
  content_type: 'application/pdf',
};

describe('copies', () => {
  it('are separated addresses, without duplicates and without the recipient', () => {
    const cc = '{% for a in payload.team %}{{ a }}, {% endfor %}; ada@EXAMPLE.com\nlast@example.com';
    const team = ['one@example.com', 'two@example.com', 'one@example.com'];
    expect(render({ cc, bcc: 'two@example.com, three@example.com' }, { team })).toEqual({
      ok: true,
      envelope: {
        cc: ['one@example.com', 'two@example.com', 'last@example.com'],
        bcc: ['three@example.com'],
      },
    });
  });

  it('that render to nothing are left out', () => {
    const envelope = {
      cc: '{{ payload.cc | default: "" }}',
      bcc: ' , ',
      reply_to: '{{ payload.none | default: "" }}',
    };
    expect(render(envelope)).toEqual({ ok: true, envelope: {} });
  });

  it.each([
    ['Eve <eve@example.com>', 'cc: address 1 of 1 is not one bare address'],
    ['a@example.com, b', 'cc: address 2 of 2 is not one bare address'],
    ['a@example.com b@example.com', 'cc: address 1 of 1 is not one bare address'],
    [
      Array.from({ length: 51 }, (_, n) => `a${n}@example.com`).join(),
      'cc: must not be more than 50 addresses together with bcc',
    ],
  ])('that are not bare addresses fail, without quoting a value: %s', (cc, message) => {
    expect(render({ cc: '{{ payload.cc }}' }, { cc })).toMatchObject({ ok: false, message });
  });

  it('are bare addresses for any value', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 4 }), (team) => {
        const cc = '{{ payload.team | join: "," }}';
        const { envelope } = fillEnvelope({ cc, bcc: cc, reply_to: cc }, contextOf({ team }));
        const all = [...(envelope.cc ?? []), ...(envelope.bcc ?? []), envelope.reply_to ?? 'x@example.com'];
        expect(all.every(isBareEmailAddress)).toBe(true);
      }),
    );
  });

  it('that are missing fail as a missing variable', () => {
    expect(render({ reply_to: '{{ payload.agent }}' })).toMatchObject({
      ok: false,
      message: 'reply_to: undefined variable: payload.agent (line 1, column 4)',
    });
  });
});

describe('headers', () => {
  it('have values on one line', () => {
    const headers = { 'X-Order': '{{ payload.number }}\r\nBcc: eve@example.com', 'List-Id': ' ' };
    expect(render({ headers }, { number: 7 })).toEqual({
      ok: true,
      envelope: { headers: { 'X-Order': '7 Bcc: eve@example.com' } },
    });
  });

  it.each([
    ['List-Id', 'ü', 'must be visible ASCII'],
    ['Feedback-ID', 'ü', 'must be visible ASCII'],
    ['X-A', 'x'.repeat(901), 'must not be longer than 900 characters'],
    ['References', 'no id', 'must be message ids'],
    ['In-Reply-To', '<a@example.com> <b c@example.com>', 'must be message ids'],
    // Each id can be parsed in two ways, so all of them in 2^60.
    ['References', `${'<a@@b> '.repeat(60)}<`, 'must be message ids'],
  ])('%s with %s fails', (name, value, message) => {
    expect(render({ headers: { [name]: '{{ payload.value }}' } }, { value })).toMatchObject({
      ok: false,
      message: expect.stringContaining(message),
    });
  });

  it('have any text if they are text', () => {
    const headers = { 'X-Note': '{{ payload.text }}', Organization: 'Bäckerei', Comments: '注文' };
    expect(render({ headers }, { text: 'Grüße,\n Ada' })).toEqual({
      ok: true,
      envelope: { headers: { ...headers, 'X-Note': 'Grüße, Ada' } },
    });
  });

  it.each(['X-Order', 'x-order', 'List-Id', 'Precedence', 'References', 'In-Reply-To', 'Feedback-ID'])(
    'may be %s',
    (name) => {
      expect(checkEnvelope({ headers: { [name]: 'a' } })).toEqual([]);
    },
  );

  it.each([
    'From',
    'to',
    'BCC',
    'Subject',
    'Date',
    'Message-ID',
    'Reply-To',
    'Return-Path',
    'Content-Type',
    'MIME-Version',
    'DKIM-Signature',
    'Received',
    'X-Postrider-Test',
    'X-SMTPAPI',
    'X-Mailgun-Recipient-Variables',
    'X-SES-SOURCE-ARN',
    'X: a',
    'X-A\r\nBcc',
    '',
  ])('may not be %j', (name) => {
    expect(checkEnvelope({ headers: { [name]: 'a' } })).toMatchObject([
      { message: 'is not a header that a template may set' },
    ]);
  });

  it('are unique regardless of case', () => {
    expect(checkEnvelope({ headers: { 'X-A': 'a', 'x-a': 'b' } })).toMatchObject([{ path: '/headers/x-a' }]);
  });
});

describe('attachments', () => {
  it('have a name without a path, and the bytes of the payload', () => {
    const attachments = [{ ...PDF, filename: '../../{{ payload.number }}/a:b?.pdf' }];
    const rendered = render({ attachments }, { number: '1\n2' });
    expect(rendered).toMatchObject({
      ok: true,
      envelope: { attachments: [{ filename: '_.._1 2_a_b_.pdf', content: 'payload.pdf' }] },
    });
    const pdf = Buffer.from('%PDF-1.7 \u0000').toString('base64');
    const { read, missing, issues } = readAttachments([PDF], contextOf({ pdf }));
    expect({ read, missing, issues }).toMatchObject({
      read: [{ content: Buffer.from('%PDF-1.7 \u0000') }],
      missing: [],
      issues: [],
    });
  });

  it('accept base64 in lines, and leave out null', () => {
    const pdf = Buffer.alloc(100, 'x').toString('base64').replace(/.{20}/g, '$&\r\n');
    expect(readAttachments([PDF], contextOf({ pdf })).read).toMatchObject([
      { content: Buffer.alloc(100, 'x') },
    ]);
    expect(readAttachments([PDF], contextOf({ pdf: null }))).toEqual({ read: [], missing: [], issues: [] });
  });

  it.each<[JsonObject, string]>([
    [{ pdf: 'not base64!' }, 'payload.pdf is not base64'],
    [{ pdf: 'YWJ' }, 'payload.pdf is not base64'],
    [{ pdf: '' }, 'payload.pdf is empty'],
    [{ pdf: 7 }, 'payload.pdf is not a text in base64'],
    [{ pdf: ['YWJj'] }, 'payload.pdf is not a text in base64'],
    [{ pdf: 'A'.repeat(10 * 1_024 * 1_024) }, 'payload.pdf must not have more than 7340032 bytes together'],
  ])('that cannot be read are reported (%#)', (payload, message) => {
    expect(readAttachments([PDF], contextOf(payload)).issues).toEqual([
      { path: '/attachments/0/content', message },
    ]);
  });

  it('that are missing are reported as a missing variable, and no path leads to an inherited property', () => {
    expect(readAttachments([PDF], contextOf({})).missing).toEqual([
      { path: '/attachments/0/content', name: 'payload.pdf' },
    ]);
    const inherited = { ...PDF, content: 'payload.constructor' };
    expect(readAttachments([inherited], contextOf({})).missing).toHaveLength(1);
  });

  it('are limited together', () => {
    const pdf = 'A'.repeat(6 * 1_024 * 1_024);
    expect(readAttachments([PDF, PDF], contextOf({ pdf })).issues).toMatchObject([{ path: '/attachments' }]);
  });

  it('are read whatever their size in a process in which V8 does not optimize regular expressions', () => {
    const module = new URL('../../src/templates/attachments.ts', import.meta.url);
    const script = `
      import { readAttachments } from '${module}';
      const pdf = 'A'.repeat(6 * 2 ** 20) + ' '.repeat(6 * 2 ** 20);
      const { read } = readAttachments([{ content: 'payload.pdf' }], { payload: { pdf } });
      process.stdout.write(String(read[0].content.byteLength));`;
    const node = ['--no-regexp-optimization', '--conditions=@postrider/source', '--import', 'tsx'];
    const bytes = execFileSync(process.execPath, [...node, '--input-type=module', '--eval', script]);
    expect(Number(bytes)).toBe(4.5 * 2 ** 20);
  });

  it.each(['invoice.exe', 'a.pdf.js', 'A.HTML', 'a.xhtml', 'x.svg', 'x.svgz', 'run.PS1'])(
    'cannot be named %s',
    (name) => {
      const rendered = render({ attachments: [{ ...PDF, filename: '{{ payload.name }}' }] }, { name });
      expect(rendered).toMatchObject({
        ok: false,
        message: 'attachments/0/filename: has an extension that mail programs refuse',
      });
    },
  );

  it.each<[Partial<AttachmentTemplate>, string]>([
    [{ content: '{{ payload.pdf }}' }, 'content'],
    [{ content_type: 'Application/PDF' }, 'content_type'],
    [{ content_type: 'application/pdf; name=x' }, 'content_type'],
    [{ content_type: 'application/pdf;NAME="run.exe"' }, 'content_type'],
    [{ content_type: "application/pdf; name*=utf-8''run.exe" }, 'content_type'],
    [{ content_type: 'text/plain; boundary=a' }, 'content_type'],
    [{ content_type: 'text/plain; charset=utf-8; Charset=ascii' }, 'content_type'],
    [{ content_type: 'text/plain; charset' }, 'content_type'],
    [{ content_type: 'text/plain; charset=utf 8' }, 'content_type'],
    [{ content_type: 'text/plain; charset="utf-8' }, 'content_type'],
    [{ content_type: 'text/plain; charset="a\r\nBcc: eve@example.com"' }, 'content_type'],
    [{ content_type: 'text/plain; charset=ü' }, 'content_type'],
    [{ content_type: `text/plain; x=${'y'.repeat(300)}` }, 'content_type'],
    [{ content_type: 'text/html' }, 'content_type'],
    [{ content_type: 'text/html; charset=utf-8' }, 'content_type'],
    [{ content_type: 'image/svg+xml' }, 'content_type'],
    [{ content_type: 'image/svg+xml ;charset=utf-8' }, 'content_type'],
    [{ content_type: 'application/xhtml+xml' }, 'content_type'],
    [{ content_type: 'application/x-javascript' }, 'content_type'],
    [{ content_type: 'multipart/mixed' }, 'content_type'],
    [{ content_type: 'message/rfc822' }, 'content_type'],
    [{ content_type: 'application/x-msdownload' }, 'content_type'],
    [{ cid: 'a b' }, 'cid'],
    [{ cid: 'a>\r\nBcc' }, 'cid'],
    [{ filename: '{{ payload.number' }, 'filename'],
  ])('are refused as %j', (wrong, field) => {
    expect(checkEnvelope({ attachments: [{ ...PDF, ...wrong }] })).toMatchObject([
      { path: `/attachments/0/${field}` },
    ]);
  });

  it.each([
    'text/calendar; method=REQUEST; charset=utf-8',
    'text/csv;charset="iso-8859-1"; header=present',
    'text/plain; x="a; name=b"',
  ])('have parameters: %s', (content_type) => {
    const attachments = [{ ...PDF, content_type }];
    expect(checkEnvelope({ attachments })).toEqual([]);
    expect(render({ attachments }, { number: 1 })).toMatchObject({
      envelope: { attachments: [{ content_type }] },
    });
  });

  it('have a cid each, and are ten at most', () => {
    const inline = { ...PDF, cid: 'logo' };
    expect(checkEnvelope({ attachments: [inline, inline] })).toMatchObject([{ path: '/attachments/1/cid' }]);
    expect(checkEnvelope({ attachments: Array.from({ length: 11 }, () => PDF) })).toMatchObject([
      { path: '/attachments' },
    ]);
  });
});
