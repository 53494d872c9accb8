import { Liquid, type LiquidOptions, type Template } from 'liquidjs';
import { describeFaults, describeMissing } from './faults.ts';
import type { MissingVariable, TemplateContext, TemplateFault } from './template-types.ts';

export type RenderedText = { ok: true; text: string } | { ok: false; message: string };

/**
 * `text` is what would be rendered if all that is missing were empty; null when there are faults. Only a text
 * with nothing missing is one that {@link TemplateEngine.render} would give.
 */
export type PreviewedText = {
  text: string | null;
  missing: MissingVariable[];
  faults: TemplateFault[];
};

/** Parses and renders the sources of one output format. Holds no state between calls. */
export type TemplateEngine = {
  /** The source with its variables filled in, or what is wrong with it and where. */
  render(source: string, context: TemplateContext): RenderedText;
  /** Renders to be looked at: names what the context does not have, and renders on without it. */
  preview(source: string, path: string, context: TemplateContext): PreviewedText;
  /** The faults that can be seen without a context: syntax, unknown tags and filters, length. */
  check(source: string, path: string): TemplateFault[];
};

/** What the largest request body (contract section 1) can hold; parsing takes half a second at worst. */
export const MAX_SOURCE_CHARACTERS = 256 * 1_024;
/**
 * The library takes time in proportion to faults times length, half a minute at worst, to tell every fault of
 * a source. Up to this product (tags and outputs times characters, about 0.1 s) all are told, above it the
 * first.
 */
const MAX_REPORT_WORK = 20_000_000;
/** Most mail servers cut or refuse far below this. */
export const MAX_RENDERED_CHARACTERS = 2 * 1_024 * 1_024;
/**
 * Cooperative: a single filter can overshoot it, so the rendering pool kills its thread at 1 s. Close to
 * that, because it is elapsed time, and a busy machine must not fail a sound template.
 */
const RENDER_LIMIT_MS = 750;
/** Characters and list items that filters may make in one render. */
const MEMORY_LIMIT = 10_000_000;

/** They read other templates, of which there are none, or print what follows as it is (`raw`). */
const REFUSED_TAGS = ['include', 'render', 'layout', 'block', 'raw'];
/** It would switch escaping off. */
const REFUSED_FILTER = 'raw';

const OPTIONS: LiquidOptions = {
  // Sources come from the call alone; without this the library would look into the working directory.
  templates: {},
  ownPropertyOnly: true,
  strictFilters: true,
  strictVariables: true,
  lenientIf: true,
  // The same output on every machine.
  timezoneOffset: 0,
  locale: 'en-US',
  parseLimit: MAX_SOURCE_CHARACTERS,
  renderLimit: RENDER_LIMIT_MS,
  memoryLimit: MEMORY_LIMIT,
};

/** For subjects, plain text and JSON leaves: values are written as they are. */
export const plainEngine: TemplateEngine = createEngine(createLiquid, OPTIONS);

/** For HTML: every value is escaped, once, and a template cannot switch that off. */
export const htmlEngine: TemplateEngine = createEngine(
  (options) => withEscapingFilters(createLiquid(options)),
  {
    ...OPTIONS,
    outputEscape: 'escape',
  },
);

function createLiquid(options: LiquidOptions): Liquid {
  const liquid = new Liquid(options);
  for (const tag of REFUSED_TAGS) delete liquid.tags[tag];
  liquid.unregisterFilter(REFUSED_FILTER);
  return liquid;
}

/**
 * Filters whose result is escaped already: marked `raw`, it is not escaped again when they come last, so that
 * the usual `{{ x | escape }}` and `{{ x | escape | newline_to_br }}` mean what they mean elsewhere.
 */
function withEscapingFilters(liquid: Liquid): Liquid {
  const escapeOnce = functionOf(liquid, 'escape_once');
  const breakLines = functionOf(liquid, 'newline_to_br');
  for (const name of ['escape', 'xml_escape', 'escape_once']) {
    liquid.registerFilter(name, { raw: true, handler: functionOf(liquid, name) });
  }
  liquid.registerFilter('newline_to_br', {
    raw: true,
    handler(value: unknown) {
      return breakLines.call(this, escapeOnce.call(this, value));
    },
  });
  return liquid;
}

function functionOf(liquid: Liquid, name: string) {
  const filter = liquid.filters[name];
  if (typeof filter !== 'function') throw new TypeError(`liquidjs has no filter function ${name}`);
  return filter;
}

function createEngine(create: (options: LiquidOptions) => Liquid, options: LiquidOptions): TemplateEngine {
  const liquids = { first: create(options), every: create({ ...options, catchAllErrors: true }) };
  const forgiving = create({ ...options, strictVariables: false });

  function preview(source: string, path: string, context: TemplateContext): PreviewedText {
    const parsed = parse(liquids, source, path);
    if (!parsed.ok) return { text: null, missing: [], faults: parsed.faults };
    const strictly = renderParsed(liquids.every, parsed.template, context);
    if (strictly.ok) return { text: strictly.text, missing: [], faults: [] };
    const { missing, others } = describeMissing(strictly.error, path);
    if (others.length > 0 || missing.length === 0) return { text: null, missing, faults: others };
    const forgivingly = renderParsed(forgiving, parsed.template, context);
    if (forgivingly.ok) return { text: forgivingly.text, missing, faults: [] };
    return { text: null, missing, faults: describeFaults(forgivingly.error, path) };
  }

  return {
    preview,
    render(source, context) {
      const parsed = parse(liquids, source, '');
      if (!parsed.ok) return { ok: false, message: describe(parsed.faults) };
      const rendered = renderParsed(liquids.every, parsed.template, context);
      if (rendered.ok) return rendered;
      return { ok: false, message: describe(describeFaults(rendered.error, '')) };
    },
    check(source, path) {
      const parsed = parse(liquids, source, path);
      return parsed.ok ? [] : parsed.faults;
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
    const text = String(liquid.renderSync(template, { ...context }));
    if (text.length <= MAX_RENDERED_CHARACTERS) return { ok: true, text };
    return {
      ok: false,
      error: new RangeError(`more than ${MAX_RENDERED_CHARACTERS} characters were rendered`),
    };
  } catch (error) {
    return { ok: false, error };
  }
}

/** The same engine twice: one stops at the first fault, one goes on to every fault. */
type Liquids = { first: Liquid; every: Liquid };
type Parsed = { ok: true; template: Template[] } | { ok: false; faults: TemplateFault[] };

function parse(liquids: Liquids, source: string, path: string): Parsed {
  const parsed = parseWith(liquids.first, source, path);
  return parsed.ok || !canReportAll(source) ? parsed : parseWith(liquids.every, source, path);
}

function parseWith(liquid: Liquid, source: string, path: string): Parsed {
  try {
    return { ok: true, template: liquid.parse(source) };
  } catch (error) {
    return { ok: false, faults: describeFaults(error, path) };
  }
}

function canReportAll(source: string): boolean {
  if (source.length > MAX_SOURCE_CHARACTERS) return false;
  const tags = source.split(/\{[{%]/).length - 1;
  return tags * source.length <= MAX_REPORT_WORK;
}

function describe(faults: readonly TemplateFault[]): string {
  return faults
    .map(({ message, line, column }) =>
      line === undefined ? message : `${message} (line ${line}, column ${column})`,
    )
    .join('; ');
}
