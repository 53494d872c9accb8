import { LRUCache } from 'lru-cache';
import type { JsonObject, JsonValue } from '../storable-json.ts';
import type { PartType, PinnedPart } from './parts.ts';

/** Messages of one language by their keys, in ICU MessageFormat. */
type Catalog = { readonly locale: string; readonly messages: Readonly<Record<string, string>> };

/** The resources of a template besides its variables. It can load these parts and no others. */
export type TemplateResources = {
  /** Identifies these resources: equal keys mean equal resources. Without one, they are not cached beyond the render. */
  readonly key?: string;
  /** The language of the output (BCP 47), in which dates, numbers and amounts are formatted. */
  readonly locale: string;
  /** An IANA time zone. */
  readonly timezone: string;
  /** Sources by name. */
  readonly layouts: Readonly<Record<string, string>>;
  readonly partials: Readonly<Record<string, string>>;
  /** In the order in which they are searched. */
  readonly catalogs: readonly Catalog[];
};

/** The content of a version of a part: Liquid of a layout or partial, or the messages of a translation. */
export type PartContent = string | Readonly<Record<string, string>>;

/** The default locale of an environment. */
export const DEFAULT_LOCALE = 'en';
const DEFAULT_TIMEZONE = 'UTC';
/** A language, optionally with a script and a region: a locale that translations can have. */
export const LOCALE_PATTERN = '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$';
/** The longest tag that is parsed. Those in use have up to 20 characters. */
const MAX_TAG_CHARACTERS = 64;

export const DEFAULT_RESOURCES: TemplateResources = {
  locale: DEFAULT_LOCALE,
  timezone: DEFAULT_TIMEZONE,
  layouts: {},
  partials: {},
  catalogs: [],
};

/** The canonical form of a BCP 47 tag without extensions; `fr_CA` is accepted too. Null if it is invalid. */
export function canonicalLocale(text: unknown): string | null {
  if (typeof text !== 'string' || text === '' || text.length > MAX_TAG_CHARACTERS) return null;
  try {
    return new Intl.Locale(text.replaceAll('_', '-')).baseName;
  } catch {
    return null;
  }
}

const timezones = new LRUCache<string, { readonly name: string | null }>({
  max: 1_000,
  memoMethod: (text) => {
    try {
      return { name: new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone };
    } catch {
      return { name: null };
    }
  },
});

/** An IANA time zone, or null. Offsets such as `+01:00` are not accepted, because they have no daylight saving time. */
function timezoneOf(text: JsonValue | undefined): string | null {
  if (typeof text !== 'string' || !/^[A-Za-z]/.test(text) || text.length > MAX_TAG_CHARACTERS) return null;
  return timezones.memo(text).name;
}

/** Whether a text is an IANA time zone that this process knows. The case of its letters does not matter. */
export const isTimezone = (text: string): boolean => timezoneOf(text) !== null;

/** A locale and its fallbacks: `fr-CA`, `fr`. */
export function fallbacksOf(locale: string): string[] {
  const subtags = locale.split('-');
  return subtags.map((_, index) => subtags.slice(0, subtags.length - index).join('-'));
}

const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa']);

const directions = new LRUCache<string, 'ltr' | 'rtl'>({
  max: 200,
  memoMethod: (locale) =>
    RIGHT_TO_LEFT.has(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'ltr',
});

/** The direction of a locale's script, for HTML's `dir` attribute. */
export const directionOf = (locale: string): 'ltr' | 'rtl' => directions.memo(locale);

/** The fields of a template version that determine its resources. */
export interface LocalizedTemplate {
  readonly parts: readonly PinnedPart[] | null;
  /** Null in versions older than locales, which ignore the recipient's locale. */
  readonly defaultLocale: string | null;
}

/** The parts that a render needs, and its locale. */
interface ResourcePlan extends Pick<TemplateResources, 'locale' | 'timezone'> {
  /** Layouts, partials and the translations to search, in that order. */
  readonly needed: readonly PinnedPart[];
}

const isSource = ({ type }: { readonly type: PartType }) => type !== 'translation';

/**
 * Plans the resources of a render for a recipient. The recipient's `locale` falls back from `fr-CA` to `fr` and then
 * to the default of the version. An email has one language: if there are translations but none in the recipient's
 * language, dates and amounts also use the default. Null if nothing differs from {@link DEFAULT_RESOURCES}.
 */
export function planResources(
  { parts, defaultLocale }: LocalizedTemplate,
  recipient: JsonObject,
): ResourcePlan | null {
  if (defaultLocale === null) return null;
  const wanted = canonicalLocale(recipient.locale);
  const timezone = timezoneOf(recipient.timezone) ?? DEFAULT_TIMEZONE;
  const translations = new Map((parts ?? []).flatMap((part) => (isSource(part) ? [] : [[part.name, part]])));
  const find = (locale: string) => fallbacksOf(locale).flatMap((name) => translations.get(name) ?? []);
  const own = wanted === null ? [] : find(wanted);
  const isOwn = wanted !== null && (translations.size === 0 || own.length > 0);
  const locale = isOwn ? wanted : defaultLocale;
  if (!parts?.length && locale === DEFAULT_LOCALE && timezone === DEFAULT_TIMEZONE) return null;
  const needed = new Set([...(parts ?? []).filter(isSource), ...own, ...find(defaultLocale)]);
  return { locale, timezone, needed: [...needed] };
}

/**
 * Creates the resources of a plan from contents by UUID.
 * @throws if a content is missing, which is a bug because parts are never removed
 */
export function toResources(
  { locale, timezone, needed }: ResourcePlan,
  contents: { get(id: string): PartContent | undefined },
): TemplateResources {
  const contentOf = (id: string) => {
    const content = contents.get(id);
    if (content === undefined) throw new Error(`there is no content of the part ${id}`);
    return content;
  };
  const sources = (type: PartType) =>
    Object.fromEntries(
      needed.filter((part) => part.type === type).map(({ name, id }) => [name, contentOf(id) as string]),
    );
  const catalogs = needed
    .filter((part) => !isSource(part))
    .map(({ name, id }) => ({ locale: name, messages: contentOf(id) as Catalog['messages'] }));
  // The content of a version never changes.
  const key = [locale, timezone, ...needed.map(({ id }) => id)].join(' ');
  return { key, locale, timezone, layouts: sources('layout'), partials: sources('partial'), catalogs };
}
