import { IntlMessageFormat } from 'intl-messageformat';
import { CaptureTag, type Context, Liquid, type LiquidOptions } from 'liquidjs';
import { LRUCache } from 'lru-cache';
import { type FilterHandler, meter, sizeOf } from './metering.ts';
import { type OnLoad, registerPartTags, sourcesOf } from './part-tags.ts';
import { DEFAULT_LOCALE, type TemplateResources } from './resources.ts';
import { functionOf, withShopifyFilters } from './shopify-filters.ts';

/** Named styles of dates and times. Every other format is a strftime format. */
const STYLES = ['short', 'medium', 'long', 'full'] as const;
type Style = (typeof STYLES)[number];

const isStyle = (value: unknown): value is Style => STYLES.includes(value as Style);

/** Numbers that Intl formats exactly, with no more digits than an amount has. */
const NUMBER = /^-?\d{1,30}(\.\d{1,20})?$/;
const CURRENCY = /^[A-Za-z]{3}$/;
const MAX_FRACTION_DIGITS = 20;

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

/** Formats in a cache: creating one takes much longer than using it, and payloads can choose locale and currency. */
const MAX_FORMATS = 200;
/** Characters of the patterns in the cache of parsed messages. A parsed pattern takes some hundred bytes a character at worst. */
const MAX_PATTERN_CHARACTERS = 50_000;

/** Caches the formats that `make` creates, for all engines, by locale and options. */
function cachedFormats<Options, Format extends object>(
  make: (locale: Intl.LocalesArgument, options: Options | undefined) => Format,
): typeof make {
  const formats = new LRUCache<string, Format, Parameters<typeof make>>({
    max: MAX_FORMATS,
    memoMethod: (_key, _stale, { context }) => make(...context),
  });
  return (...given) => formats.memo(JSON.stringify(given), { context: given });
}

const numberFormat = cachedFormats(
  (locale, options: Intl.NumberFormatOptions | undefined) => new Intl.NumberFormat(locale, options),
);
const dateFormat = cachedFormats(
  (locale, options: Intl.DateTimeFormatOptions | undefined) => new Intl.DateTimeFormat(locale, options),
);
const pluralRules = cachedFormats(
  (locale, options: Intl.PluralRulesOptions | undefined) => new Intl.PluralRules(locale, options),
);

/** Parses a pattern. It formats times in this time zone. */
const parseMessage = (pattern: string, locale: string, timezone: string): IntlMessageFormat =>
  new IntlMessageFormat(pattern, locale, undefined, {
    ignoreTag: true,
    formatters: {
      getNumberFormat: numberFormat,
      getPluralRules: pluralRules,
      getDateTimeFormat(locales, options) {
        const format = dateFormat(locales, { ...options, timeZone: timezone });
        // Events contain times as texts.
        const withTexts = (value: unknown) => format.format(new Date(value as string | number));
        // It only formats.
        return { format: withTexts } as unknown as Intl.DateTimeFormat;
      },
    },
  });

const messageFormats = new LRUCache<string, IntlMessageFormat, Parameters<typeof parseMessage>>({
  maxSize: MAX_PATTERN_CHARACTERS,
  sizeCalculation: (_, key) => key.length,
  memoMethod: (_key, _stale, { context }) => parseMessage(...context),
});

/** Parses a pattern, or takes it from the cache. */
const messageFormat = (...given: Parameters<typeof parseMessage>) =>
  messageFormats.memo(given.join(' '), { context: given });

/**
 * Adds the filters that depend on the recipient's language: `t`, `number`, `money`, `time`, and styles of `date`.
 * Their output only depends on the resources, not on the machine.
 */
function registerLocalization(liquid: Liquid, resources: TemplateResources): void {
  const { locale, timezone, catalogs } = resources;
  const format = (options: Intl.NumberFormatOptions, value: number) =>
    numberFormat(locale, options).format(value);

  const strftime = functionOf(liquid, 'date');

  function styled(kind: 'dateStyle' | 'timeStyle'): FilterHandler {
    return function (value: unknown, style: unknown) {
      const seconds = strftime.call(this, value, '%s');
      if (seconds === value || seconds === undefined) return value;
      return dateFormat(locale, { [kind]: style, timeZone: timezone }).format(Number(seconds) * 1_000);
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
  function message(key: string): { pattern: string; format: IntlMessageFormat } | null {
    const catalog = catalogs.find(({ messages }) => Object.hasOwn(messages, key));
    if (!catalog) return null;
    const isOwn = locale === catalog.locale || locale.startsWith(`${catalog.locale}-`);
    const pattern = catalog.messages[key] ?? '';
    return { pattern, format: messageFormat(pattern, isOwn ? locale : catalog.locale, timezone) };
  }

  liquid.registerFilter('t', function (key: unknown, ...args: unknown[]) {
    const found = message(String(key));
    if (!found) throw new Error('no translation has a message for this key');
    const values = valuesOf(args);
    // A short message can repeat a long value many times.
    const copies = found.pattern.split(/[{#]/).length;
    this.context.memoryLimit.check(found.pattern.length + copies * sizeOf(args));
    try {
      return String(found.format.format(values));
    } catch (error) {
      throw explain(error);
    }
  });
}

/** The largest request body (docs/specification.md, "Request bodies"). Parsing takes half a second at worst. */
export const MAX_SOURCE_CHARACTERS = 256 * 1_024;
/**
 * A cooperative limit: a single filter can exceed it, so the render pool kills the process at 1 s. It is close to
 * that because it measures elapsed time, and a busy machine must not fail a valid template.
 */
const RENDER_LIMIT_MS = 750;
/**
 * Characters and list items that filters and captures may create in one render, and the largest list or object that a
 * filter may process. A render process has several times as much memory, so that nearly all cases end as an error of
 * the template.
 */
const MEMORY_LIMIT = 2_000_000;

/** Refused because they share all variables with another source, or print without escaping (`raw`). */
const REFUSED_TAGS = ['include', 'raw'];
/** Refused because it would disable escaping. */
const REFUSED_FILTER = 'raw';

const OPTIONS: LiquidOptions = {
  ownPropertyOnly: true,
  strictFilters: true,
  strictVariables: true,
  lenientIf: true,
  parseLimit: MAX_SOURCE_CHARACTERS,
  renderLimit: RENDER_LIMIT_MS,
  memoryLimit: MEMORY_LIMIT,
};

/** liquidjs counts what filters create, but not what is captured. */
class MeteredCaptureTag extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const captured = yield this.liquid.renderer.renderTemplates(this.templates, context);
    context.memoryLimit.use(captured.length);
    context.bottom()[this.variable] = captured;
  }
}

/** Options in which an engine differs from the one used for delivery. */
export type LiquidVariant = Pick<LiquidOptions, 'catchAllErrors' | 'strictVariables'> & {
  /** The parts that it can load, and its language. */
  readonly resources: TemplateResources;
  readonly onLoad: OnLoad;
};

/** Liquid that writes values unchanged. */
export function createPlainLiquid(variant: LiquidVariant): Liquid {
  return meter(createLiquid(variant));
}

/** Liquid that escapes every value once. A template cannot disable that. */
export function createHtmlLiquid(variant: LiquidVariant): Liquid {
  return meter(withEscapingFilters(createLiquid(variant, { outputEscape: 'escape' })));
}

/** The liquidjs options that depend on the resources, so that the output is the same on every machine. */
function optionsOf(resources: TemplateResources): LiquidOptions {
  const { locale, timezone } = resources;
  return {
    // Without this liquidjs would read the working directory.
    templates: sourcesOf(resources),
    // Each is parsed once per render.
    cache: true,
    locale: locale === DEFAULT_LOCALE ? 'en-US' : locale,
    timezoneOffset: timezone === 'UTC' ? 0 : timezone,
  };
}

function createLiquid({ resources, onLoad, ...variant }: LiquidVariant, format: LiquidOptions = {}): Liquid {
  const liquid = new Liquid({ ...OPTIONS, ...optionsOf(resources), ...format, ...variant });
  for (const tag of REFUSED_TAGS) delete liquid.tags[tag];
  liquid.registerTag('capture', MeteredCaptureTag);
  liquid.unregisterFilter(REFUSED_FILTER);
  registerPartTags(liquid, onLoad);
  registerLocalization(withShopifyFilters(liquid), resources);
  return liquid;
}

/**
 * Filters whose result is already escaped. The result is marked `raw`, so that it is not escaped again if the filter
 * comes last, as usual in `{{ x | escape }}` and `{{ x | escape | newline_to_br }}`.
 */
function withEscapingFilters(liquid: Liquid): Liquid {
  const escapeOnce = functionOf(liquid, 'escape_once');
  const breakLines = functionOf(liquid, 'newline_to_br');
  for (const name of ['escape', 'xml_escape', 'escape_once']) {
    liquid.registerFilter(name, { raw: true, handler: functionOf(liquid, name) });
  }
  liquid.registerFilter('newline_to_br', {
    raw: true,
    handler(value: unknown) {
      return breakLines.call(this, escapeOnce.call(this, value));
    },
  });
  return liquid;
}
