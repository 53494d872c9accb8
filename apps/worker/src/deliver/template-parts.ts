import type { ClaimedRun, StoredPartContent } from '@postrider/db';
import {
  type JsonObject,
  LRUCache,
  type PinnedPart,
  planResources,
  type TemplateResources,
  toResources,
} from '@postrider/domain';

/** The size of the cache, in stored characters. */
const MAX_CACHED_CHARACTERS = 16 * 1_024 * 1_024;
/** The overhead of a cache entry. */
const ENTRY_CHARACTERS = 200;

/** Reads contents of parts, which never change. */
type FindPartContents = (environmentId: string, parts: readonly PinnedPart[]) => Promise<StoredPartContent[]>;

/** Loads the resources of a run's template for its recipient; null if they are the default. */
export type LoadResources = (run: ClaimedRun) => Promise<TemplateResources | null>;

/**
 * Creates a {@link LoadResources} that caches contents by id, so runs with the same layout read it once. A template
 * without parts needs no query.
 */
export function createLoadResources(
  findContents: FindPartContents,
  maxCharacters = MAX_CACHED_CHARACTERS,
): LoadResources {
  const cache = new LRUCache<string, StoredPartContent>({
    maxSize: maxCharacters,
    sizeCalculation: ({ characters }) => characters + ENTRY_CHARACTERS,
  });

  return async ({ environmentId, template, message }) => {
    const plan = template && planResources(template, message.recipient as JsonObject);
    if (!plan) return null;
    const contents = new Map<string, StoredPartContent['content']>();
    const unknown: PinnedPart[] = [];
    for (const part of plan.needed) {
      const kept = cache.get(part.id);
      if (kept) contents.set(part.id, kept.content);
      else unknown.push(part);
    }
    if (unknown.length > 0) {
      for (const stored of await findContents(environmentId, unknown)) {
        cache.set(stored.id, stored);
        contents.set(stored.id, stored.content);
      }
    }
    return toResources(plan, contents);
  };
}
