import {
  createParsedSources,
  type JsonValue,
  type ParsedSources,
  reuseParsed,
  type TemplateContext,
  type TemplateResources,
} from '@postrider/domain';
import { createFairCache } from './fair-cache.ts';
import type { Kept, SourcedEmail, Work } from './task.ts';

/** Upper bounds of the cached contents, in bytes. A render process has 64 MB. */
const MAX_BYTES = 8 * 1_024 * 1_024;
const MAX_CONTENT_BYTES = 2 * 1_024 * 1_024;
const BYTES_PER_CHARACTER = 2;

interface KeptContent {
  readonly content: unknown;
  readonly parsed: ParsedSources;
}

const cache = createFairCache<KeptContent>({ maxBytes: MAX_BYTES, maxEntryBytes: MAX_CONTENT_BYTES });

/** The given or the cached content; null if it must be given. */
function find<Content>(
  owner: string,
  { key, content }: Kept<Content>,
): (KeptContent & { content: Content }) | null {
  const known = cache.get(owner, key);
  if (known || content === undefined)
    return (known as (KeptContent & { content: Content }) | undefined) ?? null;
  const parsed = createParsedSources((bytes) => cache.grow(owner, key, bytes));
  cache.set(owner, key, { content, parsed }, JSON.stringify(content).length * BYTES_PER_CHARACTER);
  return { content, parsed };
}

type Rendered<Template> = { readonly template: Template; readonly context: TemplateContext };

/** Work with all its contents. */
export type Complete =
  | Exclude<Work, { kind: 'email' | 'json' }>
  | ({ readonly kind: 'email' } & Rendered<SourcedEmail>)
  | ({ readonly kind: 'json' } & Rendered<JsonValue>);

/** Completes work with cached contents, and caches the given ones; null if a content must be given. */
export function complete(work: Work): Complete | null {
  if (work.kind !== 'email' && work.kind !== 'json') return work;
  const { owner, context } = work;
  const template = find<unknown>(owner, work.template);
  const resources = work.resources && find<TemplateResources>(owner, work.resources);
  if (!template || (work.resources && !resources)) return null;
  const whole = resources ? { ...context, resources: resources.content } : context;
  return {
    kind: work.kind,
    template: template.content,
    context: reuseParsed(whole, template.parsed),
  } as Complete;
}
