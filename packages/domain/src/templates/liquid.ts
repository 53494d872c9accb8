import { CaptureTag, type Context, Liquid, type LiquidOptions } from 'liquidjs';
import { registerLocalization } from './localization.ts';
import { meter } from './metering.ts';
import { type OnLoad, registerPartTags, sourcesOf } from './part-tags.ts';
import { DEFAULT_LOCALE, type TemplateResources } from './resources.ts';
import { withShopifyFilters } from './shopify-filters.ts';

/** The largest request body (docs/specification.md, "Request bodies"). Parsing takes half a second at worst. */
export const MAX_SOURCE_CHARACTERS = 256 * 1_024;
/**
 * A cooperative limit: a single filter can exceed it, so the render pool kills the process at 1 s. It is close to
 * that because it measures elapsed time, and a busy machine must not fail a valid template.
 */
const RENDER_LIMIT_MS = 750;
/**
 * Characters and list items that filters and captures may create in one render, and the largest list or object that a
 * filter may process. A render process has several times as much memory, so that nearly all cases end as an error of
 * the template.
 */
const MEMORY_LIMIT = 2_000_000;

/** Refused because they share all variables with another source, or print without escaping (`raw`). */
const REFUSED_TAGS = ['include', 'raw'];
/** Refused because it would disable escaping. */
const REFUSED_FILTER = 'raw';

const OPTIONS: LiquidOptions = {
  ownPropertyOnly: true,
  strictFilters: true,
  strictVariables: true,
  lenientIf: true,
  parseLimit: MAX_SOURCE_CHARACTERS,
  renderLimit: RENDER_LIMIT_MS,
  memoryLimit: MEMORY_LIMIT,
};

/** liquidjs counts what filters create, but not what is captured. */
class MeteredCaptureTag extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const captured = yield this.liquid.renderer.renderTemplates(this.templates, context);
    context.memoryLimit.use(captured.length);
    context.bottom()[this.variable] = captured;
  }
}

/** Options in which an engine differs from the one used for delivery. */
export type LiquidVariant = Pick<LiquidOptions, 'catchAllErrors' | 'strictVariables'> & {
  /** The parts that it can load, and its language. */
  readonly resources: TemplateResources;
  readonly onLoad: OnLoad;
};

/** Liquid that writes values unchanged. */
export function createPlainLiquid(variant: LiquidVariant): Liquid {
  return meter(createLiquid(variant));
}

/** Liquid that escapes every value once. A template cannot disable that. */
export function createHtmlLiquid(variant: LiquidVariant): Liquid {
  return meter(withEscapingFilters(createLiquid(variant, { outputEscape: 'escape' })));
}

/** The liquidjs options that depend on the resources, so that the output is the same on every machine. */
function optionsOf(resources: TemplateResources): LiquidOptions {
  const { locale, timezone } = resources;
  return {
    // Without this liquidjs would read the working directory.
    templates: sourcesOf(resources),
    // Each is parsed once per render.
    cache: true,
    locale: locale === DEFAULT_LOCALE ? 'en-US' : locale,
    timezoneOffset: timezone === 'UTC' ? 0 : timezone,
  };
}

function createLiquid({ resources, onLoad, ...variant }: LiquidVariant, format: LiquidOptions = {}): Liquid {
  const liquid = new Liquid({ ...OPTIONS, ...optionsOf(resources), ...format, ...variant });
  for (const tag of REFUSED_TAGS) delete liquid.tags[tag];
  liquid.registerTag('capture', MeteredCaptureTag);
  liquid.unregisterFilter(REFUSED_FILTER);
  registerPartTags(liquid, onLoad);
  registerLocalization(withShopifyFilters(liquid), resources);
  return liquid;
}

/**
 * Filters whose result is already escaped. The result is marked `raw`, so that it is not escaped again if the filter
 * comes last, as usual in `{{ x | escape }}` and `{{ x | escape | newline_to_br }}`.
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
