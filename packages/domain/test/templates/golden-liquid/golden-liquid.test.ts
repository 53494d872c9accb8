import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@postrider/testing';
import { plainEngine } from '../../../src/templates/engine.ts';
import { DEFAULT_RESOURCES } from '../../../src/templates/resources.ts';
import type { TemplateContext } from '../../../src/templates/template-types.ts';

interface Pins {
  readonly sha256: string;
  readonly cases: number;
  /** The names of the cases that do not pass, by the reason that the README gives. */
  readonly differs: Readonly<Record<string, readonly string[]>>;
}

interface GoldenCase {
  readonly name: string;
  readonly template: string;
  readonly data?: Record<string, unknown>;
  /** Partials by name. */
  readonly templates?: Readonly<Record<string, string>>;
  readonly result?: string;
  readonly results?: readonly string[];
  /** Whether parsing or rendering must fail. */
  readonly invalid?: boolean;
}

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
const pins: Pins = JSON.parse(read('pins.json'));
const differing = Object.values(pins.differs).flat();

/** The context of a case: its data as variables, and its templates as partials. */
function contextOf({ data = {}, templates }: GoldenCase): TemplateContext {
  const resources = templates && { resources: { ...DEFAULT_RESOURCES, partials: templates } };
  return { ...data, ...resources } as unknown as TemplateContext;
}

function passes(golden: GoldenCase): boolean {
  const { template, result, results = [result ?? ''], invalid } = golden;
  const rendered = plainEngine.render(template, '', contextOf(golden));
  if (invalid) return !rendered.ok;
  return rendered.ok && results.includes(rendered.text);
}

describe('the cases of golden-liquid', () => {
  it('that fail have one reason each, which the README lists with their number', () => {
    const documented = [...read('README.md').matchAll(/^\| `(\w+)` \| (\d+) \|/gm)];
    const numbers = documented.map(([, reason, count]) => [reason, Number(count)]);
    const pinned = Object.entries(pins.differs).map(([reason, names]) => [reason, names.length]);
    expect(new Map(numbers as [string, number][])).toEqual(new Map(pinned as [string, number][]));
    expect(new Set(differing).size).toBe(differing.length);
  });

  it('pass or fail as pinned', () => {
    const text = read('golden_liquid.json');
    expect(createHash('sha256').update(text).digest('hex')).toBe(pins.sha256);
    const { tests }: { tests: GoldenCase[] } = JSON.parse(text);
    expect(tests).toHaveLength(pins.cases);
    const failing = tests.filter((golden) => !passes(golden)).map(({ name }) => name);
    expect(failing.sort()).toEqual([...differing].sort());
  });
});
