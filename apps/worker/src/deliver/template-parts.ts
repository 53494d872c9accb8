import type { ClaimedRun, StoredPartContent } from '@postrider/db';
import {
  type JsonObject,
  LRUCache,
  type PinnedPart,
  planResources,
  type TemplateResources,
  toResources,
} from '@postrider/domain';

/** Of all contents that a process keeps, in characters as they are stored. */
const MAX_CACHED_CHARACTERS = 16 * 1_024 * 1_024;
/** What an entry takes besides its content. */
const ENTRY_CHARACTERS = 200;

/** Reads contents of parts, which never change. */
export type FindPartContents = (
  environmentId: string,
  parts: readonly PinnedPart[],
) => Promise<StoredPartContent[]>;

/** Loads what a run's template is rendered with for its recipient; null where nothing differs from the default. */
export type LoadResources = (run: ClaimedRun) => Promise<TemplateResources | null>;

/**
 * Creates a {@link LoadResources} that keeps contents by their ids: runs of one layout read it once. A template without
 * parts costs no statement.
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
