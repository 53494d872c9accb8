import { LRUCache } from 'lru-cache';
import { parsedBytes } from './parsed-sources.ts';
import type { TemplateResources } from './resources.ts';

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
