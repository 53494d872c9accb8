import type { ClaimedRun, StoredPartContent, TemplateContent } from '@postrider/db';
import {
  type JsonObject,
  LRUCache,
  type PinnedPart,
  planResources,
  type TemplateResources,
  toResources,
} from '@postrider/domain';

/** The size of each cache, in stored characters. */
const MAX_CACHED_CHARACTERS = 16 * 1_024 * 1_024;
/** The overhead of a cache entry. */
const ENTRY_CHARACTERS = 200;

/** Versions of templates and contents of parts, which never change. */
export interface FindTemplates {
  template(environmentId: string, id: string): Promise<TemplateContent | null>;
  contents(environmentId: string, parts: readonly PinnedPart[]): Promise<StoredPartContent[]>;
}

/** A run's template, one object for each version, with its resources for the recipient; null if they are the default. */
interface LoadedTemplate {
  readonly template: TemplateContent;
  readonly resources: TemplateResources | null;
}

/** Loads the template of a run; null if it has none. */
export type LoadTemplate = (run: ClaimedRun) => Promise<LoadedTemplate | null>;

function charactersOf({ subject, html, text, mjml, body, envelope, parts }: TemplateContent): number {
  const texts = [subject, html, text, mjml].reduce((sum, source) => sum + (source?.length ?? 0), 0);
  return texts + JSON.stringify([body, envelope, parts]).length + ENTRY_CHARACTERS;
}

/**
 * Creates a {@link LoadTemplate} that caches by id, so that runs with the same template or layout read it once.
 */
export function createLoadTemplate(find: FindTemplates, maxCharacters = MAX_CACHED_CHARACTERS): LoadTemplate {
  const templates = new LRUCache<string, TemplateContent, string>({
    maxSize: maxCharacters,
    sizeCalculation: charactersOf,
    // Otherwise a look-up fails when other templates evict its entry meanwhile.
    ignoreFetchAbort: true,
    fetchMethod: async (id, _stale, { context: environmentId }) =>
      (await find.template(environmentId, id)) ?? undefined,
  });
  const contents = new LRUCache<string, StoredPartContent>({
    maxSize: maxCharacters,
    sizeCalculation: ({ characters }) => characters + ENTRY_CHARACTERS,
  });

  async function contentsOf(environmentId: string, parts: readonly PinnedPart[]) {
    const found = new Map<string, StoredPartContent['content']>();
    const unknown: PinnedPart[] = [];
    for (const part of parts) {
      const kept = contents.get(part.id);
      if (kept) found.set(part.id, kept.content);
      else unknown.push(part);
    }
    if (unknown.length === 0) return found;
    for (const stored of await find.contents(environmentId, unknown)) {
      contents.set(stored.id, stored);
      found.set(stored.id, stored.content);
    }
    return found;
  }

  return async ({ environmentId, templateId, message }) => {
    if (templateId === null) return null;
    const template = await templates.fetch(templateId, { context: environmentId });
    if (!template) throw new Error(`there is no template version ${templateId}`);
    const plan = planResources(template, message.recipient as JsonObject);
    const resources = plan && toResources(plan, await contentsOf(environmentId, plan.needed));
    return { template, resources };
  };
}
