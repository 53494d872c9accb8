import { relativeTo } from '@postrider/console/ui/moment.ts';
import { createContext, useContext } from 'react';
import { en, type Texts } from '../locales/en.ts';

/** The languages of the portal. English is there without another request. */
const LANGUAGES: Readonly<Record<string, () => Promise<Texts>>> = {
  en: async () => en,
  de: async () => (await import('../locales/de.ts')).de,
  es: async () => (await import('../locales/es.ts')).es,
  fr: async () => (await import('../locales/fr.ts')).fr,
};

/** The texts of a language, with its forms of numbers and times. */
export interface Language {
  readonly tag: string;
  readonly t: Texts;
  readonly number: (value: number) => string;
  /** A share from 0 to 1; what is not all is less than 100 %. */
  readonly percent: (share: number) => string;
  /** The month of a day, in UTC, such as "November 2026". */
  readonly month: (date: string) => string;
  readonly dateTime: (iso: string) => string;
  /** Such as "3 minutes ago". */
  readonly relative: (iso: string) => string;
  readonly duration: (ms: number) => string;
  /** Such as "24 hours". */
  readonly amount: (value: number, unit: 'hour' | 'day') => string;
}

/** The reader's own tag, such as `en-GB`, if it is of this language: forms of dates differ by country. */
const formsOf = (tag: string) =>
  navigator.languages.find((each) => each.split('-', 1)[0] === tag && isTag(each)) ?? tag;

/** In the POSIX locale the language of Chromium is `en-US@posix`, which is no valid tag. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

function languageOf(language: string, t: Texts): Language {
  const tag = formsOf(language);
  const numbers = new Intl.NumberFormat(tag);
  const percents = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 });
  const months = new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const times = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' });
  const distances = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' });
  const inUnit = (unit: string, options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(tag, { style: 'unit', unit, ...options });
  return {
    tag: language,
    t,
    number: (value) => numbers.format(value),
    percent: (share) => percents.format(share < 1 ? Math.min(share, 0.999) : 1),
    month: (date) => months.format(new Date(date)),
    dateTime: (iso) => times.format(new Date(iso)),
    relative: (iso) => relativeTo(distances, iso),
    duration: (ms) =>
      ms < 1_000
        ? inUnit('millisecond', { maximumFractionDigits: 0 }).format(ms)
        : inUnit('second', { maximumFractionDigits: 1 }).format(ms / 1_000),
    amount: (value, unit) => inUnit(unit, { unitDisplay: 'long' }).format(value),
  };
}

/** Loads a language by the language of a BCP 47 tag; English if it is unknown. */
export async function loadLanguage(tag: string | null | undefined): Promise<Language> {
  const wanted = (tag ?? '').toLowerCase().split(/[-_]/, 1)[0] ?? '';
  const known = Object.hasOwn(LANGUAGES, wanted) ? wanted : 'en';
  return languageOf(known, (await LANGUAGES[known]?.()) ?? en);
}

export const LanguageContext = createContext<Language>(languageOf('en', en));

export const useLanguage = () => useContext(LanguageContext);
