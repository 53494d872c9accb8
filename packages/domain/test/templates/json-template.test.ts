import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import {
  checkJsonTemplate,
  type JsonObject,
  type JsonValue,
  renderJsonTemplate,
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

describe('rendering a JSON template', () => {
  it('renders the string leaves and leaves the rest as it is', () => {
    const body = {
      text: 'Order {{ payload.number }} for {{ recipient.email }}',
      '{{ key }}': ['{{ event_key }}', 1, true, null, { deep: '{{ payload.number | plus: 1 }}' }],
    };
    expect(renderJsonTemplate(body, contextOf({ number: 7 }))).toEqual({
      ok: true,
      value: {
        text: 'Order 7 for ada@example.com',
        '{{ key }}': ['order.shipped', 1, true, null, { deep: '8' }],
      },
    });
  });

  it.each<JsonValue>(['{{ event_key }}', 1, null, true, [], {}])('takes any JSON as the body: %j', (body) => {
    const value = body === '{{ event_key }}' ? 'order.shipped' : body;
    expect(renderJsonTemplate(body, contextOf({}))).toEqual({ ok: true, value });
  });

  it('lets no value change the structure or another leaf, and escapes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const rendered = renderJsonTemplate({ a: '{{ payload.value }}', b: ['x'] }, contextOf({ value }));
        expect(rendered).toEqual({ ok: true, value: { a: value, b: ['x'] } });
      }),
    );
  });

  it('copies JSON without templates unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (generated) => {
        const text = JSON.stringify(generated);
        fc.pre(!text.includes('{{') && !text.includes('{%'));
        const body: JsonValue = JSON.parse(text);
        expect(renderJsonTemplate(body, contextOf({}))).toEqual({ ok: true, value: body });
      }),
    );
  });

  it('keeps __proto__ a plain key', () => {
    const rendered = renderJsonTemplate(JSON.parse('{"__proto__":{"a":"{{ event_key }}"}}'), contextOf({}));
    expect(rendered.ok && JSON.stringify(rendered.value)).toBe('{"__proto__":{"a":"order.shipped"}}');
  });

  it('names the leaf that failed as a JSON Pointer', () => {
    const body = { fine: 'x', 'a/b': ['y', '{{ payload.missing }}'], later: '{{ payload.other }}' };
    expect(renderJsonTemplate(body, contextOf({}))).toEqual({
      ok: false,
      message: '/a~1b/1: undefined variable: payload.missing (line 1, column 4)',
    });
  });

  it('refuses more output in all than one text may have', () => {
    const leaf = '{{ payload.text }}{{ payload.text }}{{ payload.text }}{{ payload.text }}';
    const rendered = renderJsonTemplate(Array(30).fill(leaf), contextOf({ text: 'x'.repeat(50_000) }));
    expect(rendered).toEqual({ ok: false, message: expect.stringMatching(/^\/10: more than/) });
  });
});

describe('checking a JSON template', () => {
  it('finds no issue in a sound one', () => {
    expect(checkJsonTemplate({ a: ['{{ payload.x }}', 1], '{{ not a template': null })).toEqual([]);
  });

  it('reports every issue by its JSON Pointer', () => {
    expect(checkJsonTemplate({ a: ['{{ x | raw }}'], 'b~': '{% include "x" %}', c: '{{' })).toEqual([
      { path: '/a/0', message: 'undefined filter: raw', line: 1, column: 1 },
      { path: '/b~0', message: 'tag "include" not found', line: 1, column: 1 },
      { path: '/c', message: expect.stringMatching(/not closed/), line: 1, column: 1 },
    ]);
  });

  it('refuses more than 32 levels', () => {
    const nested = (levels: number): JsonValue => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    expect(checkJsonTemplate(nested(32))).toEqual([]);
    expect(checkJsonTemplate(nested(33))).toEqual([
      { path: '', message: expect.stringMatching(/32 levels/) },
    ]);
  });
});
