import {
  createParsedSources,
  type JsonValue,
  type ParsedSources,
  reuseParsed,
  type TemplateContext,
  type TemplateResources,
} from '@postrider/domain';
import type { Kept, SourcedEmail, Work } from './task.ts';

/** A cache whose owners share its space: none evicts an owner that has less. */
interface FairCache<Value> {
  get(owner: string, key: string): Value | undefined;
  /** Caches the value, unless it is too large. */
  set(owner: string, key: string, value: Value, bytes: number): void;
  /** Increases the size of a cached value by `bytes`. Removes the value if it is too large. */
  grow(owner: string, key: string, bytes: number): void;
}

interface Owned<Value> {
  /** Least recently used first. */
  readonly entries: Map<string, { readonly value: Value; bytes: number }>;
  bytes: number;
}

/**
 * Creates a {@link FairCache}. When it is full, the least recently used entry of the owner with the most bytes is
 * evicted.
 */
export function createFairCache<Value>({
  maxBytes,
  maxEntryBytes,
}: {
  readonly maxBytes: number;
  readonly maxEntryBytes: number;
}): FairCache<Value> {
  const owners = new Map<string, Owned<Value>>();
  let total = 0;

  function remove(owner: string, key: string): void {
    const owned = owners.get(owner);
    const entry = owned?.entries.get(key);
    if (!owned || !entry) return;
    owned.entries.delete(key);
    owned.bytes -= entry.bytes;
    total -= entry.bytes;
    if (owned.entries.size === 0) owners.delete(owner);
  }

  function makeRoom(): void {
    while (total > maxBytes) {
      let largest: readonly [string, Owned<Value>] | undefined;
      for (const each of owners) if (!largest || each[1].bytes > largest[1].bytes) largest = each;
      const oldest = largest?.[1].entries.keys().next().value;
      if (!largest || oldest === undefined) return;
      remove(largest[0], oldest);
    }
  }

  return {
    get(owner, key) {
      const entries = owners.get(owner)?.entries;
      const entry = entries?.get(key);
      if (!entries || !entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(owner, key, value, bytes) {
      remove(owner, key);
      if (bytes > maxEntryBytes) return;
      const owned = owners.get(owner) ?? { entries: new Map(), bytes: 0 };
      owners.set(owner, owned);
      owned.entries.set(key, { value, bytes });
      owned.bytes += bytes;
      total += bytes;
      makeRoom();
    },
    grow(owner, key, bytes) {
      const owned = owners.get(owner);
      const entry = owned?.entries.get(key);
      if (!owned || !entry) return;
      entry.bytes += bytes;
      owned.bytes += bytes;
      total += bytes;
      if (entry.bytes > maxEntryBytes) remove(owner, key);
      else makeRoom();
    },
  };
}

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
  const known = cache.get(owner, key) as (KeptContent & { content: Content }) | undefined;
  if (known || content === undefined) return known ?? null;
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
