import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@postrider/testing';
import { de } from '../src/locales/de.ts';
import { en } from '../src/locales/en.ts';
import { es } from '../src/locales/es.ts';
import { fr } from '../src/locales/fr.ts';

const SCREENS = new URL('../src/screens/', import.meta.url);

/** The keys of the texts that name the columns or facts of a screen: `[t.endpoints.name]: …`. */
const labelsOf = (source: string) =>
  [...source.matchAll(/\[([^[\]]*\bt\.[^[\]]*)\]:/g)].flatMap(([, name = '']) =>
    [...name.matchAll(/\bt\.([\w.]+)/g)].map(([, key = '']) => key),
  );

const screens = readdirSync(SCREENS)
  .map((file) => ({ file, keys: [...new Set(labelsOf(readFileSync(new URL(file, SCREENS), 'utf8')))] }))
  .filter(({ keys }) => keys.length > 0);

const textAt = (texts: object, key: string) =>
  key.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], texts);

describe.each(Object.entries({ de, en, es, fr }))('the texts in %s', (_language, texts) => {
  // Equal labels would be one key of an object, and one of the columns or facts would be missing.
  it('name the columns and facts of a screen differently', () => {
    expect(screens.map(({ file }) => file)).toEqual(
      expect.arrayContaining([
        'catalogue.tsx',
        'deliveries.tsx',
        'delivery.tsx',
        'endpoint.tsx',
        'endpoints.tsx',
      ]),
    );
    const repeated = screens.flatMap(({ file, keys }) => {
      const labels = keys.map((key) => textAt(texts, key));
      return labels
        .filter((label, index) => labels.indexOf(label) !== index)
        .map((label) => ({ file, label }));
    });
    expect(repeated).toEqual([]);
  });
});
