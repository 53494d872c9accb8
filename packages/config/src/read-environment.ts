import type { Field, Parsed } from './field.ts';

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** The configuration that a specification describes: the same keys, each with its field's value. */
export type ConfigOf<S> = { [K in keyof S]: S[K] extends Field<infer T> ? T : never };

export type Specification = Readonly<Record<string, Field<unknown>>>;

/**
 * Reads the configuration of an app from its environment, all of it before anything starts. Every fault of
 * every variable is named at once, as `VARIABLE fault`, and none repeats what was given
 * (docs/specification.md, "Configuration"). A variable that is empty or blank counts as not given: compose
 * files and shells pass unset ones on as empty.
 */
export function readEnvironment<S extends Specification>(
  specification: S,
  environment: EnvironmentVariables,
): { ok: true; config: ConfigOf<S> } | { ok: false; faults: string[] } {
  const production = environment.NODE_ENV?.trim() === 'production';
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [key, field] of Object.entries(specification)) {
    const text = environment[field.variable]?.trim() ?? '';
    const parsed: Parsed<unknown> = text === '' ? field.missing() : field.parse(text, { production });
    if (parsed.ok) values[key] = parsed.value;
    else faults.push(...parsed.faults.map((fault) => `${field.variable} ${fault}`));
  }
  return faults.length === 0 ? { ok: true, config: values as ConfigOf<S> } : { ok: false, faults };
}
