import {
  COLOR_PATTERN,
  COMPLAINT_RATES,
  canonicalLocale,
  completeTheme,
  DEFAULT_ENVIRONMENT_SETTINGS,
  type Detail,
  ENVIRONMENT_SETTINGS,
  type EnvironmentSettings,
  escapePointerSegment,
  invalidValue,
  isFrameOrigin,
  isReturnUrl,
  isStreamName,
  LOCALE_PATTERN,
  LOCALE_SCHEMA,
  logoOriginOf,
  PORTAL_LOCALES,
  PORTAL_MODES,
  type PortalSettings,
  type PortalTheme,
  parseFields,
  portalLocaleOf,
} from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import * as json from '../openapi/schema.ts';
import { compileBody, type Rule, withRules } from '../validation/body.ts';
import { withoutDefaults } from './schemas.ts';

const MAX_ORIGINS = 20;
const MAX_URL = 1_000;

const FIELDS = {
  accent: {
    type: ['string', 'null'],
    pattern: COLOR_PATTERN,
    description: 'The colour of buttons and links.',
  },
  background: {
    type: ['string', 'null'],
    pattern: COLOR_PATTERN,
    description: 'The colour behind the page.',
  },
  radius: {
    type: ['integer', 'null'],
    minimum: 0,
    maximum: 24,
    description: 'The radius of corners, in CSS pixels.',
  },
  logo_url: { type: ['string', 'null'], maxLength: MAX_URL, description: 'An https URL.' },
} as const;
const ABOUT_THEME = 'How it looks. Null: as the page chooses.';
const ABOUT_ORIGINS =
  'Exact origins, such as `https://app.example.com`, whose pages may frame it; http only on localhost. None by default.';

/** The theme in a request. */
export const THEME_SCHEMA = {
  type: ['object', 'null'],
  additionalProperties: false,
  description: ABOUT_THEME,
  properties: {
    mode: { type: 'string', enum: [...PORTAL_MODES], description: '`auto`: as the browser.' },
    ...FIELDS,
  },
} as const satisfies SchemaObject;

/** The language in a request. */
export const PORTAL_LOCALE_SCHEMA = {
  ...LOCALE_SCHEMA,
  type: ['string', 'null'],
  description: `A language tag, reduced to one of ${PORTAL_LOCALES.join(', ')} (else \`en\`). Null: that of the browser.`,
} as const satisfies SchemaObject;

/** The portal of an environment in a request. */
const PORTAL_SCHEMA = json.closedObject([], {
  origins: {
    type: 'array',
    maxItems: MAX_ORIGINS,
    uniqueItems: true,
    items: { type: 'string', maxLength: MAX_URL },
    default: [],
    description: ABOUT_ORIGINS,
  },
  theme: { ...THEME_SCHEMA, default: null },
  locale: { ...PORTAL_LOCALE_SCHEMA, default: null },
});

type PortalBody = json.BodyOf<typeof PORTAL_SCHEMA>;

export const RETURN_URL_SCHEMA = {
  type: ['string', 'null'],
  maxLength: MAX_URL,
  default: null,
  description: 'The target of the page’s link back: an https URL, or http on localhost.',
} as const satisfies SchemaObject;

/** A theme in a response. */
const PRESENTED_THEME: json.Schema = {
  ...json.nullable(
    json.record(ABOUT_THEME, { mode: json.oneOf(PORTAL_MODES, '`auto`: as the browser.'), ...FIELDS }),
  ),
};

/** The language in a response. */
const PRESENTED_LOCALE: json.Schema = json.nullable(json.oneOf(PORTAL_LOCALES, 'Null: that of the browser.'));

/** The portal of an environment in a response. */
const PRESENTED_PORTAL: json.Schema = json.record('The portal of consumers.', {
  origins: { type: 'array', items: { type: 'string' }, description: ABOUT_ORIGINS },
  theme: PRESENTED_THEME,
  locale: PRESENTED_LOCALE,
});

/** Issues that a schema cannot express. */
function portalIssues({ origins = [], theme }: PortalBody = {}): Detail[] {
  const logo = theme?.logo_url ?? null;
  return [
    ...origins.flatMap((origin, index) =>
      isFrameOrigin(origin)
        ? []
        : [
            invalidValue(
              `/portal/origins/${index}`,
              'must be exactly an origin, such as https://app.example.com',
            ),
          ],
    ),
    ...(logo !== null && logoOriginOf(logo) === null
      ? [invalidValue('/portal/theme/logo_url', 'must be an https URL without a user name')]
      : []),
  ];
}

/** Issues of the look of a session. Its page loads images only of origins that the environment names. */
export function lookIssues(
  {
    theme,
    return_url: returnUrl,
  }: { readonly theme?: Partial<PortalTheme> | null; readonly return_url?: string | null },
  settings: PortalSettings,
): Detail[] {
  const logo = theme?.logo_url ?? null;
  const origin = logo === null ? null : logoOriginOf(logo);
  const isKnown = origin !== null && logoOriginsOf(settings).includes(origin);
  return [
    ...(logo !== null && !isKnown
      ? [
          invalidValue(
            '/theme/logo_url',
            'must be an https URL of an origin that portal of the environment names',
          ),
        ]
      : []),
    ...(returnUrl && !isReturnUrl(returnUrl)
      ? [invalidValue('/return_url', 'must be an https URL without a user name')]
      : []),
  ];
}

/** The origins from which the page may load a logo. */
export function logoOriginsOf({ origins, theme }: PortalSettings): readonly string[] {
  const logo = theme?.logo_url ? logoOriginOf(theme.logo_url) : null;
  return [...new Set([...origins, ...(logo === null ? [] : [logo])])];
}

/** The settings of a valid body, with defaults. */
const toPortalSettings = ({ origins = [], theme, locale }: PortalBody = {}): PortalSettings => ({
  origins: [...origins],
  theme: theme ? completeTheme(theme) : null,
  locale: locale ? portalLocaleOf(locale) : null,
});

function streamNameIssues({ stream_names: names = {} }: SettingsBody): Detail[] {
  return Object.entries(names).flatMap(([stream, texts]) => {
    const path = `/stream_names/${escapePointerSegment(stream)}`;
    if (!isStreamName(stream)) return [invalidValue(path, 'is not the name of a stream')];
    return Object.keys(texts)
      .filter((locale) => !LOCALE.test(locale))
      .map((locale) =>
        invalidValue(`${path}/${escapePointerSegment(locale)}`, 'is not a language, such as fr or fr-CA'),
      );
  });
}

const LOCALE = new RegExp(LOCALE_PATTERN);
export const SETTINGS_RULES: readonly Rule<SettingsBody>[] = [
  { reads: ['/stream_names'], issuesOf: streamNameIssues },
  { reads: ['/portal'], issuesOf: ({ portal }) => portalIssues(portal) },
];

export const SETTINGS_SCHEMA = json.closedObject([], {
  ...ENVIRONMENT_SETTINGS,
  portal: {
    ...PORTAL_SCHEMA,
    description:
      'The portal of consumers: how it looks, its language, and the origins of the pages that may frame it. A session can choose ' +
      'another look.',
  },
});

type SettingsBody = json.BodyOf<typeof SETTINGS_SCHEMA>;

/** The settings of a valid body, with defaults. */
export function toSettings({ portal, ...body }: SettingsBody): EnvironmentSettings {
  const { portal: _portal, ...defaults } = DEFAULT_ENVIRONMENT_SETTINGS;
  const settings = parseFields<Omit<EnvironmentSettings, 'portal'>>(body, defaults);
  const defaultLocale = canonicalLocale(settings.defaultLocale) ?? defaults.defaultLocale;
  return { ...settings, defaultLocale, portal: toPortalSettings(portal) };
}

export const validateSettings = withRules(compileBody<SettingsBody>(SETTINGS_SCHEMA), SETTINGS_RULES);

const { default_locale, soft_bounce_limit, soft_bounce_days, soft_bounce_pause_days, portal } =
  SETTINGS_SCHEMA.properties;

/** Schemas of the settings in a response. */
export const PRESENTED_SETTINGS = {
  ...withoutDefaults(SETTINGS_SCHEMA.properties),
  default_locale: json.text(default_locale.description),
  soft_bounce_limit: json.count(soft_bounce_limit.description),
  soft_bounce_days: json.count(soft_bounce_days.description),
  soft_bounce_pause_days: json.count(soft_bounce_pause_days.description),
  pause_streams_at_complaint_rate: { anyOf: [{ ...COMPLAINT_RATES, type: 'number' }, { type: 'null' }] },
  portal: { ...PRESENTED_PORTAL, description: portal.description },
};
