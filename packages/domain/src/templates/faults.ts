import type { MissingVariable, TemplateFault } from './template-types.ts';

/** A template that is wrong in more places is named by its first. */
const MAX_FAULTS = 20;
const MAX_MESSAGE_CHARACTERS = 200;
/** A loop names what is missing in each of its rounds; one that misses more is named by the first. */
const MAX_MISSING = 100;

/** What liquidjs throws: its classes are not matched by instanceof across module copies, so by shape. */
type LiquidFailure = {
  message: string;
  errors?: unknown[];
  originalError?: { message: string; variableName?: unknown };
  token?: { getPosition?: () => number[] };
};

/**
 * The faults, 20 at most, in what parsing or rendering threw; line and column where the library knows them.
 */
export function describeFaults(error: unknown, path: string): TemplateFault[] {
  return flatten(error)
    .slice(0, MAX_FAULTS)
    .map((failure) => ({ path, message: messageOf(failure), ...positionOf(failure) }));
}

/** What rendering threw, what is missing told apart: each variable at its first place, 100 at most. */
export function describeMissing(
  error: unknown,
  path: string,
): { missing: MissingVariable[]; others: TemplateFault[] } {
  const failures = flatten(error);
  const missing = new Map<string, MissingVariable>();
  for (const failure of failures) {
    const name = missingIn(failure);
    if (name !== null && !missing.has(name)) missing.set(name, { path, name, ...positionOf(failure) });
  }
  const others = failures.filter((failure) => missingIn(failure) === null);
  return {
    missing: [...missing.values()].slice(0, MAX_MISSING),
    others: others
      .slice(0, MAX_FAULTS)
      .map((failure) => ({ path, message: messageOf(failure), ...positionOf(failure) })),
  };
}

function missingIn({ originalError }: LiquidFailure): string | null {
  return typeof originalError?.variableName === 'string'
    ? originalError.variableName.slice(0, MAX_MESSAGE_CHARACTERS)
    : null;
}

function flatten(error: unknown): LiquidFailure[] {
  if (!isFailure(error)) return [{ message: String(error) }];
  return error.errors === undefined ? [error] : error.errors.flatMap(flatten);
}

function isFailure(error: unknown): error is LiquidFailure {
  return typeof error === 'object' && error !== null && 'message' in error;
}

/**
 * The library appends the position and, to some messages, the offending source: the position is given apart.
 */
function messageOf(failure: LiquidFailure): string {
  const message = failure.message.replace(/, line:\d+, col:\d+$/, '');
  return message.slice(0, MAX_MESSAGE_CHARACTERS);
}

function positionOf(failure: LiquidFailure): { line?: number; column?: number } {
  const [line, column] = failure.token?.getPosition?.() ?? [];
  return line === undefined || column === undefined ? {} : { line, column };
}
