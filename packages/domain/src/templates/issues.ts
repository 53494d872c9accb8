import type { MissingVariable, TemplateIssue } from './template-types.ts';

/** A template that is wrong in more places is named by its first. */
const MAX_ISSUES = 20;
const MAX_MESSAGE_CHARACTERS = 200;
/** A loop names what is missing in each of its rounds; one that misses more is named by the first. */
const MAX_MISSING = 100;
/** What filters such as `where_exp` are given may be a value of the context, which no message may quote. */
const UNREADABLE_EXPRESSION = 'the expression that a filter was given cannot be evaluated';

/** What liquidjs throws: its classes are not matched by instanceof across module copies, so by shape. */
type LiquidFailure = {
  name?: unknown;
  message: string;
  errors?: unknown[];
  originalError?: { message: string; variableName?: unknown };
  token?: { input?: unknown; getPosition?: () => number[]; getText?: () => string };
};

/** A template's source, and where it stands as a JSON Pointer. */
type Place = { source: string; path: string };

/**
 * The issues, 20 at most, in what parsing or rendering threw; line and column where the library knows them. They
 * quote the source alone, and no value of a context.
 */
export function describeIssues(error: unknown, place: Place): TemplateIssue[] {
  return flatten(error)
    .slice(0, MAX_ISSUES)
    .map((failure) => issueOf(failure, place));
}

/** What rendering threw, what is missing told apart: each variable at its first place, 100 at most. */
export function describeMissing(
  error: unknown,
  place: Place,
): { missing: MissingVariable[]; others: TemplateIssue[] } {
  const failures = flatten(error);
  const { path, source } = place;
  const missing = new Map<string, MissingVariable>();
  for (const failure of failures) {
    const name = missingIn(failure, source);
    if (name !== null && !missing.has(name)) missing.set(name, { path, name, ...positionOf(failure) });
  }
  const others = failures.filter((failure) => missingIn(failure, source) === null);
  return {
    missing: [...missing.values()].slice(0, MAX_MISSING),
    others: others.slice(0, MAX_ISSUES).map((failure) => issueOf(failure, place)),
  };
}

function issueOf(failure: LiquidFailure, { source, path }: Place): TemplateIssue {
  if (isOfValue(failure, source)) return { path, message: UNREADABLE_EXPRESSION };
  const name = missingIn(failure, source);
  const message = name === null ? messageOf(failure) : `undefined variable: ${name}`;
  return { path, message: message.slice(0, MAX_MESSAGE_CHARACTERS), ...positionOf(failure) };
}

/**
 * Whether it is about an expression that was parsed while rendering. The library gives such a one as the token's
 * input, but for an unknown filter, which in the source itself is found before it is rendered.
 */
function isOfValue({ name, message, token }: LiquidFailure, source: string): boolean {
  if (name === 'RenderError' && message.startsWith('undefined filter:')) return true;
  return token?.input !== undefined && token.input !== source;
}

/**
 * The variable as the source has it, up to the part that is missing. The library's own name has values in place of
 * what is in brackets: then it is all that the source has.
 */
function missingIn(failure: LiquidFailure, source: string): string | null {
  const { originalError, token } = failure;
  if (typeof originalError?.variableName !== 'string' || isOfValue(failure, source)) return null;
  const written = token?.getText?.() ?? '';
  const name = written.startsWith(originalError.variableName) ? originalError.variableName : written;
  return name.slice(0, MAX_MESSAGE_CHARACTERS);
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
  return failure.message.replace(/, line:\d+, col:\d+$/, '');
}

function positionOf(failure: LiquidFailure): { line?: number; column?: number } {
  const [line, column] = failure.token?.getPosition?.() ?? [];
  return line === undefined || column === undefined ? {} : { line, column };
}
