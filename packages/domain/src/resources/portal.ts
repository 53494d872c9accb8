/** The languages of the portal's page. */
export const PORTAL_LOCALES = ['en', 'de', 'es', 'fr'] as const;
export type PortalLocale = (typeof PORTAL_LOCALES)[number];

export const PORTAL_MODES = ['auto', 'light', 'dark'] as const;

/** A colour, `#rrggbb`. */
export const COLOR_PATTERN = '^#[0-9a-fA-F]{6}$';

/** How the portal looks, in the API's form. Null: as the page chooses. */
export type PortalTheme = {
  readonly mode: (typeof PORTAL_MODES)[number];
  /** Colours, as {@link COLOR_PATTERN}. */
  readonly accent: string | null;
  readonly background: string | null;
  /** The radius of corners, in CSS pixels. */
  readonly radius: number | null;
  /** An https URL. */
  readonly logo_url: string | null;
};

/** What an environment chooses for the portal of its consumers, in the API's form. A session can choose another look. */
export type PortalSettings = {
  /** The origins whose pages may frame it, as in `https://app.example.com`. */
  readonly origins: readonly string[];
  readonly theme: PortalTheme | null;
  /** Null: the language of the browser. */
  readonly locale: PortalLocale | null;
};

export const DEFAULT_PORTAL_SETTINGS: PortalSettings = { origins: [], theme: null, locale: null };

/** The page's language for a language tag (BCP 47): that of its primary subtag, else English. */
export function portalLocaleOf(tag: string): PortalLocale {
  const primary = tag.toLowerCase().split('-', 1)[0];
  return PORTAL_LOCALES.find((locale) => locale === primary) ?? 'en';
}

/** The theme with all of its fields. */
export const completeTheme = (theme: Partial<PortalTheme>): PortalTheme => ({
  mode: theme.mode ?? 'auto',
  accent: theme.accent ?? null,
  background: theme.background ?? null,
  radius: theme.radius ?? null,
  logo_url: theme.logo_url ?? null,
});

/** Hosts of the own machine, whose pages need no https. */
const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** Hosts of plain characters: others could end the directive of a policy. */
const PLAIN_HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/;

/** The text as a URL of https, or of http on the own machine, without credentials; null if it is none. */
function webUrlOf(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL_HOST.test(url.hostname));
  return isAllowed && PLAIN_HOST.test(url.hostname) && url.username === '' && url.password === ''
    ? url
    : null;
}

/** Whether the text is exactly an origin that may frame the portal. It becomes part of a policy. */
export const isFrameOrigin = (text: string): boolean => webUrlOf(text)?.origin === text;

/** Whether a link of the portal's page may lead to this URL. */
export const isReturnUrl = (text: string): boolean => webUrlOf(text) !== null;

/** The origin of a logo; null if the URL is not https. */
export function logoOriginOf(text: string): string | null {
  const url = webUrlOf(text);
  return url?.protocol === 'https:' ? url.origin : null;
}
