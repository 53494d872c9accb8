import {
  completeTheme,
  isFrameOrigin,
  isReturnUrl,
  logoOriginOf,
  PORTAL_LOCALES,
  PORTAL_MODES,
  type PortalSettings,
  type PortalTheme,
  portalLocaleOf,
} from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import type { Detail } from '../http/reply.ts';
import { type BodyOf, closedObject } from '../openapi/body-of.ts';
import { nullable, oneOf, record, type Schema } from '../openapi/schema.ts';
import { COLOR_PATTERN } from '../validation/body.ts';
import { LOCALE_SCHEMA } from './schemas.ts';

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
  radius: { type: ['integer', 'null'], minimum: 0, maximum: 24, description: 'Of corners, in CSS pixels.' },
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
export const PORTAL_SCHEMA = closedObject([], {
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

export type PortalBody = BodyOf<typeof PORTAL_SCHEMA>;

export const RETURN_URL_SCHEMA = {
  type: ['string', 'null'],
  maxLength: MAX_URL,
  default: null,
  description: 'Where a link of the page leads back to: an https URL, or http on localhost.',
} as const satisfies SchemaObject;

/** A theme in a response. */
const PRESENTED_THEME: Schema = {
  ...nullable(record(ABOUT_THEME, { mode: oneOf(PORTAL_MODES, '`auto`: as the browser.'), ...FIELDS })),
};

/** The language in a response. */
const PRESENTED_LOCALE: Schema = nullable(oneOf(PORTAL_LOCALES, 'Null: that of the browser.'));

/** The portal of an environment in a response. */
export const PRESENTED_PORTAL: Schema = record('The portal of consumers.', {
  origins: { type: 'array', items: { type: 'string' }, description: ABOUT_ORIGINS },
  theme: PRESENTED_THEME,
  locale: PRESENTED_LOCALE,
});

const issue = (path: string, message: string): Detail => ({ path, code: 'invalid_value', message });

/** Issues that a schema cannot express. */
export function portalIssues({ origins = [], theme }: PortalBody = {}): Detail[] {
  const logo = theme?.logo_url ?? null;
  return [
    ...origins.flatMap((origin, index) =>
      isFrameOrigin(origin)
        ? []
        : [issue(`/portal/origins/${index}`, 'must be exactly an origin, such as https://app.example.com')],
    ),
    ...(logo !== null && logoOriginOf(logo) === null
      ? [issue('/portal/theme/logo_url', 'must be an https URL without a user name')]
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
      ? [issue('/theme/logo_url', 'must be an https URL of an origin that portal of the environment names')]
      : []),
    ...(returnUrl && !isReturnUrl(returnUrl)
      ? [issue('/return_url', 'must be an https URL without a user name')]
      : []),
  ];
}

/** The origins of which the page may load a logo. */
export function logoOriginsOf({ origins, theme }: PortalSettings): readonly string[] {
  const logo = theme?.logo_url ? logoOriginOf(theme.logo_url) : null;
  return [...new Set([...origins, ...(logo === null ? [] : [logo])])];
}

/** The settings of a valid body, with defaults. */
export const toPortalSettings = ({ origins = [], theme, locale }: PortalBody = {}): PortalSettings => ({
  origins: [...origins],
  theme: theme ? completeTheme(theme) : null,
  locale: locale ? portalLocaleOf(locale) : null,
});
