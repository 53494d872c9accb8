import { readFileSync } from 'node:fs';
import { ID_PREFIXES, RUN_STATUSES } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';

const page = readFileSync(new URL('../../../docs/specification.md', import.meta.url), 'utf8');
/** The text below a heading, up to the next one. */
const sectionOf = (heading: string) => page.split(`\n### ${heading}\n`)[1]?.split(/\n##+ /)[0] ?? '';
/** The text in backticks in the section. */
const namesIn = (heading: string) =>
  new Set([...sectionOf(heading).matchAll(/`([^`]+)`/g)].map(([, name]) => name));

describe('docs/specification.md', () => {
  it.each([
    ['Delivery run states', RUN_STATUSES],
    ['Ids', ID_PREFIXES.map((prefix) => `${prefix}_`)],
  ])('names all of "%s"', (heading, names) => {
    const listed = namesIn(heading);

    expect(names.filter((name) => !listed.has(name))).toEqual([]);
  });
});
