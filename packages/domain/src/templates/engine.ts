import type { Liquid, Template } from 'liquidjs';
import { LRUCache } from 'lru-cache';
import { variablesOf } from './context.ts';
import { createHtmlLiquid, createPlainLiquid, type LiquidVariant, MAX_SOURCE_CHARACTERS } from './liquid.ts';
import { parsedBytes, parsedSourcesOf } from './parsed-sources.ts';
import { labelOfPart, type PartSources, sourcesOf } from './part-tags.ts';
import { recordLoad, recordSource } from './references.ts';
import { DEFAULT_RESOURCES, type TemplateResources } from './resources.ts';
import type { MissingVariable, TemplateContext, TemplateIssue } from './template-types.ts';

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
function describeIssues(error: unknown, origin: Origin): TemplateIssue[] {
  return flatten(error)
    .slice(0, MAX_ISSUES)
    .map((failure) => issueOf(failure, origin));
}

/** The issues in an error of rendering, with missing variables separate: each at its first position, at most 100. */
function describeMissing(
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

/** Estimated bytes of all cached engines of one output format. A render process has 64 MB. */
const MAX_CACHED_BYTES = 4 * 1_024 * 1_024;
/** An engine that takes more is not cached. */
const MAX_ENGINE_BYTES = 2 * 1_024 * 1_024;
/** The size of an engine without sources. */
const ENGINE_BYTES = 64 * 1_024;
const BYTES_PER_CHARACTER = 2;

function bytesOf({ layouts, partials, catalogs }: TemplateResources): number {
  const sources = [...Object.values(layouts), ...Object.values(partials)];
  const messages = catalogs.flatMap((catalog) => Object.entries(catalog.messages).flat());
  const characters = messages.reduce((sum, text) => sum + text.length, 0);
  return sources.reduce(
    (sum, source) => sum + parsedBytes(source),
    ENGINE_BYTES + characters * BYTES_PER_CHARACTER,
  );
}

/**
 * Caches the engine of each set of resources: by the key, within a memory limit, or as long as the resources object
 * lives if there is no key or the engine is too large.
 */
export function cacheByResources<Engine extends object>(
  create: (resources: TemplateResources) => Engine,
): (resources: TemplateResources) => Engine {
  const byKey = new LRUCache<string, Engine>({ maxSize: MAX_CACHED_BYTES, maxEntrySize: MAX_ENGINE_BYTES });
  const byObject = new WeakMap<TemplateResources, Engine>();

  return (resources) => {
    const { key } = resources;
    const known = (key === undefined ? undefined : byKey.get(key)) ?? byObject.get(resources);
    if (known) return known;
    const created = create(resources);
    byObject.set(resources, created);
    if (key !== undefined) byKey.set(key, created, { size: bytesOf(resources) });
    return created;
  };
}

type RenderedText = { ok: true; text: string } | { ok: false; issues: TemplateIssue[] };

/**
 * `text` is the rendering with all missing values empty; null if there are issues. It equals the result of {@link
 * TemplateEngine.render} only if nothing is missing.
 */
type PreviewedText = {
  text: string | null;
  missing: MissingVariable[];
  issues: TemplateIssue[];
};

/** Parses and renders the sources of one output format. It caches engines, which does not change results. */
type TemplateEngine = {
  /** Renders the source, or returns its issues with their positions. */
  render(source: string, path: string, context: TemplateContext): RenderedText;
  /** Renders a preview: reports missing values and continues without them. */
  preview(source: string, path: string, context: TemplateContext): PreviewedText;
  /** The issues that are visible without a context: syntax, unknown tags and filters, length. */
  check(source: string, path: string): TemplateIssue[];
};

/**
 * liquidjs takes time proportional to issues times length to report every issue of a source, half a minute at worst.
 * Up to this product of tags and outputs times characters (about 0.1 s) all issues are reported, above it only the
 * first.
 */
const MAX_REPORT_WORK = 20_000_000;
/** For subjects, plain text and JSON leaves: values are written unchanged. */
export const plainEngine: TemplateEngine = createEngine(createPlainLiquid);

/** For HTML: every value is escaped once, and a template cannot disable that. */
export const htmlEngine: TemplateEngine = createEngine(createHtmlLiquid);

function createEngine(create: (variant: LiquidVariant) => Liquid): TemplateEngine {
  const standard = createLiquids(create, DEFAULT_RESOURCES);
  const liquidsOf = cacheByResources((resources) => createLiquids(create, resources));
  const liquidsFor = ({ resources }: Pick<TemplateContext, 'resources'>): Liquids =>
    resources === undefined ? standard : liquidsOf(resources);

  function preview(source: string, path: string, context: TemplateContext): PreviewedText {
    const liquids = liquidsFor(context);
    const origin = { source, path, parts: liquids.parts };
    const parsed = parse(liquids, source, path);
    if (!parsed.ok) return { text: null, missing: [], issues: parsed.issues };
    const strict = renderParsed(liquids.every(), parsed.template, context);
    if (strict.ok) return { text: strict.text, missing: [], issues: [] };
    const { missing, others } = describeMissing(strict.error, origin);
    if (others.length > 0 || missing.length === 0) return { text: null, missing, issues: others };
    const lenient = renderParsed(liquids.lenient(), parsed.template, context);
    if (lenient.ok) return { text: lenient.text, missing, issues: [] };
    return { text: null, missing, issues: describeIssues(lenient.error, origin) };
  }

  return {
    preview,
    render(source, path, context) {
      const liquids = liquidsFor(context);
      const parsed = parseOnce(liquids, source, path, context);
      if (!parsed.ok) return { ok: false, issues: parsed.issues };
      const rendered = renderParsed(liquids.every(), parsed.template, context);
      if (rendered.ok) return rendered;
      return { ok: false, issues: describeIssues(rendered.error, { source, path, parts: liquids.parts }) };
    },
    check(source, path) {
      recordSource(path, source);
      const parsed = parse(standard, source, path);
      return parsed.ok ? [] : parsed.issues;
    },
  };
}

function renderParsed(
  liquid: Liquid,
  template: Template[],
  context: TemplateContext,
): { ok: true; text: string } | { ok: false; error: unknown } {
  try {
    // Partials see globals. `increment` writes to a scope of its own.
    return { ok: true, text: String(liquid.renderSync(template, {}, { globals: variablesOf(context) })) };
  } catch (error) {
    return { ok: false, error };
  }
}

/**
 * Three variants of one engine: one stops at the first issue, one collects every issue, and one renders without
 * missing values. Each is created when first needed.
 */
type Liquids = { first(): Liquid; every(): Liquid; lenient(): Liquid; parts: PartSources };

function createLiquids(create: (variant: LiquidVariant) => Liquid, resources: TemplateResources): Liquids {
  const made = (options: Omit<LiquidVariant, 'resources' | 'onLoad'>) => {
    let liquid: Liquid | undefined;
    return () => {
      liquid ??= create({ ...options, resources, onLoad: recordLoad });
      return liquid;
    };
  };
  return {
    first: made({}),
    every: made({ catchAllErrors: true }),
    lenient: made({ strictVariables: false }),
    parts: sourcesOf(resources),
  };
}

type Parsed = { ok: true; template: Template[] } | { ok: false; issues: TemplateIssue[] };

/** Parses a source, or reuses it: rendering does not change a parsed source. */
function parseOnce(liquids: Liquids, source: string, path: string, context: TemplateContext): Parsed {
  const kept = parsedSourcesOf(context);
  const template = kept?.find(liquids, source);
  if (template) return { ok: true, template };
  const parsed = parse(liquids, source, path);
  if (parsed.ok) kept?.keep(liquids, source, parsed.template);
  return parsed;
}

function parse(liquids: Liquids, source: string, path: string): Parsed {
  const parsed = parseWith(liquids.first(), source, path);
  return parsed.ok || !canReportAll(source) ? parsed : parseWith(liquids.every(), source, path);
}

function parseWith(liquid: Liquid, source: string, path: string): Parsed {
  try {
    return { ok: true, template: liquid.parse(source) };
  } catch (error) {
    return { ok: false, issues: describeIssues(error, { source, path, parts: {} }) };
  }
}

function canReportAll(source: string): boolean {
  if (source.length > MAX_SOURCE_CHARACTERS) return false;
  const tags = source.split(/\{[{%]/).length - 1;
  return tags * source.length <= MAX_REPORT_WORK;
}

/** The issues of one source, in one line. */
export function messageOfIssues(issues: readonly TemplateIssue[]): string {
  return issues
    .map(({ message, part, line, column }) => {
      const position = line === undefined ? [] : [`line ${line}`, `column ${column}`];
      const within = [...(part === undefined ? [] : [part]), ...position].join(', ');
      return within === '' ? message : `${message} (${within})`;
    })
    .join('; ');
}
