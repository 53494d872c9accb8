import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import {
  checkEmailTemplate,
  previewEmailTemplate,
  renderEmailTemplate,
  type TemplateContext,
} from '../../src/index.ts';

const context: TemplateContext = {
  event_key: 'order.shipped',
  recipient: { email: 'ada@example.com', name: '<Ada> & "Co"' },
  payload: { total: 12.5, empty: null, no: false, items: [{ name: 'a' }, { name: 'b' }], text: 'x\ny<' },
  message_id: 'msg_1',
  delivery_run_id: 'run_1',
  timestamp: '2026-11-21T02:00:00.000Z',
};

/** Renders the source in all three parts. */
function renderEverywhere(source: string, payload = context.payload) {
  return renderEmailTemplate({ subject: source, html: source, text: source }, { ...context, payload });
}

function renderHtml(source: string) {
  const rendered = renderEmailTemplate({ subject: 'x', html: source, text: null }, context);
  return rendered.ok ? rendered.html : rendered.message;
}

describe('rendering an email', () => {
  it('escapes values only in HTML', () => {
    expect(renderEverywhere('Hi {{ recipient.name }}!')).toEqual({
      ok: true,
      subject: 'Hi <Ada> & "Co"!',
      html: 'Hi &lt;Ada&gt; &amp; &#34;Co&#34;!',
      text: 'Hi <Ada> & "Co"!',
    });
  });

  it('keeps a null part null', () => {
    expect(renderEmailTemplate({ subject: 's', html: 'h', text: null }, context)).toMatchObject({
      text: null,
    });
    expect(renderEmailTemplate({ subject: 's', html: null, text: 't' }, context)).toMatchObject({
      html: null,
    });
  });

  it.each([
    [
      'every variable of the context',
      '{{ event_key }} {{ message_id }} {{ delivery_run_id }} {{ timestamp }}',
      'order.shipped msg_1 run_1 2026-11-21T02:00:00.000Z',
    ],
    [
      'a loop',
      '{% for item in payload.items %}{{ item.name }}{% unless forloop.last %}, {% endunless %}{% endfor %}',
      'a, b',
    ],
    ['a number', '{{ payload.total }}', '12.5'],
    ['null as nothing', '[{{ payload.empty }}]', '[]'],
    ['a size', '{{ payload.items.size }}', '2'],
    ['a condition on what is missing', '{% if payload.missing %}a{% else %}b{% endif %}', 'b'],
    ['a condition on what is missing deeper', '{% if payload.missing.more %}a{% else %}b{% endif %}', 'b'],
    ['a default for what is missing', '{{ payload.missing | default: "none" }}', 'none'],
    [
      'a date in UTC, whatever the machine’s zone',
      '{{ timestamp | date: "%Y-%m-%d %H:%M" }}',
      '2026-11-21 02:00',
    ],
    [
      'a date in a zone of the template’s choice',
      '{{ timestamp | date: "%d %H:%M", "Asia/Tokyo" }}',
      '21 11:00',
    ],
    ['a capture', '{% capture x %}a{% endcapture %}{{ x }}', 'a'],
  ])('knows %s', (_, source, expected) => {
    expect(renderEverywhere(source)).toEqual({ ok: true, subject: expected, html: expected, text: expected });
  });

  it('keeps the subject on one line', () => {
    const source = '  {{ payload.a }}\r\n\n {{ payload.b }}\u2028c ';
    const rendered = renderEverywhere(source, { a: 'one\r\nBcc: eve@example.com', b: 'two\u0085three' });
    expect(rendered).toMatchObject({ ok: true, subject: 'one Bcc: eve@example.com two three c' });
  });

  it('never lets a value break out of the subject’s line or into the HTML', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const rendered = renderEverywhere('{{ payload.value }}', { value });
        expect(rendered.ok).toBe(true);
        if (!rendered.ok) return;
        expect(rendered.subject).not.toMatch(/[\r\n]/);
        expect(rendered.html).not.toMatch(/[<>"']/);
        expect(rendered.text).toBe(value);
      }),
    );
  });

  it.each([
    ['{{ recipient.name | escape }}', '&lt;Ada&gt; &amp; &#34;Co&#34;'],
    ['{{ recipient.name | xml_escape }}', '&lt;Ada&gt; &amp; &#34;Co&#34;'],
    ['{{ recipient.name | escape | escape_once }}', '&lt;Ada&gt; &amp; &#34;Co&#34;'],
    ['{{ payload.text | newline_to_br }}', 'x<br />\ny&lt;'],
    ['{{ payload.text | escape | newline_to_br }}', 'x<br />\ny&lt;'],
    ['{% echo recipient.name %}', '&lt;Ada&gt; &amp; &#34;Co&#34;'],
    ['{% cycle recipient.name %}', '&lt;Ada&gt; &amp; &#34;Co&#34;'],
    ['{% liquid echo payload.text %}', 'x\ny&lt;'],
    ['{% assign x = recipient.name %}{{ x }}', '&lt;Ada&gt; &amp; &#34;Co&#34;'],
    ['{{ recipient.name | escape | strip }}', '&amp;lt;Ada&amp;gt; &amp;amp; &amp;#34;Co&amp;#34;'],
    ['{{ "<br>" | strip_newlines }}', '&lt;br&gt;'],
    ['{{ payload.items | json }}', '[{&#34;name&#34;:&#34;a&#34;},{&#34;name&#34;:&#34;b&#34;}]'],
  ])('escapes the final output in HTML exactly once: %s', (source, expected) => {
    expect(renderHtml(source)).toBe(expected);
  });

  it('does not let one part change the variables of another', () => {
    const source = '{% increment total %}{% assign event_key = "x" %}';
    expect(renderEverywhere(source)).toMatchObject({ ok: true, subject: '0', html: '0', text: '0' });
    expect(context.event_key).toBe('order.shipped');
    expect(context).not.toHaveProperty('total');
  });

  it.each([
    [
      'an undefined variable',
      'a\n {{ payload.missing }}',
      /^html: undefined variable: payload.missing \(line 2, column 5\)$/,
    ],
    ['a variable outside the context', '{{ process }}', /undefined variable: process/],
    ['all that is undefined', '{{ payload.one }}{{ payload.two }}', /payload\.one.*payload\.two/],
    ['a prototype’s property', '{{ payload.constructor }}', /undefined variable/],
    ['a prototype’s property by name', '{{ payload["__proto__"] }}', /undefined variable/],
    ['a list’s method', '{{ payload.items.map }}', /undefined variable/],
    ['a filter’s own failure', '{{ "%" | url_decode }}', /malformed/],
    ['a syntax issue', '{% if %}', /not closed|invalid/],
  ])('fails for %s and reports the position', (_, source, message) => {
    const rendered = renderEmailTemplate({ subject: 'x', html: source, text: null }, context);
    expect(rendered).toMatchObject({ ok: false, message: expect.stringMatching(message) });
  });

  it.each(['subject', 'html', 'text'])('reports the part that failed: %s', (part) => {
    const template = { subject: 'x', html: 'x', text: 'x', [part]: '{{ missing }}' };
    expect(renderEmailTemplate(template, context)).toMatchObject({
      ok: false,
      message: expect.stringMatching(new RegExp(`^${part}: `)),
    });
  });

  it('counts captures towards the memory limit of a render', () => {
    const twice = '{% capture a %}{{ a }}{{ a }}{% endcapture %}';
    const render = (rounds: number) =>
      renderEmailTemplate(
        {
          subject: 'x',
          html: null,
          text: `{% assign a = payload.text %}${twice.repeat(rounds)}{{ a | size }}`,
        },
        { ...context, payload: { text: 'x'.repeat(100_000) } },
      );
    expect(render(3)).toMatchObject({ ok: true, text: '800000' });
    expect(render(11)).toMatchObject({
      ok: false,
      message: expect.stringContaining('memory alloc limit exceeded'),
    });
  });

  it('does not call methods through filters that read properties', () => {
    expect(renderHtml('{{ payload.items | map: "constructor" | join }}')).not.toMatch(/function|native/);
    expect(renderHtml('{{ payload.items | sum: "__proto__" }}')).not.toMatch(/object/);
  });

  it.each([
    [
      'much output',
      '{% for i in (1..3000) %}{% for j in (1..1000) %}{{ payload.text }}{% endfor %}{% endfor %}',
    ],
    ['a long range', '{% for i in (1..100000000) %}x{% endfor %}'],
    [
      'a doubling string',
      '{% assign x = "xxxxxxxxxx" %}{% for i in (1..40) %}{% assign x = x | append: x %}{% endfor %}{{ x }}',
    ],
    ['wide padding', '{{ timestamp | date: "%999999999Y" }}'],
    ['deep nesting', `${'{% if true %}'.repeat(20_000)}x${'{% endif %}'.repeat(20_000)}`],
    ['a long source', 'x'.repeat(600_000)],
  ])('terminates with a failure for %s', (_, source) => {
    const rendered = renderEmailTemplate({ subject: 'x', html: source, text: null }, context);
    expect(rendered).toMatchObject({ ok: false, message: expect.any(String) });
    expect(rendered.ok || rendered.message.length < 10_000).toBe(true);
  });
});

describe('checking an email template', () => {
  it('finds no issue in a sound one', () => {
    expect(
      checkEmailTemplate({ subject: 'Hi {{ recipient.name }}', html: '<p>{{ payload.x }}</p>', text: null }),
    ).toEqual([]);
    expect(
      checkEmailTemplate({ subject: 'Hi', html: null, text: '{% comment %} {{ x }} {% endcomment %}' }),
    ).toEqual([]);
  });

  it('reports every issue in every part, with its position', () => {
    const issues = checkEmailTemplate({
      subject: '{{ a | nonsense }}',
      html: '<p>\n  {% include "x" %}</p>{{ b | raw }}',
      text: '{% if a %}',
    });
    expect(issues).toEqual([
      { path: '/subject', message: 'undefined filter: nonsense', line: 1, column: 1 },
      { path: '/html', message: 'tag "include" not found', line: 2, column: 3 },
      { path: '/html', message: 'undefined filter: raw', line: 2, column: 24 },
      { path: '/text', message: expect.stringMatching(/not closed/), line: 1, column: 1 },
    ]);
  });

  it.each([
    '{% include "x" %}',
    '{% render x %}',
    '{% layout x %}',
    '{% block x %}',
    '{% raw %}{{ x }}{% endraw %}',
    '{% constructor %}',
    '{% liquid include "x" %}',
    '{{ x | raw }}',
    '{{ x | constructor }}',
    '{{ x | __proto__ }}',
    '{% assign y = x | raw %}',
    '{{ x',
  ])('refuses %s in every part', (source) => {
    const paths = checkEmailTemplate({ subject: source, html: source, text: source }).map(
      (issue) => issue.path,
    );
    expect([...new Set(paths)]).toEqual(['/subject', '/html', '/text']);
  });

  it('refuses a blank subject, and a template without html and text', () => {
    expect(checkEmailTemplate({ subject: ' \n', html: null, text: null })).toEqual([
      { path: '/subject', message: 'must not be blank' },
      { path: '', message: 'must have html or text' },
    ]);
  });

  it('terminates for a long source full of issues, and reports the first', () => {
    const html = '{% nonsense %}'.repeat(18_000);
    expect(checkEmailTemplate({ subject: 'x', html, text: null })).toEqual([
      { path: '/html', message: 'tag "nonsense" not found', line: 1, column: 1 },
    ]);
  });

  it('reports at most 20 issues per part', () => {
    expect(
      checkEmailTemplate({ subject: 'x', html: '{% nonsense %}'.repeat(1_000), text: null }),
    ).toHaveLength(20);
  });
});

it('a subject of more than 20,000 characters is not rendered', () => {
  const template = { subject: '{{ payload.title }}', html: null, text: 'short' };
  const titled = (characters: number) => ({ ...context, payload: { title: 'é'.repeat(characters) } });
  expect(renderEmailTemplate(template, titled(20_000))).toMatchObject({ ok: true });
  expect(renderEmailTemplate(template, titled(20_001))).toMatchObject({
    ok: false,
    message: 'subject: more than 20000 characters were rendered',
  });
  expect(previewEmailTemplate(template, titled(20_001))).toMatchObject({
    rendered: null,
    issues: [{ path: '/subject', message: 'more than 20000 characters were rendered' }],
  });
});
