import type { TemplateFault } from './template-types.ts';

/** A template that is wrong in more places is named by its first. */
const MAX_FAULTS = 20;
const MAX_MESSAGE_CHARACTERS = 200;

/** What liquidjs throws: its classes are not matched by instanceof across module copies, so by shape. */
type LiquidFailure = {
  message: string;
  errors?: unknown[];
  originalError?: { message: string };
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
