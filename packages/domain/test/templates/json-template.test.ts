import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import {
  checkJsonTemplate,
  type JsonObject,
  type JsonValue,
  previewJsonTemplate,
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
  it('renders the string leaves and keeps everything else unchanged', () => {
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

  it.each<JsonValue>(['{{ event_key }}', 1, null, true, [], {}])(
    'accepts any JSON as the body: %j',
    (body) => {
      const value = body === '{{ event_key }}' ? 'order.shipped' : body;
      expect(renderJsonTemplate(body, contextOf({}))).toEqual({ ok: true, value });
    },
  );

  it('does not let a value change the structure or another leaf, and escapes nothing', () => {
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

  it('treats __proto__ as a plain key', () => {
    const rendered = renderJsonTemplate(JSON.parse('{"__proto__":{"a":"{{ event_key }}"}}'), contextOf({}));
    expect(rendered.ok && JSON.stringify(rendered.value)).toBe('{"__proto__":{"a":"order.shipped"}}');
  });

  it('reports the leaf that failed as a JSON Pointer', () => {
    const body = { fine: 'x', 'a/b': ['y', '{{ payload.missing }}'], later: '{{ payload.other }}' };
    expect(renderJsonTemplate(body, contextOf({}))).toEqual({
      ok: false,
      message: '/a~1b/1: undefined variable: payload.missing (line 1, column 4)',
    });
  });

  it('limits the total output like that of one text', () => {
    const leaf = '{{ payload.text }}{{ payload.text }}{{ payload.text }}{{ payload.text }}';
    const rendered = renderJsonTemplate(Array(30).fill(leaf), contextOf({ text: 'x'.repeat(50_000) }));
    expect(rendered).toEqual({ ok: false, message: expect.stringMatching(/^\/10: more than/) });
  });
});

describe('checking a JSON template', () => {
  it('finds no issue in a sound one', () => {
    expect(checkJsonTemplate({ a: ['{{ payload.x }}', 1], '{{ not a template': null })).toEqual([]);
  });

  it('reports every issue with its JSON Pointer', () => {
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

describe('a value in a JSON template', () => {
  const payload: JsonObject = {
    amount: 12.5,
    paid: false,
    note: null,
    items: [{ sku: 'A', 'unit price': 3 }, { sku: 'B' }],
    address: { city: 'Berlin' },
  };
  const render = (body: JsonValue) => renderJsonTemplate(body, contextOf(payload));

  it.each<[string, JsonValue]>([
    ['payload.amount', 12.5],
    ['payload.paid', false],
    ['payload.note', null],
    ['payload.items', payload.items as JsonValue],
    ['payload.items[1].sku', 'B'],
    ['payload.items[0]["unit price"]', 3],
    ["payload['address']", { city: 'Berlin' }],
    ['recipient.email', 'ada@example.com'],
    ['event_key', 'order.shipped'],
  ])('is the value of the context at %s, with its type', (path, value) => {
    expect(render({ at: [{ $value: path }] })).toEqual({ ok: true, value: { at: [value] } });
    expect(previewJsonTemplate({ $value: path }, contextOf(payload))).toEqual({
      rendered: value,
      missing: [],
      issues: [],
    });
  });

  it.each([
    ['payload.nothing.deep', 'payload.nothing'],
    ['payload.items[2].sku', 'payload.items[2]'],
    ['payload.items.length', 'payload.items.length'],
    ['payload.constructor', 'payload.constructor'],
    ['payload.__proto__', 'payload.__proto__'],
    ['payload["toString"]', 'payload["toString"]'],
    ['payload.amount.toFixed', 'payload.amount.toFixed'],
    ['hasOwnProperty', 'hasOwnProperty'],
  ])('that is missing is reported as a missing variable: %s', (path, name) => {
    const body = { a: { $value: path } };
    expect(render(body)).toEqual({ ok: false, message: `/a/$value: undefined variable: ${name}` });
    expect(previewJsonTemplate(body, contextOf(payload))).toEqual({
      rendered: { a: null },
      missing: [{ path: '/a/$value', name }],
      issues: [],
    });
  });

  it('that is missing has its default, which is a template', () => {
    const body = {
      a: { $value: 'payload.nothing', default: ['{{ payload.amount }}', { $value: 'payload.paid' }] },
    };
    expect(render(body)).toEqual({ ok: true, value: { a: ['12.5', false] } });
    expect(render({ $value: 'payload.note', default: 1 })).toEqual({ ok: true, value: null });
    expect(checkJsonTemplate({ $value: 'payload.a', default: '{{' })).toMatchObject([{ path: '/default' }]);
  });

  it.each<[JsonObject, string]>([
    [{ $value: 7 }, 'must be a path'],
    [{ $value: '' }, 'must be a path'],
    [{ $value: 'payload..a' }, 'must be a path'],
    [{ $value: 'payload.a b' }, 'must be a path'],
    [{ $value: '{{ payload.a }}' }, 'must be a path'],
    [{ $value: '[0]' }, 'must be a path'],
    [{ $value: 'payload.a | upcase' }, 'must be a path'],
    [{ $value: `payload.${'a'.repeat(300)}` }, 'must not be longer than 256 characters'],
    [{ $value: `a${'[0]'.repeat(40)}` }, 'must not have more than 33 segments'],
    [{ $value: 'payload.a', others: 1 }, 'must be alone in its object'],
  ])('is refused as %j', (reference, message) => {
    expect(checkJsonTemplate({ a: reference })).toMatchObject([
      { path: '/a/$value', message: expect.stringContaining(message) },
    ]);
  });

  it('counts towards the output limit each time it is used', () => {
    const large = contextOf({ list: Array.from({ length: 20_000 }, () => 'x') });
    const body = { all: Array.from({ length: 100 }, () => ({ $value: 'payload.list' })) };
    expect(renderJsonTemplate(body, large)).toMatchObject({ ok: false });
    expect(previewJsonTemplate(body, large).issues).toMatchObject([{ path: '/all/52/$value' }]);
  });
});
