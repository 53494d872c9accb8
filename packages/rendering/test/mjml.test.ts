import { positionOf } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { compileMjml } from '../src/mjml.ts';
import { createMjmlPositions } from '../src/mjml-positions.ts';

const body = (content: string) => `<mjml>\n<mj-body>\n${content}\n</mj-body>\n</mjml>`;
const column = (content: string, attributes = '') =>
  body(`<mj-section${attributes}><mj-column>\n${content}\n</mj-column></mj-section>`);

async function htmlOf(source: string): Promise<string> {
  const compiled = await compileMjml(source);
  if (compiled.outcome === 'invalid') throw new Error(JSON.stringify(compiled.issues));
  return compiled.html;
}

describe('compiling MJML', () => {
  it('makes a whole HTML document', async () => {
    const html = await htmlOf(column('<mj-text>Hello</mj-text>'));
    expect(html).toMatch(/^\s*<!doctype html>/i);
    expect(html).toContain('>Hello</div>');
  });

  it('takes tags that close themselves, comments, entities and HTML that is never closed', async () => {
    const content =
      '<mj-divider/><mj-image src="https://x.example/a.png" alt="a" /><!-- <mj-include path="x"> --><mj-text>a<br>b &amp; c</mj-text>';
    expect(await htmlOf(column(content))).toContain('a<br>b &amp; c');
  });

  it.each([
    [
      'in text',
      column('<mj-text>a {{ payload.x | default: "<b>" }} b</mj-text>'),
      '{{ payload.x | default: "<b>" }}',
    ],
    [
      'with signs of markup',
      column('<mj-text>{% if a < 3 and b > 2 %}x{% endif %}</mj-text>'),
      '{% if a < 3 and b > 2 %}x',
    ],
    [
      'in an address, with quotes',
      column('<mj-button href="https://x.example/{{ payload.id | default: "0" }}?a=1&b=2">x</mj-button>'),
      'href="https://x.example/{{ payload.id | default: "0" }}?a=1&b=2"',
    ],
    [
      'as a colour',
      column('x', ' background-color="{{ payload.color }}"'),
      'background-color:{{ payload.color }}',
    ],
    [
      'in an inlined style',
      `<mjml><mj-head><mj-style inline="inline">.x { color: {{ payload.c }}; }</mj-style></mj-head>${column('<mj-text css-class="x">x</mj-text>').slice(6)}`,
      'color: {{ payload.c }}',
    ],
    [
      'around sections, over lines',
      body('<mj-raw>{%- if\n payload.a -%}</mj-raw><mj-section></mj-section><mj-raw>{% endif %}</mj-raw>'),
      '{%- if\n payload.a -%}',
    ],
    [
      'in a loop of a table',
      column('<mj-table>{% for i in l %}<tr></tr>{% endfor %}</mj-table>'),
      '{% for i in l %}<tr></tr>',
    ],
    ['beside words like its masks', column('<mj-text>liquid0n0e {{ a }}</mj-text>'), 'liquid0n0e {{ a }}'],
  ])('keeps Liquid %s', async (_, source, expected) => {
    expect(await htmlOf(source)).toContain(expected);
  });

  it.each([
    ['an unknown tag', column('<mj-txet>x</mj-txet>'), 4, undefined, /mj-txet/],
    ['an unknown attribute', column('<mj-text colour="red">x</mj-text>'), 4, undefined, /colour/],
    ['a wrong value', column('<mj-text color="12 apples">x</mj-text>'), 4, undefined, /12 apples/],
    [
      'Liquid that MJML computes with',
      column('<mj-image width="{{ w }}" src="x" />'),
      4,
      undefined,
      /{{ w }}/,
    ],
    [
      'Liquid between tags',
      body('{% if a %}<mj-section></mj-section>{% endif %}'),
      3,
      1,
      /{% if a %} is dropped.*mj-raw/,
    ],
    ['a tag that is not closed', column('{{ a }}\n<mj-text>x'), 5, 1, /mj-text is not closed/],
    ['an include', body('<mj-include path="/etc/passwd" type="css" />'), 3, 1, /mj-include is not supported/],
    ['an include in raw content', body('<mj-raw>\n<mj-include path="x"/></mj-raw>'), 4, 1, /mj-include/],
    [
      'an issue behind Liquid over lines',
      column('<mj-text>{% if\n\na %}x{% endif %}</mj-text>\n<mj-x/>'),
      7,
      undefined,
      /mj-x/,
    ],
  ])('refuses %s, and says where', async (_, source, line, columnNumber, message) => {
    const compiled = await compileMjml(source);
    expect(compiled).toMatchObject({
      outcome: 'invalid',
      issues: expect.arrayContaining([
        expect.objectContaining({
          path: '/html',
          message: expect.stringMatching(message),
          line,
          ...(columnNumber === undefined ? {} : { column: columnNumber }),
        }),
      ]),
    });
  });

  it.each([
    '<mjml></mjml>',
    '<mjml>',
    '<mjml><mj-body><constructor/></mj-body></mjml>',
    '<mjml><__proto__/></mjml>',
  ])('reports an issue instead of throwing: %s', async (source) => {
    expect(await compileMjml(source)).toMatchObject({
      outcome: 'invalid',
      issues: expect.arrayContaining([expect.objectContaining({ path: '/html' })]),
    });
  });

  it('does not affect other templates', async () => {
    await compileMjml(
      '<mjml><mj-head><mj-attributes><__proto__ polluted="1"/><mj-class name="__proto__" polluted="1">' +
        '<__proto__ polluted="1"/></mj-class></mj-attributes><mj-html-attributes><mj-selector path="__proto__">' +
        '<mj-html-attribute name="polluted">1</mj-html-attribute></mj-selector></mj-html-attributes></mj-head>' +
        '<mj-body><mj-section mj-class="__proto__"></mj-section></mj-body></mjml>',
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('a position in compiled MJML', () => {
  const source =
    '<mjml><mj-body><mj-section><mj-column><mj-text>{{ payload.a }}</mj-text><mj-button href="{{ payload.url }}">{{ payload.b }}</mj-button><mj-text>{{ payload.a }}</mj-text></mj-column></mj-section></mj-body></mjml>';

  it.each([
    ['the first of two', 'payload.a', 0, 0],
    ['the second of two', 'payload.a', 1, 1],
    ['an attribute', 'payload.url', 0, 0],
    ['text', 'payload.b', 0, 0],
  ])('refers to its Liquid in the source: %s', async (_, name, nth, expected) => {
    const html = await htmlOf(source);
    const nthOf = (text: string, count: number) => {
      let offset = text.indexOf(name);
      for (let seen = 0; seen < count; seen += 1) offset = text.indexOf(name, offset + 1);
      return offset;
    };
    const place = createMjmlPositions(source, html);
    expect(place({ path: '/html', ...positionOf(html, nthOf(html, nth)) })).toEqual({
      path: '/html',
      ...positionOf(source, nthOf(source, expected)),
    });
  });

  it('is left out where there is no Liquid, and unchanged in other parts', async () => {
    const html = await htmlOf(source);
    const place = createMjmlPositions(source, html);
    expect(place({ path: '/html', line: 1, column: 1 })).toEqual({ path: '/html' });
    expect(place({ path: '/text', line: 7, column: 3 })).toEqual({ path: '/text', line: 7, column: 3 });
  });
});
