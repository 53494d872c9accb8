import type { Liquid, Template } from 'liquidjs';
import { describeIssues, describeMissing } from './issues.ts';
import { createHtmlLiquid, createPlainLiquid, type LiquidVariant, MAX_SOURCE_CHARACTERS } from './liquid.ts';
import type { MissingVariable, TemplateContext, TemplateIssue } from './template-types.ts';

export type RenderedText = { ok: true; text: string } | { ok: false; issues: TemplateIssue[] };

/**
 * `text` is what would be rendered if all that is missing were empty; null when there are issues. Only a text
 * with nothing missing is one that {@link TemplateEngine.render} would give.
 */
export type PreviewedText = {
  text: string | null;
  missing: MissingVariable[];
  issues: TemplateIssue[];
};

/** Parses and renders the sources of one output format. Holds no state between calls. */
export type TemplateEngine = {
  /** The source with its variables filled in, or what is wrong with it and where. */
  render(source: string, path: string, context: TemplateContext): RenderedText;
  /** Renders to be looked at: names what the context does not have, and renders on without it. */
  preview(source: string, path: string, context: TemplateContext): PreviewedText;
  /** The issues that can be seen without a context: syntax, unknown tags and filters, length. */
  check(source: string, path: string): TemplateIssue[];
};

/**
 * The library takes time in proportion to issues times length, half a minute at worst, to tell every issue of
 * a source. Up to this product (tags and outputs times characters, about 0.1 s) all are told, above it the
 * first.
 */
const MAX_REPORT_WORK = 20_000_000;
/** For subjects, plain text and JSON leaves: values are written as they are. */
export const plainEngine: TemplateEngine = createEngine(createPlainLiquid);

/** For HTML: every value is escaped, once, and a template cannot switch that off. */
export const htmlEngine: TemplateEngine = createEngine(createHtmlLiquid);

function createEngine(create: (variant: LiquidVariant) => Liquid): TemplateEngine {
  const liquids = { first: create({}), every: create({ catchAllErrors: true }) };
  const forgiving = create({ strictVariables: false });

  function preview(source: string, path: string, context: TemplateContext): PreviewedText {
    const parsed = parse(liquids, source, path);
    if (!parsed.ok) return { text: null, missing: [], issues: parsed.issues };
    const strictly = renderParsed(liquids.every, parsed.template, context);
    if (strictly.ok) return { text: strictly.text, missing: [], issues: [] };
    const { missing, others } = describeMissing(strictly.error, { source, path });
    if (others.length > 0 || missing.length === 0) return { text: null, missing, issues: others };
    const forgivingly = renderParsed(forgiving, parsed.template, context);
    if (forgivingly.ok) return { text: forgivingly.text, missing, issues: [] };
    return { text: null, missing, issues: describeIssues(forgivingly.error, { source, path }) };
  }

  return {
    preview,
    render(source, path, context) {
      const parsed = parse(liquids, source, path);
      if (!parsed.ok) return { ok: false, issues: parsed.issues };
      const rendered = renderParsed(liquids.every, parsed.template, context);
      if (rendered.ok) return rendered;
      return { ok: false, issues: describeIssues(rendered.error, { source, path }) };
    },
    check(source, path) {
      const parsed = parse(liquids, source, path);
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
    // A copy, because `increment` writes into the scope it is given.
    return { ok: true, text: String(liquid.renderSync(template, { ...context })) };
  } catch (error) {
    return { ok: false, error };
  }
}

/** The same engine twice: one stops at the first issue, one goes on to every issue. */
type Liquids = { first: Liquid; every: Liquid };
type Parsed = { ok: true; template: Template[] } | { ok: false; issues: TemplateIssue[] };

function parse(liquids: Liquids, source: string, path: string): Parsed {
  const parsed = parseWith(liquids.first, source, path);
  return parsed.ok || !canReportAll(source) ? parsed : parseWith(liquids.every, source, path);
}

function parseWith(liquid: Liquid, source: string, path: string): Parsed {
  try {
    return { ok: true, template: liquid.parse(source) };
  } catch (error) {
    return { ok: false, issues: describeIssues(error, { source, path }) };
  }
}

function canReportAll(source: string): boolean {
  if (source.length > MAX_SOURCE_CHARACTERS) return false;
  const tags = source.split(/\{[{%]/).length - 1;
  return tags * source.length <= MAX_REPORT_WORK;
}

/** The issues of one source in one line. */
export function messageOfIssues(issues: readonly TemplateIssue[]): string {
  return issues
    .map(({ message, line, column }) =>
      line === undefined ? message : `${message} (line ${line}, column ${column})`,
    )
    .join('; ');
}
