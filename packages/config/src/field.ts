export type Parsed<T> = { ok: true; value: T } | { ok: false; faults: string[] };

/** What the reader knows beyond the variable's own text. */
export type Surroundings = { production: boolean };

/** One environment variable: its name, how its text is read, and what holds when it is not given. */
export type Field<T> = {
  variable: string;
  /**
   * Reads a text that is not empty. Faults never repeat the text: it may hold a secret or come next to one.
   */
  parse(text: string, surroundings: Surroundings): Parsed<T>;
  missing(): Parsed<T>;
};

export type Parse<T> = Field<T>['parse'];

export function accepted<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function refused(...faults: string[]): { ok: false; faults: string[] } {
  return { ok: false, faults };
}

/** A variable without which the app does not start. */
export function required<T>(variable: string, parse: Parse<T>): Field<T> {
  return { variable, parse, missing: () => refused('is required') };
}

/** A variable that may be left out, for which `fallback` then holds. */
export function optional<T>(variable: string, fallback: T, parse: Parse<T>): Field<T> {
  return { variable, parse, missing: () => accepted(fallback) };
}
