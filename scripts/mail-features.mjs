// Writes what the main mail programs do not support, from the data of caniemail.com (MIT, Rémi Parmentier and
// contributors). Usage: npm pack caniemail@2.0.2, unpack it, run node scripts/mail-features.mjs
// package/data/caniemail.json, then biome check --write.
import { readFileSync, writeFileSync } from 'node:fs';

const TARGET = new URL('../packages/rendering/src/mail-features.ts', import.meta.url);

/** Mail programs, and their names in caniemail. A feature that only the last one lacks is not a warning. */
const CLIENTS = {
  Gmail: ['gmail', 'desktop-webmail'],
  'Apple Mail': ['apple-mail', 'ios'],
  'Outlook.com': ['outlook', 'outlook-com'],
  'Yahoo Mail': ['yahoo', 'desktop-webmail'],
  'Outlook for Windows': ['outlook', 'windows'],
};
const LIMITED = 'Outlook for Windows';

/** How to detect the features whose slug is not the name of a property or an element. */
const FOUND_BY = {
  'css-display-flex': ['value', 'display', 'flex'],
  'css-display-grid': ['value', 'display', 'grid'],
  'css-variables': ['function', 'var'],
  'css-at-keyframes': ['at', 'keyframes'],
  'css-at-supports': ['at', 'supports'],
  'css-function-clamp': ['function', 'clamp'],
  'css-function-max': ['function', 'max'],
  'css-function-min': ['function', 'min'],
  'css-function-light-dark': ['function', 'light-dark'],
  'css-unit-calc': ['function', 'calc'],
  'css-linear-gradient': ['function', 'linear-gradient'],
  'css-radial-gradient': ['function', 'radial-gradient'],
  'css-conic-gradient': ['function', 'conic-gradient'],
  'html-image-maps': ['element', 'map'],
  'html-popover': ['attribute', 'popover'],
  'html-srcset': ['attribute', 'srcset'],
};
const PROPERTIES =
  'animation aspect-ratio background-blend-mode background-clip background-image background-size box-shadow clip-path ' +
  'column-count filter float font-stretch gap inset justify-content align-items ' +
  'mask-image mix-blend-mode object-fit object-position opacity outline position shape-outside text-shadow transform ' +
  'transition visibility z-index backdrop-filter margin overflow';
const ELEMENTS = 'audio base dialog marquee meter object picture progress select svg textarea video';

const isMissing = ([family, platform], { stats }) => {
  const versions = Object.entries(stats[family]?.[platform] ?? {}).sort(([a], [b]) =>
    a.localeCompare(b, 'en', { numeric: true }),
  );
  return versions.at(-1)?.[1].startsWith('n') === true;
};

function foundBy(slug) {
  if (FOUND_BY[slug]) return FOUND_BY[slug];
  const [category, ...rest] = slug.split('-');
  const name = rest.join('-');
  if (category === 'css' && PROPERTIES.split(' ').includes(name)) return ['property', name];
  if (category === 'html' && ELEMENTS.split(' ').includes(name)) return ['element', name];
  return null;
}

const { data, last_update_date } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const features = data.flatMap((feature) => {
  const by = foundBy(feature.slug);
  const clients = Object.keys(CLIENTS).filter((client) => isMissing(CLIENTS[client], feature));
  const isWorthIt = clients.some((client) => client !== LIMITED);
  return by && isWorthIt ? [[feature.title, by.join(' '), clients.join(', ')].join(' | ')] : [];
});
writeFileSync(
  TARGET,
  readFileSync(TARGET, 'utf8')
    .replace(/caniemail\.com of \S+/, `caniemail.com of ${last_update_date.slice(0, 10)}`)
    .replace(/`[^`]*`/, () => `\`\n${features.join('\n')}\n\``),
);
