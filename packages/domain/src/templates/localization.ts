import { IntlMessageFormat } from 'intl-messageformat';
import type { FilterImplOptions, Liquid } from 'liquidjs';
import { sizeOf } from './metering.ts';
import type { TemplateResources } from './resources.ts';

/** Named styles of dates and times. Every other format is a strftime format. */
const STYLES = ['short', 'medium', 'long', 'full'] as const;
type Style = (typeof STYLES)[number];

const isStyle = (value: unknown): value is Style => STYLES.includes(value as Style);

/** Numbers that Intl formats exactly, with no more digits than an amount has. */
const NUMBER = /^-?\d{1,30}(\.\d{1,20})?$/;
const CURRENCY = /^[A-Za-z]{3}$/;
const MAX_FRACTION_DIGITS = 20;

type FilterFunction = Extract<FilterImplOptions, (...given: never[]) => unknown>;

/** Converts numbers, and texts that are numbers, which keep all their digits. */
function numberOf(filter: string, value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  // Intl accepts numeric strings, which its type does not say.
  if (typeof value === 'string' && NUMBER.test(value)) return value as unknown as number;
  throw new Error(`${filter} can only format a number`);
}

function fractionOf(digits: unknown): Intl.NumberFormatOptions {
  if (digits === undefined) return {};
  const count = Number(digits);
  if (!Number.isInteger(count) || count < 0 || count > MAX_FRACTION_DIGITS) {
    throw new Error(`fraction digits are a whole number from 0 to ${MAX_FRACTION_DIGITS}`);
  }
  return { minimumFractionDigits: count, maximumFractionDigits: count };
}

/** The values of a message: `{{ 'cart' | t: count: 2, name: recipient.name }}`. */
function valuesOf(args: readonly unknown[]): Record<string, string | number> {
  const values: Record<string, string | number> = Object.create(null);
  for (const argument of args) {
    if (!Array.isArray(argument)) throw new Error('t takes named values, such as count: 2');
    const [name, value] = argument as [string, unknown];
    if (typeof value === 'string' || typeof value === 'number') values[name] = value;
    else if (typeof value === 'boolean') values[name] = String(value);
    else if (value === null) values[name] = '';
    else throw new Error(`the value ${name} of a message must be a text or a number`);
  }
  return values;
}

/** Why a message cannot be formatted, without its values, because they are personal data. */
function explain(error: unknown): Error {
  const { code, message } = error as { code?: unknown; message?: string };
  const name = code === 'MISSING_VALUE' && /variable "([^"]{1,100})"/.exec(message ?? '')?.[1];
  if (name) return new Error(`the message needs the value ${name}`);
  if (code === 'INVALID_VALUE') return new Error('a value fits no option of the message');
  return new Error('the message cannot be formatted with these values');
}

const cached = <Value>(create: (key: string) => Value) => {
  const values = new Map<string, Value>();
  return (key: string): Value => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = create(key);
    values.set(key, value);
    return value;
  };
};

/**
 * Adds the filters that depend on the recipient's language: `t`, `number`, `money`, `time`, and styles of `date`.
 * Their output only depends on the resources, not on the machine.
 */
export function registerLocalization(liquid: Liquid, resources: TemplateResources): void {
  const { locale, timezone, catalogs } = resources;
  const numbers = cached(
    (options) => new Intl.NumberFormat(locale, JSON.parse(options) as Intl.NumberFormatOptions),
  );
  const dates = cached(
    (options) =>
      new Intl.DateTimeFormat(locale, {
        ...(JSON.parse(options) as Intl.DateTimeFormatOptions),
        timeZone: timezone,
      }),
  );
  const format = (options: Intl.NumberFormatOptions, value: number) =>
    numbers(JSON.stringify(options)).format(value);

  const strftime = liquid.filters.date as FilterFunction;

  function styled(kind: 'dateStyle' | 'timeStyle'): FilterFunction {
    return function (value: unknown, style: unknown) {
      const seconds = strftime.call(this, value, '%s');
      if (seconds === value || seconds === undefined) return value;
      return dates(JSON.stringify({ [kind]: style })).format(Number(seconds) * 1_000);
    };
  }
  const dateOf = styled('dateStyle');
  const timeOf = styled('timeStyle');

  liquid.registerFilter('date', function (value: unknown, ...args: unknown[]) {
    return isStyle(args[0]) ? dateOf.call(this, value, args[0]) : strftime.call(this, value, ...args);
  });
  liquid.registerFilter('time', function (value: unknown, style: unknown = 'short') {
    if (!isStyle(style)) throw new Error(`time takes ${STYLES.join(', ')}`);
    return timeOf.call(this, value, style);
  });
  liquid.registerFilter('number', (value: unknown, digits: unknown) =>
    format(fractionOf(digits), numberOf('number', value)),
  );
  liquid.registerFilter('money', (value: unknown, currency: unknown, digits: unknown) => {
    if (typeof currency !== 'string' || !CURRENCY.test(currency)) {
      throw new Error('money takes a currency, such as "EUR"');
    }
    return format({ style: 'currency', currency, ...fractionOf(digits) }, numberOf('money', value));
  });

  /**
   * Formats a message in the render's locale if the catalog has the same language, otherwise in the catalog's locale.
   */
  const message = cached((key) => {
    const catalog = catalogs.find(({ messages }) => Object.hasOwn(messages, key));
    if (!catalog) return null;
    const isOwn = locale === catalog.locale || locale.startsWith(`${catalog.locale}-`);
    const pattern = catalog.messages[key] ?? '';
    const format = new IntlMessageFormat(pattern, isOwn ? locale : catalog.locale, undefined, {
      ignoreTag: true,
      formatters: {
        getNumberFormat: (locales, options) => new Intl.NumberFormat(locales, options),
        getPluralRules: (locales, options) => new Intl.PluralRules(locales, options),
        getDateTimeFormat(locales, options) {
          const dateFormat = new Intl.DateTimeFormat(locales, { ...options, timeZone: timezone });
          // Events contain times as texts.
          const withTexts = (value: unknown) => dateFormat.format(new Date(value as string | number));
          // It only formats.
          return { format: withTexts } as unknown as Intl.DateTimeFormat;
        },
      },
    });
    return { format, copies: pattern.split(/[{#]/).length, length: pattern.length };
  });

  liquid.registerFilter('t', function (key: unknown, ...args: unknown[]) {
    const found = message(String(key));
    if (!found) throw new Error('no translation has a message for this key');
    const values = valuesOf(args);
    // A short message can repeat a long value many times.
    this.context.memoryLimit.check(found.length + found.copies * sizeOf(args));
    try {
      return String(found.format.format(values));
    } catch (error) {
      throw explain(error);
    }
  });
}
