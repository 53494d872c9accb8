import type { Theme } from '../api/contract.ts';

type Rgb = readonly [red: number, green: number, blue: number];

/** From styles/tokens.css: the surface on which texts are hardest to read, and the faintest text. */
const SURFACES = {
  light: { surface: '#f1f3f6', faint: '#5c6472' },
  dark: { surface: '#1b1f25', faint: '#929ba8' },
} as const;
/** WCAG 2.2 AA for text. */
const MIN_CONTRAST = 4.5;
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

export function parseColour(text: string | null | undefined): Rgb | null {
  const hex = /^#([0-9a-f]{6})$/i.exec(text ?? '')?.[1];
  if (!hex) return null;
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
}

const toHex = (colour: Rgb) => `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;

/** WCAG 2.2, "relative luminance". */
function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one: Rgb, other: Rgb): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const mix = (from: Rgb, towards: Rgb, share: number): Rgb =>
  from.map((value, at) => Math.round(value + ((towards[at] ?? 0) - value) * share)) as unknown as Rgb;

/** The colour itself, or the nearest mix with white or black that can be read on all the given ones. */
function readable(colour: Rgb, on: readonly Rgb[], towards: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(colour, towards, share);
    if (on.every((each) => contrast(mixed, each) >= MIN_CONTRAST)) return mixed;
  }
  return towards;
}

/**
 * The custom properties of a theme. Texts stay readable whatever the product chose: the accent is made darker or lighter
 * where it is text, and a background on which text could not be read is left out, in each mode by itself.
 */
export function propertiesOf(theme: Theme): Record<string, string> {
  const properties: Record<string, string> = {};
  const background = parseColour(theme.background);
  const backgroundIn = (mode: 'light' | 'dark') => {
    const faint = parseColour(SURFACES[mode].faint) ?? BLACK;
    return background && contrast(background, faint) >= MIN_CONTRAST ? background : null;
  };
  const [light, dark] = [backgroundIn('light'), backgroundIn('dark')];
  if (light || dark)
    properties['--bg'] = `light-dark(${light ? toHex(light) : '#f6f7f9'}, ${dark ? toHex(dark) : '#0e1013'})`;
  const accent = parseColour(theme.accent);
  if (accent) {
    const on = (mode: 'light' | 'dark', own: Rgb | null) =>
      [parseColour(SURFACES[mode].surface), own].filter((each) => each !== null);
    const asText = [
      readable(accent, on('light', light), BLACK),
      readable(accent, on('dark', dark), WHITE),
    ] as const;
    properties['--accent'] = `light-dark(${toHex(asText[0])}, ${toHex(asText[1])})`;
    const isDark = contrast(accent, WHITE) >= MIN_CONTRAST;
    properties['--accent-solid'] = toHex(accent);
    properties['--accent-solid-hover'] = toHex(mix(accent, isDark ? BLACK : WHITE, 0.14));
    properties['--on-accent'] = isDark ? '#ffffff' : '#000000';
  }
  const { radius } = theme;
  if (typeof radius === 'number' && radius >= 0 && radius <= 24) {
    properties['--radius'] = `${radius}px`;
    properties['--radius-large'] = `${Math.round(radius * 1.5)}px`;
  }
  return properties;
}

/** The address of the logo if it may be shown: https, and nothing else. */
export function logoOf({ logo_url }: Theme): string | null {
  return logo_url && URL.canParse(logo_url) && new URL(logo_url).protocol === 'https:' ? logo_url : null;
}

/** Applies a theme to the page, by CSSOM: the content security policy allows no inline styles. */
export function applyTheme(
  theme: Theme | null,
  root: {
    dataset: Record<string, string | undefined>;
    style: { setProperty(name: string, value: string): void };
  },
): void {
  if (!theme) return;
  if (theme.mode === 'light' || theme.mode === 'dark') root.dataset.theme = theme.mode;
  for (const [name, value] of Object.entries(propertiesOf(theme))) root.style.setProperty(name, value);
}
