import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@postrider/testing';
import { readConfig } from '../src/config.ts';

const APP = 'api';
const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
/** Cells of the rows of this app, by the name of the variable. */
const rows = new Map(
  [...page.matchAll(/^\| `([A-Z_]+)` \| ([^|]*) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$/gm)]
    .filter(([, , readers]) => readers?.split(', ').includes(APP))
    .map(([, variable = '', , byDefault, , message]) => [variable, { byDefault, message }]),
);

/** Reads the configuration of an environment in which `given` says what each variable is; notes what was asked. */
function read(given: (variable: string) => string | undefined) {
  const asked = new Set<string>();
  const environment = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get: (_target, variable) => {
        asked.add(String(variable));
        return given(String(variable));
      },
    },
  );
  const result = readConfig(environment);
  return { asked, issues: result.ok ? [] : result.issues };
}

describe('docs/configuration.md', () => {
  it('names every variable that the API reads, and no other', () => {
    const { asked } = read(() => undefined);

    expect([...rows.keys()].sort()).toEqual([...asked].sort());
  });

  it('calls those required without which the API does not start', () => {
    const missing = read(() => undefined).issues.map((issue) => issue.split(' ')[0]);
    const required = [...rows].filter(([, { byDefault }]) => byDefault === 'required').map(([name]) => name);

    expect(required.sort()).toEqual(missing.sort());
  });

  it('quotes what a wrong value of each says', () => {
    const told = [...rows].map(([variable, { message }]) => `${variable} ${message}`);

    expect(read(() => 'wrong value').issues.sort()).toEqual(told.sort());
  });
});
