import type { JsonObject, TemplateResources } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { createRenderer, type Renderer } from '../src/index.ts';

const contextOf = (payload: JsonObject) => ({
  event_key: 'order.shipped',
  recipient: { email: 'ada@example.com' },
  payload,
  message_id: 'msg_1',
  delivery_run_id: 'run_1',
  timestamp: '2026-11-21T00:00:00.000Z',
});
const SOUND = { subject: 'x', html: '<p>{{ recipient.email }}</p>', text: null };

/** Attacks on time, memory, output, depth and access. */
const HOSTILE: readonly (readonly [string, string])[] = [
  [
    'an endless loop',
    '{% for i in (1..999999) %}{% for j in (1..999999) %}{% assign x = j %}{% endfor %}{% endfor %}',
  ],
  ['a huge range', '{% assign r = (1..999999999) %}{{ r | size }}{% for i in (1..999999999) %}x{% endfor %}'],
  ['much output', `{% for i in (1..100000) %}{{ payload.text }}${'x'.repeat(1_000)}{% endfor %}`],
  [
    'a text that doubles',
    '{% assign s = "aaaaaaaa" %}{% for i in (1..40) %}{% assign s = s | append: s %}{% endfor %}{{ s }}',
  ],
  [
    'a list that doubles',
    '{% assign l = payload.list %}{% for i in (1..40) %}{% assign l = l | concat: l %}{% endfor %}{{ l | size }}',
  ],
  ['padding', '{{ timestamp | date: "%999999999Y" }}'],
  ['deep nesting', `${'{% if true %}'.repeat(9_000)}x${'{% endif %}'.repeat(9_000)}`],
  ['filters in a row', `{{ "x" ${'| append: "x" '.repeat(15_000)} }}`],
  [
    'a sort that never ends',
    '{% for i in (1..99999) %}{% assign l = payload.list | sort | reverse | uniq | join | split: "" %}{% endfor %}',
  ],
  [
    'a replacement that multiplies',
    '{% assign s = payload.text %}{% for i in (1..20) %}{% assign s = s | replace: "", s %}{% endfor %}{{ s }}',
  ],
  ['a way to the prototype', '{{ payload.constructor.constructor }}{{ payload["__proto__"]["polluted"] }}'],
  ['open tags', '<a '.repeat(80_000)],
  ['nested markup', '<div>'.repeat(40_000)],
];

/** Attacks with parts: circles, many levels, and patterns that multiply. */
const HOSTILE_RESOURCES: TemplateResources = {
  locale: 'en',
  timezone: 'UTC',
  layouts: {
    around: "{% layout 'itself' %}{% block %}{% endblock %}",
    itself: "{% layout 'around' %}{% block %}{% endblock %}",
    twice: '{% block %}{% endblock %}{% block %}{% endblock %}'.repeat(200),
  },
  partials: {
    circle: "{% render 'circle' %}",
    doubling: "{% render 'circle' %}{% render 'doubling' %}{% render 'doubling' %}",
    large: 'x'.repeat(200_000),
    looping: "{% for i in (1..9999) %}{% render 'large' %}{% endfor %}",
    nested: `${'{% if true %}'.repeat(9_000)}x${'{% endif %}'.repeat(9_000)}`,
  },
  catalogs: [
    {
      locale: 'en',
      messages: {
        copies: '{v}'.repeat(1_300),
        deep: `${'{n, plural, other {'.repeat(1_500)}x${'}}'.repeat(1_500)}`,
        padded: `{n, number, ::${'0'.repeat(3_900)}}`,
      },
    },
  ],
};

const HOSTILE_PARTS: readonly (readonly [string, string])[] = [
  ['a partial that renders itself', "{% render 'circle' %}"],
  ['partials that double', "{% render 'doubling' %}"],
  ['layouts in a circle', "{% layout 'around' %}x"],
  ['a large partial in loops', "{% render 'looping' %}"],
  ['a partial that is nested deep', "{% render 'nested' %}"],
  ['a layout with many blocks', "{% layout 'twice' %}{% for i in (1..9999) %}{{ payload.text }}{% endfor %}"],
  [
    'a message with many copies of a value',
    "{% assign s = payload.text %}{% for i in (1..10) %}{% assign s = s | append: s %}{% endfor %}{{ 'copies' | t: v: s }}",
  ],
  ['a message that is nested deep', "{{ 'deep' | t: n: 1 }}"],
  ['a number that is padded', "{{ 'padded' | t: n: 1 }}"],
];

const MJML_HOSTILE: readonly (readonly [string, string])[] = [
  ['deep nesting', `<mjml><mj-body>${'<mj-section>'.repeat(15_000)}</mj-body></mjml>`],
  [
    'many parts',
    `<mjml><mj-body>${'<mj-section><mj-column><mj-text/></mj-column></mj-section>'.repeat(4_000)}</mj-body></mjml>`,
  ],
  ['comments that are never closed', `<mjml><mj-body>${'<!--'.repeat(60_000)}</mj-body></mjml>`],
  ['attributes without end', `<mjml><mj-body ${'a="b" '.repeat(40_000)}></mj-body></mjml>`],
  [
    'a selector for everything',
    `<mjml><mj-head><mj-html-attributes>${'<mj-selector path="* * * * *"><mj-html-attribute name="a">b</mj-html-attribute></mj-selector>'.repeat(800)}</mj-html-attributes></mj-head><mj-body>${'<mj-section></mj-section>'.repeat(2_000)}</mj-body></mjml>`,
  ],
  [
    'styles inlined everywhere',
    `<mjml><mj-head><mj-style inline="inline">${'* * * * { color: red }'.repeat(3_000)}</mj-style></mj-head><mj-body>${'<mj-section></mj-section>'.repeat(2_000)}</mj-body></mjml>`,
  ],
];

/** Shorter than the service's, because some of them take as long as they may. */
const PREPARE_LIMIT_MS = 1_500;

describe('hostile templates', () => {
  let renderer: Renderer;
  const errors: unknown[] = [];
  const payload: JsonObject = {
    text: 'x'.repeat(1_000),
    list: Array.from({ length: 1_000 }, (_, index) => `v${index}`),
  };

  /** A long time limit, so that a busy machine does not cut off small templates. */
  const createPatient = () =>
    createRenderer({ processes: 2, timeLimitMs: 30_000, onError: (error) => errors.push(error) });

  beforeAll(() => {
    renderer = createRenderer({
      processes: 2,
      prepareTimeLimitMs: PREPARE_LIMIT_MS,
      onError: (error) => errors.push(error),
    });
  });
  afterAll(() => renderer.close());

  it.each(HOSTILE)('end, and others are rendered meanwhile and afterwards: %s', async (_, html) => {
    const template = { subject: 'x', html, text: null };
    const hostile = renderer.renderEmail(template, contextOf(payload), { owner: 'hostile', part: 'part' });
    const preview = renderer.previewEmail(template, contextOf(payload), { owner: 'hostile', part: 'part' });
    const other = renderer.renderEmail(SOUND, contextOf({}), { owner: 'other', part: 'part' });
    expect(await other).toMatchObject({ ok: true, html: '<p>ada@example.com</p>' });
    const rendered = await hostile;
    expect(rendered.ok ? (rendered.html ?? '').length : 0).toBeLessThanOrEqual(2 * 1_024 * 1_024);
    await preview;
    expect(
      await renderer.renderEmail(SOUND, contextOf({}), { owner: 'hostile', part: 'part' }),
    ).toMatchObject({ ok: true });
    expect(errors).toEqual([]);
  });

  it.each(HOSTILE_PARTS)('with parts of their own end, and others are rendered: %s', async (_, html) => {
    const template = { subject: 'x', html, text: null };
    const context = { ...contextOf(payload), resources: HOSTILE_RESOURCES };
    const hostile = renderer.renderEmail(template, context, { owner: 'hostile', part: 'part' });
    const other = renderer.renderEmail(SOUND, contextOf({}), { owner: 'other', part: 'part' });
    expect(await other).toMatchObject({ ok: true, html: '<p>ada@example.com</p>' });
    const rendered = await hostile;
    expect(rendered.ok ? (rendered.html ?? '').length : 0).toBeLessThanOrEqual(2 * 1_024 * 1_024);
    await renderer.previewEmail(template, context, { owner: 'hostile', part: 'part' });
    expect(errors).toEqual([]);
  });

  it('in translations are refused or cut off: patterns that nest, and many that are large', async () => {
    const deep = `${'{n, plural, other {'.repeat(200)}x${'}}'.repeat(200)}`;
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`k${index}`, '{n, plural, other {#}}'.repeat(180)]),
    );
    const prepare = (messages: Record<string, string>) =>
      renderer.preparePart({ type: 'translation', messages }, { owner: 'hostile', part: 'part' });
    expect(await prepare({ deep })).toMatchObject({ ok: true, answer: { outcome: 'invalid' } });
    expect(await prepare({ open: '{'.repeat(4_000) })).toMatchObject({
      ok: true,
      answer: { outcome: 'invalid' },
    });
    expect(await prepare(many)).toMatchObject({ ok: true, answer: { outcome: 'sound' } });
    expect(errors).toEqual([]);
  });

  it('in a text part end without harm to the service: captures that double and are compared', async () => {
    const text =
      '{% assign a = payload.text %}{% for i in (1..18) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}' +
      '{% capture b %}{{ a }}b{% endcapture %}{% if a < b %}x{% endif %}';
    const hostile = { subject: 'x', html: null, text };
    const patient = createPatient();
    expect(
      await patient.renderEmail(hostile, contextOf(payload), { owner: 'hostile', part: 'part' }),
    ).toMatchObject({
      ok: false,
      reason: 'template',
    });
    await patient.close();
    expect(errors).toEqual([]);
  });

  it.each(MJML_HOSTILE)('in MJML are compiled, refused or cut off: %s', async (_, html) => {
    const content = { format: 'email', subject: 'x', html, text: null, mjml: null } as const;
    const hostile = renderer.prepare(content, { owner: 'hostile', part: 'part' });
    const other = renderer.renderEmail(SOUND, contextOf({}), { owner: 'other', part: 'part' });
    expect(await other).toMatchObject({ ok: true });
    const prepared = await hostile;
    if (prepared.ok) expect(['sound', 'invalid']).toContain(prepared.answer.outcome);
    else expect(prepared.reason).toBe('cut_off');
    expect(errors).toEqual([]);
  });

  it('made of any pieces in any order are prepared and previewed without an exception', async () => {
    const piece = fc.constantFrom(
      ...[
        '{{',
        '}}',
        '{%',
        '%}',
        '{%-',
        '-%}',
        'if a',
        'endif',
        'for i in (1..9)',
        'endfor',
        'assign x = ',
        '| map: "__proto__"',
      ],
      ...[
        'payload',
        '.constructor',
        '["x"]',
        '|',
        'append: x',
        ':',
        '"',
        "'",
        '\n',
        '<',
        '>',
        '&',
        '\u0000',
        '😀',
        '\ud800',
      ],
      ...[
        '<mjml>',
        '</mjml>',
        '<mj-body>',
        '</mj-body>',
        '<mj-raw>',
        '</mj-raw>',
        '<mj-text>',
        '<!--',
        '-->',
        'liquid0n0e',
      ],
    );
    const source = fc
      .tuple(fc.constantFrom('', '<mjml>', '<mjml><mj-body>'), fc.array(piece, { maxLength: 25 }))
      .map(([start, pieces]) => [start, ...pieces].join(' '));
    const patient = createPatient();
    const check = fc.asyncProperty(source, fc.jsonValue({ maxDepth: 2 }), async (html, value) => {
      const context = contextOf({ x: value as JsonObject });
      const content = { format: 'email', subject: 'x', html, text: html, mjml: null } as const;
      const prepared = await patient.prepare(content, { owner: 'a', part: 'part' });
      expect(prepared.ok).toBe(true);
      const previewed = await patient.previewEmail({ subject: html, html, text: null }, context, {
        owner: 'a',
        part: 'part',
      });
      expect(previewed.ok).toBe(true);
      const rendered = await patient.renderEmail({ subject: html, html, text: null }, context, {
        owner: 'a',
        part: 'part',
      });
      if (rendered.ok && previewed.ok)
        expect(previewed.answer.rendered).toMatchObject({ html: rendered.html });
      expect(await patient.renderJson([html], context, { owner: 'a', part: 'part' })).toHaveProperty('ok');
    });
    await fc.assert(check, { numRuns: 150 });
    await patient.close();
    expect(errors).toEqual([]);
  });
});
