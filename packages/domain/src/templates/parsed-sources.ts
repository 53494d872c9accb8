import type { Template } from 'liquidjs';
import type { TemplateContext } from './template-types.ts';

const BYTES_PER_CHARACTER = 2;
/** An upper bound for a parsed tag or output, whose operands and filters can have one character each. */
const BYTES_PER_EXPRESSION_CHARACTER = 150;

const CLOSING: Readonly<Record<string, string>> = { '{{': '}}', '{%': '%}' };

/** An upper bound of the memory of a parsed source, in bytes. Takes time linear in the source. */
export function parsedBytes(source: string): number {
  let expressions = 0;
  for (let at = source.indexOf('{'); at >= 0; at = source.indexOf('{', at + 1)) {
    const closing = CLOSING[source.slice(at, at + 2)];
    if (closing === undefined) continue;
    const end = source.indexOf(closing, at);
    if (end < 0) return source.length * BYTES_PER_EXPRESSION_CHARACTER;
    expressions += end - at;
    at = end;
  }
  return source.length * BYTES_PER_CHARACTER + expressions * BYTES_PER_EXPRESSION_CHARACTER;
}

/** The parsed sources of one template that is rendered repeatedly. Those of an engine are freed with the engine. */
export interface ParsedSources {
  find(engine: object, source: string): Template[] | undefined;
  keep(engine: object, source: string, parsed: Template[]): void;
}

/** @param onGrow called with an upper bound of the bytes that were added */
export function createParsedSources(onGrow: (bytes: number) => void): ParsedSources {
  const byEngine = new WeakMap<object, Map<string, Template[]>>();
  return {
    find: (engine, source) => byEngine.get(engine)?.get(source),
    keep(engine, source, parsed) {
      const sources = byEngine.get(engine) ?? new Map<string, Template[]>();
      byEngine.set(engine, sources.set(source, parsed));
      onGrow(parsedBytes(source));
    },
  };
}

const used = new WeakMap<TemplateContext, ParsedSources>();

/** Makes renders with this context parse a source only if `parsed` does not have it. Returns the context. */
export function reuseParsed(context: TemplateContext, parsed: ParsedSources): TemplateContext {
  used.set(context, parsed);
  return context;
}

export const parsedSourcesOf = (context: TemplateContext): ParsedSources | undefined => used.get(context);
