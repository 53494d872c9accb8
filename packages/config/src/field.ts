export type Parsed<T> = { ok: true; value: T } | { ok: false; issues: string[] };

/** Context for parsing a variable, beyond its own text. */
export type Surroundings = { production: boolean };

/** One environment variable: its name, how its text is parsed, and its value when it is not set. */
export type Field<T> = {
  variable: string;
  /**
   * Parses a text that is not empty. Issues never repeat the text: it may hold a secret.
   */
  parse(text: string, surroundings: Surroundings): Parsed<T>;
  missing(): Parsed<T>;
};

export type Parse<T> = Field<T>['parse'];

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
