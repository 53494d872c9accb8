import { labelOfPart, type PartSources } from './part-tags.ts';
import type { MissingVariable, TemplateIssue } from './template-types.ts';

/** More issues than this are not reported. */
const MAX_ISSUES = 20;
const MAX_MESSAGE_CHARACTERS = 200;
/** More missing values than this are not reported. A loop reports what is missing in each iteration. */
const MAX_MISSING = 100;
/** Filters such as `where_exp` can get their expression from the context, which messages must not quote. */
const UNREADABLE_EXPRESSION = 'the expression that a filter was given cannot be evaluated';

/** The fields of liquidjs' errors. `instanceof` does not work across module copies, so they are recognised by shape. */
type LiquidFailure = {
  name?: unknown;
  message: string;
  errors?: unknown[];
  originalError?: { message: string; variableName?: unknown };
  token?: { input?: unknown; getPosition?: () => number[]; getText?: () => string };
};

/** A template's source, its JSON Pointer, and the layouts and partials that it can load. */
type Origin = { source: string; path: string; parts: PartSources };

/**
 * The issues (at most 20) in an error of parsing or rendering, with line and column where liquidjs knows them. They
 * quote only the source, no values of the context.
 */
export function describeIssues(error: unknown, origin: Origin): TemplateIssue[] {
  return flatten(error)
    .slice(0, MAX_ISSUES)
    .map((failure) => issueOf(failure, origin));
}

/** The issues in an error of rendering, with missing variables separate: each at its first position, at most 100. */
export function describeMissing(
  error: unknown,
  origin: Origin,
): { missing: MissingVariable[]; others: TemplateIssue[] } {
  const failures = flatten(error);
  const { path } = origin;
  const missing = new Map<string, MissingVariable>();
  for (const failure of failures) {
    const name = missingIn(failure, origin);
    if (name !== null && !missing.has(name))
      missing.set(name, { path, name, ...positionOf(failure, origin) });
  }
  const others = failures.filter((failure) => missingIn(failure, origin) === null);
  return {
    missing: [...missing.values()].slice(0, MAX_MISSING),
    others: others.slice(0, MAX_ISSUES).map((failure) => issueOf(failure, origin)),
  };
}

function issueOf(failure: LiquidFailure, origin: Origin): TemplateIssue {
  const { path } = origin;
  if (isOfValue(failure, origin)) return { path, message: UNREADABLE_EXPRESSION };
  const name = missingIn(failure, origin);
  const message = name === null ? messageOf(failure) : `undefined variable: ${name}`;
  return { path, message: message.slice(0, MAX_MESSAGE_CHARACTERS), ...positionOf(failure, origin) };
}

/**
 * Whether the error is about an expression that was parsed during rendering. liquidjs then gives the expression as
 * the token's input, except for unknown filters, which in the source itself are found before rendering.
 */
function isOfValue({ name, message, token }: LiquidFailure, origin: Origin): boolean {
  if (name === 'RenderError' && message.startsWith('undefined filter:')) return true;
  return token?.input !== undefined && token.input !== origin.source && partOf(token, origin) === null;
}

/**
 * The missing variable as written in the source, up to the missing part. If liquidjs' own name has values instead of
 * bracketed expressions, the source's expression is used.
 */
function missingIn(failure: LiquidFailure, origin: Origin): string | null {
  const { originalError, token } = failure;
  if (typeof originalError?.variableName !== 'string' || isOfValue(failure, origin)) return null;
  const written = token?.getText?.() ?? '';
  const name = written.startsWith(originalError.variableName) ? originalError.variableName : written;
  return name.slice(0, MAX_MESSAGE_CHARACTERS);
}

/**
 * The layout or partial that contains the token, found by its source because not all tokens know their file. Null for
 * the template itself.
 */
function partOf(token: LiquidFailure['token'], { source, parts }: Origin): string | null {
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
 * The message without the position and the quoted source that liquidjs appends. The position is reported separately.
 */
function messageOf(failure: LiquidFailure): string {
  return failure.message.replace(/(?:, file:\S+)?, line:\d+, col:\d+$/, '');
}

function positionOf(
  { token }: LiquidFailure,
  origin: Origin,
): { part?: string; line?: number; column?: number } {
  const [line, column] = token?.getPosition?.() ?? [];
  const name = partOf(token, origin);
  const part = name === null ? {} : { part: labelOfPart(name) };
  return line === undefined || column === undefined ? part : { ...part, line, column };
}
