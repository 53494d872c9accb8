import { Buffer } from 'node:buffer';
import { type Context, type Liquid, toValue } from 'liquidjs';
import type { FilterHandler } from './metering.ts';

/** Significant decimal digits of a double. Digits beyond them are rounding errors of sums. */
const DIGITS = 15;

const numberOf = (value: unknown): number => Number(value) || 0;

/** Rounds like a decimal calculation: 10.1 minus 2.2 is 7.9. */
function exactly(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS));
}

/**
 * Whether an argument was written as a fraction, such as `2.0`. Values do not keep that: 2.0 in JSON or in a variable
 * is an integer.
 */
const isFraction = (text: string | undefined): boolean => text?.includes('.') === true;

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An item's own property, or null. */
const propertyOf = (item: unknown, key: unknown): unknown =>
  isPlainObject(item) && Object.hasOwn(item, textOf(key)) ? item[textOf(key)] : null;

/** Flattens nested lists. The meter has already counted their items. */
const flat = (value: unknown): unknown =>
  Array.isArray(value) ? value.flat(Number.POSITIVE_INFINITY) : value;

/** The same context, in which a missing property of an item is nil instead of an error. */
const lenient = (context: Context): Context =>
  Object.create(context, { strictVariables: { value: false } }) as Context;

/** The first argument as written in the source. */
function writtenArgument(token: unknown): string | undefined {
  const [first] = (token as { args?: { getText?: () => string }[] }).args ?? [];
  return first?.getText?.();
}

const divide: FilterHandler = function (
  this: { token: unknown },
  value: unknown,
  by: unknown,
  whole = false,
) {
  const [dividend, divisor] = [numberOf(value), numberOf(by)];
  if (divisor === 0) throw new Error('divided by 0');
  const hasFraction = [textOf(value), textOf(by), writtenArgument(this.token)].some(isFraction);
  const isWhole = Number.isInteger(dividend) && Number.isInteger(divisor) && !hasFraction;
  return isWhole || whole ? Math.floor(dividend / divisor) : dividend / divisor;
};

const FILTERS: Readonly<Record<string, FilterHandler>> = {
  divided_by: divide,
  base64_url_safe_encode: (value: unknown) =>
    Buffer.from(textOf(value), 'utf8').toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
  base64_url_safe_decode(value: unknown) {
    const text = textOf(value);
    if (!/^[A-Za-z0-9_-]*={0,2}$/.test(text)) throw new Error('invalid base64 provided');
    return Buffer.from(text, 'base64url').toString('utf8');
  },
};

type Wrapped = (
  this: ThisParameterType<FilterHandler>,
  original: FilterHandler,
  ...given: unknown[]
) => unknown;

const rounded: Wrapped = function (original, ...given) {
  const result = original.call(this, given[0], ...given.slice(1));
  return typeof result === 'number' ? exactly(result) : result;
};

/** For items without properties: texts are searched as substrings, other values are compared. */
function hasIn(item: unknown, wanted: unknown): boolean {
  return typeof item === 'string' ? item.includes(textOf(wanted)) : item === wanted;
}

/** `ofPlain` handles lists of texts and numbers, and a single text. An expected nil counts as no argument. */
const ofProperty = (ofPlain: (items: unknown[], isWanted: (item: unknown) => boolean) => unknown): Wrapped =>
  function (original, value, key, given) {
    const expected = toValue(given) ?? undefined;
    const items = typeof value === 'string' ? [value] : flat(value);
    const isPlain =
      Array.isArray(items) && items.length > 0 && items.every((item) => typeof item !== 'object');
    if (isPlain) {
      const isPossible = expected === undefined || expected === key;
      return ofPlain(items, (item) => isPossible && hasIn(item, key));
    }
    const context = lenient(this.context);
    return original.call({ ...this, context }, items, key, ...(expected === undefined ? [] : [expected]));
  };

const ofFlatList: Wrapped = function (original, value, ...given) {
  return original.call(this, flat(value), ...given);
};

/** Filters of liquidjs that are changed because they differ from Shopify's without a reason. */
const CHANGED: Readonly<Record<string, Wrapped>> = {
  plus: rounded,
  minus: rounded,
  times: rounded,
  modulo(original, value, by) {
    if (numberOf(by) === 0) throw new Error('divided by 0');
    return rounded.call(this, original, value, by);
  },
  where: ofProperty((items, isWanted) => items.filter(isWanted)),
  reject: ofProperty((items, isWanted) => items.filter((item) => !isWanted(item))),
  find: ofProperty((items, isWanted) => items.find(isWanted) ?? null),
  find_index: ofProperty((items, isWanted) => {
    const index = items.findIndex(isWanted);
    return index < 0 ? null : index;
  }),
  has: ofProperty((items, isWanted) => items.some(isWanted)),
  group_by(original, value, key) {
    return original.call({ ...this, context: lenient(this.context) }, value, key);
  },
  url_encode(original, value) {
    const percent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
    return textOf(original.call(this, value)).replace(/[!'()*]/g, percent);
  },
  map: ofFlatList,
  concat: ofFlatList,
  sum: ofFlatList,
  compact(original, value, key) {
    if (key === undefined || !Array.isArray(value)) return original.call(this, value);
    return value.filter((item) => (propertyOf(item, key) ?? null) !== null);
  },
  uniq(original, value, key) {
    if (key === undefined || !Array.isArray(value)) return original.call(this, value);
    const items = new Map<unknown, unknown>();
    for (const item of value) {
      const property = propertyOf(item, key);
      if (!items.has(property)) items.set(property, item);
    }
    return [...items.values()];
  },
  size(original, value) {
    return isPlainObject(value) ? Object.keys(value).length : original.call(this, value);
  },
  default(original, value, ...given) {
    const isEmpty = isPlainObject(value) && Object.keys(value).length === 0;
    return original.call(this, isEmpty ? null : value, ...given);
  },
  round(original, value, digits = 0) {
    return original.call(this, value, Math.trunc(numberOf(digits)));
  },
};

/** A filter of the library. */
export function functionOf(liquid: Liquid, name: string): FilterHandler {
  const filter = liquid.filters[name];
  if (typeof filter !== 'function') throw new TypeError(`liquidjs has no filter function ${name}`);
  return filter;
}

/** Makes liquidjs' filters behave as Shopify documents them. docs/templates.md lists the remaining differences. */
export function withShopifyFilters(liquid: Liquid): Liquid {
  for (const [name, filter] of Object.entries(FILTERS)) liquid.registerFilter(name, filter);
  for (const [name, change] of Object.entries(CHANGED)) {
    const original = functionOf(liquid, name);
    liquid.registerFilter(name, function (...given: unknown[]) {
      return change.call(this, original, ...given);
    });
  }
  return liquid;
}
