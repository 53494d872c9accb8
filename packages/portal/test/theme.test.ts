import { describe, expect, it } from '@postrider/testing';
import { contrast, logoOf, parseColour, propertiesOf } from '../src/ui/theme.ts';

/** WCAG 2.2 AA for text. */
const MIN_CONTRAST = 4.5;
const LEVELS = ['00', '40', '80', 'c0', 'ff'];
const COLOURS = LEVELS.flatMap((red) =>
  LEVELS.flatMap((green) => LEVELS.map((blue) => `#${red}${green}${blue}`)),
);
/** The defaults of the console's styles. */
const DEFAULT = {
  light: '#f6f7f9',
  dark: '#0e1013',
  surface: { light: '#f1f3f6', dark: '#1b1f25' },
  faint: { light: '#5c6472', dark: '#929ba8' },
};

const between = (one: string, other: string) => {
  const [a, b] = [parseColour(one), parseColour(other)];
  if (!a || !b) throw new Error(`no colours: ${one}, ${other}`);
  return contrast(a, b);
};

/** Both values of `light-dark(…)`. */
function pair(value: string | undefined): { light: string; dark: string } {
  const [, light = '', dark = ''] = /^light-dark\((#\w{6}), (#\w{6})\)$/.exec(value ?? '') ?? [];
  return { light, dark };
}

describe('a theme', () => {
  it('keeps every text readable, whatever the accent and the background', () => {
    const unreadable: string[] = [];
    for (const accent of COLOURS) {
      for (const background of COLOURS) {
        const properties = propertiesOf({ accent, background });
        const text = pair(properties['--accent']);
        const behind = properties['--bg'] ? pair(properties['--bg']) : DEFAULT;
        for (const mode of ['light', 'dark'] as const) {
          const found = [
            between(text[mode], DEFAULT.surface[mode]),
            between(text[mode], behind[mode]),
            between(DEFAULT.faint[mode], behind[mode]),
            between(properties['--on-accent'] ?? '', properties['--accent-solid'] ?? ''),
          ];
          if (found.some((each) => each < MIN_CONTRAST))
            unreadable.push(`${accent} on ${background} (${mode}): ${found}`);
        }
      }
    }
    expect(unreadable.slice(0, 5)).toEqual([]);
  });

  it('leaves out what is not a colour, a radius in bounds, or an https logo', () => {
    const wrong = { accent: 'red;}*{display:none', background: '#fff', radius: 900 };
    expect(propertiesOf(wrong)).toEqual({});
    const logos = ['javascript:alert(1)', 'data:image/svg+xml,<svg/>', 'http://example.com/a.png', 'x', null];
    expect(logos.map((logo_url) => logoOf({ logo_url }))).toEqual(logos.map(() => null));
    expect(logoOf({ logo_url: 'https://example.com/a.png' })).toBe('https://example.com/a.png');
  });
});
