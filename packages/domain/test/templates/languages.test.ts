import { describe, expect, it } from '@postrider/testing';
import {
  checkMessages,
  findMissingMessages,
  type JsonObject,
  type PinnedPart,
  planResources,
  renderEmailTemplate,
  type TemplateContext,
  type TemplateResources,
  toResources,
} from '../../src/index.ts';

const MESSAGES: Record<string, Record<string, string>> = {
  en: {
    hello: 'Hello {name}',
    items: '{count, plural, =0 {No items} one {# item} other {# items}}',
    only: 'English only',
    mark: 'A <b>{name}</b> & more',
    when: 'On {at, date, long} at {at, time, short}',
    who: '{gender, select, female {She} male {He} other {They}} bought it',
  },
  fr: { hello: 'Bonjour {name}', items: '{count, plural, one {# article} other {# articles}}' },
  'fr-CA': { hello: 'Allô {name}' },
  ar: { items: '{count, plural, zero {لا} one {واحد} two {اثنان} few {# قليل} many {# كثير} other {#}}' },
};

const PARTS: PinnedPart[] = Object.keys(MESSAGES).map((name, index) => ({
  id: name,
  type: 'translation',
  name,
  version: index + 1,
}));

function resourcesFor(
  recipient: JsonObject,
  parts: PinnedPart[] | null = PARTS,
): TemplateResources | undefined {
  const plan = planResources({ parts, defaultLocale: 'en' }, recipient);
  return plan ? toResources(plan, new Map(Object.entries(MESSAGES))) : undefined;
}

function render(source: string, recipient: JsonObject = {}, parts: PinnedPart[] | null = PARTS): string {
  const resources = resourcesFor(recipient, parts);
  const context: TemplateContext = {
    event_key: 'order.shipped',
    recipient,
    payload: {
      total: 1234.5,
      exact: '12345678901234567.89',
      at: '2026-03-29T00:30:00Z',
      name: '<Ada>',
      n: 3,
    },
    message_id: 'msg_1',
    delivery_run_id: 'run_1',
    timestamp: '2026-11-21T09:00:00.000Z',
    ...(resources ? { resources } : {}),
  };
  const rendered = renderEmailTemplate({ subject: 'S', html: source, text: null }, context);
  // Intl uses several kinds of non-breaking spaces.
  return (rendered.ok ? (rendered.html ?? '') : rendered.message).replaceAll(/[\u00a0\u202f]/g, ' ');
}

describe('the language of a recipient', () => {
  it.each([
    ['fr-CA', 'Allô A', '3 articles', 'English only'],
    ['fr_ca', 'Allô A', '3 articles', 'English only'],
    ['fr-BE', 'Bonjour A', '3 articles', 'English only'],
    ['de', 'Hello A', '3 items', 'English only'],
    ['ar', 'Hello A', '٣ قليل', 'English only'],
    ['no locale at all', 'Hello A', '3 items', 'English only'],
    [17, 'Hello A', '3 items', 'English only'],
  ])('of %s falls back from region to language to the default', (locale, hello, items, only) => {
    const source = "{{ 'hello' | t: name: 'A' }}|{{ 'items' | t: count: payload.n }}|{{ 'only' | t }}";
    const arabicDigits = (text: string) => text.replace('٣', '3');
    expect(arabicDigits(render(source, { locale }))).toBe(arabicDigits([hello, items, only].join('|')));
  });

  it('is one per email: without a translation, dates are in the default language, too', () => {
    expect(render('{{ locale }} {{ payload.at | date: "%B" }}', { locale: 'de' })).toBe('en March');
    expect(render('{{ locale }} {{ payload.at | date: "%B" }}', { locale: 'de' }, null)).toBe('de März');
    expect(render('{{ locale }} {{ payload.at | date: "%B" }}', { locale: 'fr-CA' })).toBe('fr-CA mars');
  });

  it('determines the direction of the text', () => {
    const source = '<p lang="{{ locale }}" dir="{{ dir }}">';
    expect(render(source, { locale: 'ar' })).toBe('<p lang="ar" dir="rtl">');
    expect(render(source, { locale: 'fr' })).toBe('<p lang="fr" dir="ltr">');
    expect(render(source, { locale: 'az-Arab' }, null)).toBe('<p lang="az-Arab" dir="rtl">');
  });

  it('does not affect versions older than locales', () => {
    expect(
      planResources({ parts: null, defaultLocale: null }, { locale: 'fr', timezone: 'Asia/Tokyo' }),
    ).toBeNull();
  });

  it('costs nothing if it is the default', () => {
    expect(planResources({ parts: null, defaultLocale: 'en' }, { locale: 'en' })).toBeNull();
    expect(planResources({ parts: [], defaultLocale: 'en' }, {})).toBeNull();
  });
});

describe('messages', () => {
  it('have plurals and selects', () => {
    expect(
      render("{{ 'items' | t: count: 0 }}|{{ 'items' | t: count: 1 }}|{{ 'items' | t: count: '2' }}"),
    ).toBe('No items|1 item|2 items');
    expect(render("{{ 'who' | t: gender: 'female' }}|{{ 'who' | t: gender: 'x' }}")).toBe(
      'She bought it|They bought it',
    );
  });

  it('are escaped once in HTML, with the values in them', () => {
    expect(render("{{ 'mark' | t: name: payload.name }}")).toBe(
      'A &lt;b&gt;&lt;Ada&gt;&lt;/b&gt; &amp; more',
    );
  });

  it('show times in the time zone of the recipient', () => {
    expect(render("{{ 'when' | t: at: payload.at }}", { timezone: 'Europe/Berlin' })).toBe(
      'On March 29, 2026 at 1:30 AM',
    );
    expect(render("{{ 'when' | t: at: payload.at }}", { timezone: 'America/New_York' })).toBe(
      'On March 28, 2026 at 8:30 PM',
    );
  });

  it.each([
    ["{{ 'absent' | t }}", 'no translation has a message for this key'],
    ["{{ 'hello' | t }}", 'the message needs the value name'],
    ["{{ 'hello' | t: 'x' }}", 't takes named values, such as count: 2'],
    ["{{ 'when' | t: at: 'never' }}", 'the message cannot be formatted with these values'],
    ["{{ 'hello' | t: name: recipient }}", 'the value name of a message must be a text or a number'],
    ["{{ 'toString' | t }}", 'no translation has a message for this key'],
  ])('fail with a message that says what to do: %s', (source, message) => {
    expect(render(source)).toContain(message);
  });

  it('are checked when they are stored', () => {
    expect(
      checkMessages({ good: '{n, plural, other {#}}', 'a/b': 'x\n{', open: '{n, plural, one {#}}' }),
    ).toEqual([
      {
        path: '/messages/a~1b',
        message: 'is not an ICU message: expect argument closing brace',
        line: 2,
        column: 1,
      },
      expect.objectContaining({ path: '/messages/open' }),
    ]);
    expect(checkMessages({ deep: '{n, plural, other {'.repeat(40) + '}}'.repeat(40) })).toEqual([
      { path: '/messages/deep', message: 'plurals and selects may be nested at most 10 levels deep' },
    ]);
  });

  it('that a language lacks are found, unless its base language has them', () => {
    const keys = (locale: string) => new Set(Object.keys(MESSAGES[locale] ?? {}));
    const translations = new Map(Object.keys(MESSAGES).map((locale) => [locale, keys(locale)]));
    expect(findMissingMessages(['hello', 'items', 'only'], translations, 'en')).toEqual([
      { locale: 'fr', keys: ['only'] },
      { locale: 'fr-CA', keys: ['only'] },
      { locale: 'ar', keys: ['hello', 'only'] },
    ]);
    expect(findMissingMessages(['hello'], new Map(), 'de')).toEqual([{ locale: 'de', keys: ['hello'] }]);
  });
});

describe('numbers, amounts and dates', () => {
  it.each([
    ['{{ payload.total | number }}', 'de', '1.234,5'],
    ['{{ payload.total | number: 2 }}', 'en', '1,234.50'],
    ['{{ payload.total | money: "EUR" }}', 'de', '1.234,50 €'],
    ['{{ payload.total | money: "JPY" }}', 'en', '¥1,235'],
    ['{{ payload.total | money: "EUR", 0 }}', 'fr', '1 235 €'],
    ['{{ payload.exact | money: "USD" }}', 'en', '$12,345,678,901,234,567.89'],
    ['{{ payload.at | date: "long" }}', 'fr', '29 mars 2026'],
    ['{{ payload.at | date: "%A %d %B" }}', 'de', 'Sonntag 29 März'],
    ['{{ payload.at | time }}', 'de', '00:30'],
    ['{{ "soon" | date: "long" }}', 'de', 'soon'],
  ])('are formatted for the locale: %s in %s', (source, locale, expected) => {
    expect(render(source, { locale }, null)).toBe(expected);
  });

  it.each([
    ['Europe/Berlin', '29.03.2026 01:30|1:30 AM'],
    ['Asia/Kolkata', '29.03.2026 06:00|6:00 AM'],
    ['No/Where', '29.03.2026 00:30|12:30 AM'],
    ['+05:00', '29.03.2026 00:30|12:30 AM'],
  ])('are in the time zone of the recipient: %s', (timezone, expected) => {
    const source = '{{ payload.at | date: "%d.%m.%Y %H:%M" }}|{{ payload.at | time: "short" }}';
    expect(render(source, { timezone }, null)).toBe(expected);
  });

  it.each([
    ['{{ payload.name | money: "EUR" }}', 'money can only format a number'],
    ['{{ payload.total | money: "euro" }}', 'money takes a currency'],
    ['{{ payload.total | number: 99 }}', 'fraction digits are a whole number from 0 to 20'],
    ['{{ payload.at | time: "%H" }}', 'time takes short, medium, long, full'],
  ])('fail with a message that says what to do and quotes no values: %s', (source, message) => {
    const failure = render(source, { locale: 'de' }, null);
    expect(failure).toContain(message);
    expect(failure).not.toContain('Ada');
  });
});
