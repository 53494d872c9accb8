import type { Liquid, Template } from 'liquidjs';
import { variablesOf } from './context.ts';
import { cacheByResources } from './engine-cache.ts';
import { describeIssues, describeMissing } from './issues.ts';
import { createHtmlLiquid, createPlainLiquid, type LiquidVariant, MAX_SOURCE_CHARACTERS } from './liquid.ts';
import { parsedSourcesOf } from './parsed-sources.ts';
import { type PartSources, sourcesOf } from './part-tags.ts';
import { recordLoad, recordSource } from './references.ts';
import { DEFAULT_RESOURCES, type TemplateResources } from './resources.ts';
import type { MissingVariable, TemplateContext, TemplateIssue } from './template-types.ts';

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
