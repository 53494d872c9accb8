import type { Field, Parsed } from './field.ts';

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** The configuration of a specification: the same keys, each with its field's value. */
export type ConfigOf<S> = { [K in keyof S]: S[K] extends Field<infer T> ? T : never };

export type Specification = Readonly<Record<string, Field<unknown>>>;

/**
 * Reads the configuration of an app from its environment, before anything starts. Reports all issues of all
 * variables at once, as `VARIABLE issue`, and never repeats a value (docs/specification.md, "Configuration"). A
 * blank variable counts as not set: compose files and shells pass unset ones on as empty.
 */
export function readEnvironment<S extends Specification>(
  specification: S,
  environment: EnvironmentVariables,
): { ok: true; config: ConfigOf<S> } | { ok: false; issues: string[] } {
  const production = environment.NODE_ENV?.trim() === 'production';
  const values: Record<string, unknown> = {};
  const issues: string[] = [];
  for (const [key, field] of Object.entries(specification)) {
    const text = environment[field.variable]?.trim() ?? '';
    const parsed: Parsed<unknown> = text === '' ? field.missing() : field.parse(text, { production });
    if (parsed.ok) values[key] = parsed.value;
    else issues.push(...parsed.issues.map((issue) => `${field.variable} ${issue}`));
  }
  return issues.length === 0 ? { ok: true, config: values as ConfigOf<S> } : { ok: false, issues };
}
