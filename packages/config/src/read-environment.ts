export type Parsed<T> = { ok: true; value: T } | { ok: false; issues: string[] };

/** Context for parsing a variable, beyond its own text. */
type Surroundings = { production: boolean };

/** One environment variable: its name, how its text is parsed, and its value when it is not set. */
export type Field<T> = {
  variable: string;
  /**
   * Parses a text that is not empty. Issues never repeat the text: it may hold a secret.
   */
  parse(text: string, surroundings: Surroundings): Parsed<T>;
  missing(): Parsed<T>;
};

type Parse<T> = Field<T>['parse'];

export function accepted<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function refused(...issues: string[]): { ok: false; issues: string[] } {
  return { ok: false, issues };
}

/** A variable without which the app does not start. */
export function required<T>(variable: string, parse: Parse<T>): Field<T> {
  return { variable, parse, missing: () => refused('is required') };
}

/** A variable that may be left out; its value is then `fallback`. */
export function optional<T>(variable: string, fallback: T, parse: Parse<T>): Field<T> {
  return { variable, parse, missing: () => accepted(fallback) };
}

/** A variable that may be left out; its value is then null. */
export function orNull<T>(variable: string, parse: Parse<T>): Field<T | null> {
  return optional<T | null>(variable, null, parse);
}

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** The configuration of a specification: the same keys, each with its field's value. */
export type ConfigOf<S> = { [K in keyof S]: S[K] extends Field<infer T> ? T : never };

export type Specification = Readonly<Record<string, Field<unknown>>>;

/**
 * Reads the configuration of an app from its environment, before anything starts. Reports all issues of all
 * variables at once, as `VARIABLE issue`, and never repeats a value (docs/configuration.md). A
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
