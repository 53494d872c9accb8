import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@postrider/local-stack/testing';
import { describe, expect, it } from '@postrider/testing';
import { Ajv } from 'ajv';
import { parse } from 'yaml';

const HELM = join(ROOT, 'docker', 'helm');
const read = (...path: string[]) => readFileSync(join(HELM, ...path), 'utf8');
const defaults = parse(read('postrider', 'values.yaml'));
const validate = new Ajv({ allErrors: true }).compile(JSON.parse(read('postrider', 'values.schema.json')));

/** As Helm passes on a value that is null: it has no key. */
const NO_MAXIMUM = (minAvailable: number | string) => ({
  api: { podDisruptionBudget: { minAvailable, maxUnavailable: undefined } },
});

type Values = { readonly [key: string]: unknown };

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The defaults with other values, as Helm merges them. */
function merged(under: Values, over: Values): Values {
  const both = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const before = both[key];
    both[key] = isObject(before) && isObject(value) ? merged(before, value) : value;
  }
  return both;
}

const issuesOf = (values: Values) => {
  validate(merged(defaults, values));
  return (validate.errors ?? []).map(({ instancePath }) => instancePath);
};

/** The paths of the properties in the schema, and of the values. Those below an object with free names are left out. */
const schemaPaths = (schema: { properties?: Record<string, object> }, path = ''): string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
    `${path}/${name}`,
    ...schemaPaths(inner, `${path}/${name}`),
  ]);

describe("the schema of the chart's values", () => {
  it.each([
    ['the defaults', {}],
    ['everything', parse(read('everything.values.yaml'))],
    ['values for all charts of a parent', { global: { team: 'messaging' } }],
    ['a percentage in a disruption budget', { api: { podDisruptionBudget: { minAvailable: '50%' } } }],
    ['a disruption budget without the other field', NO_MAXIMUM(1)],
    ['a disruption budget of 0', { worker: { podDisruptionBudget: { minAvailable: 0 } } }],
  ])('accepts %s', (_name, values) => {
    expect(issuesOf(values)).toEqual([]);
  });

  it.each([
    ['a tag that YAML reads as a number', { image: { tag: 1.1 } }, '/image/tag'],
    ['a misspelt name', { worker: { replica: 3 } }, '/worker'],
    ['an unknown part', { workers: {} }, ''],
    ['a text for a number', { api: { replicas: '2' } }, '/api/replicas'],
    ['"on" without quotes, which YAML reads as true', { api: { console: true } }, '/api/console'],
    ['a disruption budget with neither field', NO_MAXIMUM(''), '/api/podDisruptionBudget'],
    ['an unknown level of the log', { logLevel: 'verbose' }, '/logLevel'],
  ])('refuses %s', (_name, values, path) => {
    expect(issuesOf(values)).toContain(path);
  });

  it('names no value that the chart does not have', () => {
    const known = schemaPaths(JSON.parse(read('postrider', 'values.schema.json')));
    const has = (path: string) =>
      path
        .split('/')
        .slice(1)
        .reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), defaults) !== undefined;
    expect(known.filter((path) => !has(path))).toEqual(['/global']);
  });
});
