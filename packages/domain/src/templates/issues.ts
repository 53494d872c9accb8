import { labelOfPart, type PartSources } from './part-tags.ts';
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

/** A template's source, where it stands as a JSON Pointer, and the layouts and partials that it can load. */
type Place = { source: string; path: string; parts: PartSources };

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
  const { path } = place;
  const missing = new Map<string, MissingVariable>();
  for (const failure of failures) {
    const name = missingIn(failure, place);
    if (name !== null && !missing.has(name)) missing.set(name, { path, name, ...positionOf(failure, place) });
  }
  const others = failures.filter((failure) => missingIn(failure, place) === null);
  return {
    missing: [...missing.values()].slice(0, MAX_MISSING),
    others: others.slice(0, MAX_ISSUES).map((failure) => issueOf(failure, place)),
  };
}

function issueOf(failure: LiquidFailure, place: Place): TemplateIssue {
  const { path } = place;
  if (isOfValue(failure, place)) return { path, message: UNREADABLE_EXPRESSION };
  const name = missingIn(failure, place);
  const message = name === null ? messageOf(failure) : `undefined variable: ${name}`;
  return { path, message: message.slice(0, MAX_MESSAGE_CHARACTERS), ...positionOf(failure, place) };
}

/**
 * Whether it is about an expression that was parsed while rendering. The library gives such a one as the token's
 * input, but for an unknown filter, which in the source itself is found before it is rendered.
 */
function isOfValue({ name, message, token }: LiquidFailure, place: Place): boolean {
  if (name === 'RenderError' && message.startsWith('undefined filter:')) return true;
  return token?.input !== undefined && token.input !== place.source && partOf(token, place) === null;
}

/**
 * The variable as the source has it, up to the part that is missing. The library's own name has values in place of
 * what is in brackets: then it is all that the source has.
 */
function missingIn(failure: LiquidFailure, place: Place): string | null {
  const { originalError, token } = failure;
  if (typeof originalError?.variableName !== 'string' || isOfValue(failure, place)) return null;
  const written = token?.getText?.() ?? '';
  const name = written.startsWith(originalError.variableName) ? originalError.variableName : written;
  return name.slice(0, MAX_MESSAGE_CHARACTERS);
}

/** The name of the part that it is in, by the source: not all tokens know their file. Null for what is in no part. */
function partOf(token: LiquidFailure['token'], { source, parts }: Place): string | null {
  if (token?.input === source) return null;
  return Object.keys(parts).find((name) => parts[name] === token?.input) ?? null;
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
  return failure.message.replace(/(?:, file:\S+)?, line:\d+, col:\d+$/, '');
}

function positionOf(
  { token }: LiquidFailure,
  place: Place,
): { part?: string; line?: number; column?: number } {
  const [line, column] = token?.getPosition?.() ?? [];
  const name = partOf(token, place);
  const part = name === null ? {} : { part: labelOfPart(name) };
  return line === undefined || column === undefined ? part : { ...part, line, column };
}
