import { describe, expect, it } from '@postrider/testing';
import { type JsonObject, renderJsonTemplate, type TemplateContext } from '../../src/index.ts';

const PAYLOAD: JsonObject = {
  cents: 1_250,
  half: 0.5,
  items: [{ sku: 'A', tags: { vip: true }, price: 10.1 }, { sku: 'B' }, { sku: 'A', price: 2.2 }],
  nested: [[{ n: 1 }], { n: 2 }],
  words: ['red', 'green'],
  empty: {},
};

function render(template: string) {
  const context: TemplateContext = {
    event_key: 'order.shipped',
    recipient: {},
    payload: PAYLOAD,
    message_id: 'msg_1',
    delivery_run_id: 'run_1',
    timestamp: '2026-11-21T02:00:00.000Z',
  };
  const rendered = renderJsonTemplate(template, context);
  return rendered.ok ? rendered.value : rendered.message;
}

describe('filters that behave as in Shopify', () => {
  it.each([
    ['{{ 7 | divided_by: 2 }}', '3'],
    ['{{ -7 | divided_by: 2 }}', '-4'],
    ['{{ "7" | divided_by: "2" }}', '3'],
    ['{{ 7 | divided_by: 2.0 }}', '3.5'],
    ['{{ payload.cents | divided_by: 100 }}', '12'],
    ['{{ payload.cents | divided_by: 100.0 }}', '12.5'],
    ['{{ 1 | divided_by: payload.half }}', '2'],
    ['{{ 7 | divided_by: 0 }}', expect.stringContaining('divided by 0')],
    ['{{ 7 | modulo: 0 }}', expect.stringContaining('divided by 0')],
    ['{{ 10.1 | minus: 2.2 }}', '7.9'],
    ['{{ 0.1 | plus: 0.2 }}', '0.3'],
    ['{{ 1.1 | times: 3 }}', '3.3'],
    ['{{ 5.666 | round: 1 }}', '5.7'],
    ['{{ "a?b>" | base64_url_safe_encode }}', 'YT9iPg=='],
    ['{{ "YT9iPg==" | base64_url_safe_decode }}', 'a?b>'],
    ['{{ "!" | base64_url_safe_decode }}', expect.stringContaining('invalid base64')],
    ['{{ "ü" | base64_encode }} {{ "w7w=" | base64_decode }}', 'w7w= ü'],
    ['{{ payload.items | where: "price" | map: "sku" | join }}', 'A A'],
    ['{{ payload.items | where: "price", 2.2 | map: "sku" | join }}', 'A'],
    ['{{ payload.items | reject: "price" | map: "sku" | join }}', 'B'],
    ['{{ payload.items | has: "tags.vip" }}', 'true'],
    ['{{ payload.items | find_index: "sku", "B" }}', '1'],
    ['{% assign found = payload.items | find: "price" %}{{ found.sku }}', 'A'],
    ['{{ payload.items | has: "constructor" }}', 'false'],
    ['{{ payload.words | has: "green" }} {{ payload.words | find: "re" }}', 'true red'],
    ['{{ payload.items | uniq: "sku" | map: "sku" | join }}', 'A B'],
    ['{{ payload.items | compact: "price" | size }}', '2'],
    ['{{ payload.nested | map: "n" | join }} {{ payload.nested | sum: "n" }}', '1 2 3'],
    ['{{ payload.items[0] | size }}', '3'],
    ['{{ payload.empty | default: "none" }}', 'none'],
    ['{{ "it\'s!" | url_encode }}', 'it%27s%21'],
  ])('%s', (template, text) => {
    expect(render(template)).toEqual(text);
  });
});
