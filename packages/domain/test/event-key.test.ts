import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { isEventKey, isEventPattern, matchesEvent } from '../src/index.ts';

describe('an event key', () => {
  it.each(['order.shipped', 'a.b', 'order.item.added', 'my-shop.order_2.paid', `a.${'b'.repeat(126)}`])(
    'is %s',
    (text) => {
      expect(isEventKey(text)).toBe(true);
      expect(isEventPattern(text)).toBe(true);
    },
  );

  it.each([
    '',
    'order',
    'order.',
    '.shipped',
    'order..shipped',
    'Order.shipped',
    'order.shipped ',
    'order.shipped\n',
    'order shipped.now',
    'bestellung.übergeben',
    'order.*',
    `a.${'b'.repeat(127)}`,
  ])('is not %j', (text) => {
    expect(isEventKey(text)).toBe(false);
  });
});

describe('an event pattern', () => {
  it.each(['*', 'order.*', 'order.item.*', 'order.shipped', `${'a'.repeat(126)}.*`])('is %s', (text) => {
    expect(isEventPattern(text)).toBe(true);
  });

  it.each([
    '',
    '**',
    'order',
    '.*',
    '*.shipped',
    'order.*.added',
    'order*',
    'ORDER.*',
    `${'a'.repeat(127)}.*`,
  ])('is not %j', (text) => {
    expect(isEventPattern(text)).toBe(false);
  });
});

describe('matching', () => {
  it.each([
    [['*'], 'order.shipped', true],
    [['order.*'], 'order.shipped', true],
    [['order.*'], 'order.item.added', true],
    [['order.item.*'], 'order.item.added', true],
    [['order.shipped'], 'order.shipped', true],
    [['invoice.*', 'order.shipped'], 'order.shipped', true],
    [['order.*'], 'orders.shipped', false],
    [['order.shipped'], 'order.shipped.late', false],
    [['order.item.*'], 'order.item', false],
    [['invoice.*'], 'order.shipped', false],
    [[], 'order.shipped', false],
  ])('%j matches %s: %s', (patterns, eventKey, expected) => {
    expect(matchesEvent(patterns, eventKey)).toBe(expected);
  });

  it('matches a key by each of its leading parts', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b', '0', '_', '-'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(part, { minLength: 2, maxLength: 6 }), fc.nat(), (parts, cut) => {
        const leading = parts.slice(0, 1 + (cut % (parts.length - 1)));
        const pattern = `${leading.join('.')}.*`;
        expect(isEventPattern(pattern)).toBe(true);
        expect(matchesEvent([pattern], parts.join('.'))).toBe(true);
      }),
    );
  });
});
