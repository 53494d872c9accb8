import { CaptureTag, type Context, Liquid, type LiquidOptions } from 'liquidjs';
import { registerLocalization } from './localization.ts';
import { meter } from './metering.ts';
import { type NoteLoad, registerPartTags, sourcesOf } from './part-tags.ts';
import { DEFAULT_LOCALE, type TemplateResources } from './resources.ts';
import { withShopifyFilters } from './shopify-filters.ts';

/**
 * What the largest request body (docs/specification.md, "Request bodies") can hold; parsing takes half a
 * second at worst.
 */
export const MAX_SOURCE_CHARACTERS = 256 * 1_024;
/**
 * Cooperative: a single filter can overshoot it, so the rendering pool ends its process at 1 s. Close to
 * that, because it is elapsed time, and a busy machine must not fail a sound template.
 */
const RENDER_LIMIT_MS = 750;
/**
 * Characters and list items that filters and captures may make in one render, and what the largest list or
 * object that a filter works with may hold. A process that renders has room for several times that, so that
 * nearly everything ends as an error of the template.
 */
const MEMORY_LIMIT = 2_000_000;

/** They share all variables with another source, or print what follows as it is (`raw`). */
const REFUSED_TAGS = ['include', 'raw'];
/** It would switch escaping off. */
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

/** The library charges for what filters make, and not for what is captured. */
class MeteredCaptureTag extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const captured = yield this.liquid.renderer.renderTemplates(this.templates, context);
    context.memoryLimit.use(captured.length);
    context.bottom()[this.variable] = captured;
  }
}

/** How a parser and renderer differs from the one that everything is delivered with. */
export type LiquidVariant = Pick<LiquidOptions, 'catchAllErrors' | 'strictVariables'> & {
  /** What it can load, and the language it writes dates and numbers in. */
  readonly resources: TemplateResources;
  readonly onLoad: NoteLoad;
};

/** Liquid that writes values as they are. */
export function createPlainLiquid(variant: LiquidVariant): Liquid {
  return meter(createLiquid(variant));
}

/** Liquid that escapes every value, once; a template cannot switch that off. */
export function createHtmlLiquid(variant: LiquidVariant): Liquid {
  return meter(withEscapingFilters(createLiquid(variant, { outputEscape: 'escape' })));
}

/** What a resource decides of the library: the same output on every machine. */
function optionsOf(resources: TemplateResources): LiquidOptions {
  const { locale, timezone } = resources;
  return {
    // Without this the library would look into the working directory.
    templates: sourcesOf(resources),
    // Each of them is parsed once for a render.
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
