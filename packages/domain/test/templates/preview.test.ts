import { describe, expect, it } from '@postrider/testing';
import {
  checkTemplate,
  isMjml,
  previewEmailTemplate,
  previewJsonTemplate,
  type TemplateContext,
} from '../../src/index.ts';

const context: TemplateContext = {
  event_key: 'order.shipped',
  recipient: { email: 'ada@example.com' },
  payload: { items: [{ name: 'a' }, {}, {}] },
  message_id: 'msg_1',
  delivery_run_id: 'run_1',
  timestamp: '2026-11-21T02:00:00.000Z',
};

describe('previewing a template', () => {
  it('equals the delivery if nothing is missing', () => {
    const template = { subject: '{{ event_key }}', html: '{{ recipient.email }}', text: null };
    expect(previewEmailTemplate(template, context)).toEqual({
      rendered: { subject: 'order.shipped', html: 'ada@example.com', text: null },
      missing: [],
      issues: [],
    });
  });

  it('reports everything that is missing once with its position, and renders without it', () => {
    const template = {
      subject: '{{ recipient.name }}!',
      html: '{% for i in payload.items %}\n[{{ i.name }}]{% endfor %}{{ payload.total.sum }}',
      text: '{{ payload.url }}',
    };
    expect(previewEmailTemplate(template, context)).toEqual({
      rendered: { subject: '!', html: '\n[a]\n[]\n[]', text: '' },
      missing: [
        { path: '/subject', name: 'recipient.name', line: 1, column: 4 },
        { path: '/html', name: 'i.name', line: 2, column: 5 },
        { path: '/html', name: 'payload.total', line: 2, column: 30 },
        { path: '/text', name: 'payload.url', line: 1, column: 4 },
      ],
      issues: [],
    });
  });

  it('distinguishes errors from missing values, and then renders nothing', () => {
    const template = { subject: '{{ a }}', html: '{{ "%" | url_decode }}', text: '{% if %}' };
    expect(previewEmailTemplate(template, context)).toEqual({
      rendered: null,
      missing: [{ path: '/subject', name: 'a', line: 1, column: 4 }],
      issues: [
        { path: '/html', message: expect.stringMatching(/malformed/i), line: 1, column: 1 },
        { path: '/text', message: expect.any(String), line: 1, column: 6 },
      ],
    });
  });

  it('previews a JSON template, leaf by leaf', () => {
    const body = { a: ['{{ event_key }}', '<{{ payload.nope }}>'], n: 1 };
    expect(previewJsonTemplate(body, context)).toEqual({
      rendered: { a: ['order.shipped', '<>'], n: 1 },
      missing: [{ path: '/a/1', name: 'payload.nope', line: 1, column: 5 }],
      issues: [],
    });
    expect(previewJsonTemplate({ a: '{{ "%" | url_decode }}' }, context)).toMatchObject({
      rendered: undefined,
      issues: [{ path: '/a' }],
    });
  });

  describe('quotes the template, but no values of the payload', () => {
    const secret = 'alice@example.com';
    const preview = (subject: string, s = secret) =>
      previewEmailTemplate(
        { subject, html: null, text: null },
        { ...context, payload: { s, obj: {}, list: [{ a: 1 }] } },
      );

    it.each([
      ['{{ payload.obj[payload.s] }}', 'payload.obj[payload.s]'],
      ['{{ payload.obj[payload.s].x }}', 'payload.obj[payload.s].x'],
      ['{{ payload.obj["a b"] }}', 'payload.obj["a b"]'],
    ])('where %s is missing', (subject, name) => {
      expect(preview(subject)).toMatchObject({ missing: [{ path: '/subject', name, line: 1, column: 4 }] });
    });

    it.each(['secret', 'i.secret', 'i | secret', '(1..secret)', 'i["secret'])(
      'where a filter evaluates %j of the payload',
      (value) => {
        const previewed = preview('{{ payload.list | where_exp: "i", payload.s }}', value);
        expect(JSON.stringify([previewed.missing, previewed.issues])).not.toContain('secret');
      },
    );

    it('where the expression of a filter cannot be evaluated', () => {
      expect(preview('{{ payload.list | where_exp: "i", payload.s }}', 'secret')).toEqual({
        rendered: null,
        missing: [],
        issues: [{ path: '/subject', message: 'the expression that a filter was given cannot be evaluated' }],
      });
    });
  });

  it('has the same output limit as a delivery', () => {
    const large = { ...context, payload: { text: 'x'.repeat(60_000) } };
    const leaf = '{{ payload.text }}'.repeat(4);
    expect(previewJsonTemplate(Array(30).fill(leaf), large)).toMatchObject({
      rendered: undefined,
      issues: [{ path: '/8', message: expect.stringMatching(/^more than/) }],
    });
  });
});

describe('checking the content of a new version', () => {
  const email = { format: 'email', subject: 'x', html: '<p>x</p>', text: null, mjml: null } as const;

  it('returns sound content unchanged', () => {
    expect(checkTemplate(email)).toEqual({ outcome: 'sound', template: email, references: [] });
  });

  it('reports issues with their paths in the request', () => {
    expect(checkTemplate({ ...email, subject: '{{', html: null })).toMatchObject({
      outcome: 'invalid',
      issues: [{ path: '/subject' }, { path: '' }],
    });
    expect(checkTemplate({ format: 'json', body: { a: ['{{'] } })).toMatchObject({
      outcome: 'invalid',
      issues: [{ path: '/body/a/0', line: 1, column: 1 }],
    });
  });

  it('refuses MJML that was not compiled, or whose HTML is too large', () => {
    expect(checkTemplate({ ...email, html: '<mjml></mjml>' })).toMatchObject({ outcome: 'invalid' });
    expect(checkTemplate({ ...email, html: 'x'.repeat(300_000), mjml: '<mjml></mjml>' })).toMatchObject({
      issues: [{ path: '/html', message: 'compiles to 300000 characters of HTML; at most 262144' }],
    });
  });

  it('limits the issues of a JSON template with many leaves', () => {
    const body = { a: Array(1_000).fill('{{ x | nothing }}') };
    const checked = checkTemplate({ format: 'json', body });
    expect(checked.outcome === 'invalid' && checked.issues.length).toBe(100);
  });

  it.each([
    ['<mjml>', true],
    [' \n<mjml lang="en">', true],
    ['<MJML>', true],
    ['<mjmlx>', false],
    ['<html><mjml>', false],
  ])('recognises %j as MJML: %s', (html, expected) => {
    expect(isMjml(html)).toBe(expected);
  });
});
