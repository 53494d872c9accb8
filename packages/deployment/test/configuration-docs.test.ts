import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@postrider/testing';
import { readConfig as readApiConfig } from '../../../apps/api/src/config.ts';
import { readConfig as readWorkerConfig } from '../../../apps/worker/src/config.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type ReadConfig = (
  environment: Environment,
) => { readonly ok: true } | { readonly ok: false; readonly issues: readonly string[] };

const APPS: readonly [string, ReadConfig][] = [
  ['api', readApiConfig],
  ['worker', readWorkerConfig],
];
const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');

/** The cells of an app's rows, by variable. */
function rowsOf(app: string) {
  return new Map(
    [...page.matchAll(/^\| `([A-Z_]+)` \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$/gm)]
      .filter(([, , readers]) => readers?.split(', ').includes(app))
      .map(([, variable = '', , byDefault, meaning]) => [variable, { byDefault, meaning }]),
  );
}

/** Reads a configuration from an environment whose values `given` returns, and records which variables it reads. */
function read(readConfig: ReadConfig, given: (variable: string) => string | undefined) {
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
  return { asked, issues: result.ok ? [] : [...result.issues] };
}

describe.each(APPS)('docs/configuration.md on the %s', (app, readConfig) => {
  const rows = rowsOf(app);

  it('lists every variable that it reads, and no other', () => {
    const { asked } = read(readConfig, () => undefined);

    expect([...rows.keys()].sort()).toEqual([...asked].sort());
  });

  it('marks variables as required without which it does not start', () => {
    const missing = read(readConfig, () => undefined).issues.map((issue) => issue.split(' ')[0]);
    const required = [...rows].filter(([, { byDefault }]) => byDefault === 'required').map(([name]) => name);

    expect(required.sort()).toEqual(missing.sort());
  });

  it('names the bounds and values that the error for an invalid value names', () => {
    const { issues } = read(readConfig, () => 'wrong value');
    const missing = issues.flatMap((issue) => {
      const [variable = ''] = issue.split(' ');
      const { meaning = '' } = rows.get(variable) ?? {};
      const [, values = ''] = /must be one of (.+)/.exec(issue) ?? [];
      const bounds = /from \d+ to \d+/.exec(issue)?.[0].slice('from '.length) ?? '';
      return [bounds, ...values.split(', ').map((value) => value.replace('parentbased_', ''))]
        .filter((word) => !meaning.includes(word))
        .map((word) => `${variable}: ${word}`);
    });

    expect(issues.map((issue) => issue.split(' ')[0]).sort()).toEqual([...rows.keys()].sort());
    expect(missing).toEqual([]);
  });
});
