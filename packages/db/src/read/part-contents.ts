import {
  type JsonObject,
  type LocalizedTemplate,
  type PartContent,
  type PinnedPart,
  planResources,
  type StoredTemplate,
  type TemplateResources,
  toResources,
} from '@postrider/domain';
import type { Database, Queryable } from '../client.ts';
import { readInEnvironments } from '../transactions/transaction.ts';

/** The content of a version; `characters` is its stored length. */
export interface StoredPartContent {
  readonly id: string;
  readonly content: PartContent;
  readonly characters: number;
}

/**
 * The contents of versions of parts. They never change, so they can be cached. Versions of other environments are
 * left out.
 */
async function readPartContents(
  db: Queryable,
  environmentId: string,
  parts: readonly PinnedPart[],
): Promise<StoredPartContent[]> {
  if (parts.length === 0) return [];
  const rows = await db.templatePart.findMany({
    where: { environmentId, id: { in: parts.map(({ id }) => id) } },
    select: { id: true, type: true, content: true },
  });
  return rows.map(({ id, type, content }) => ({
    id,
    content: type === 'translation' ? (JSON.parse(content) as PartContent) : content,
    characters: content.length,
  }));
}

/** Like {@link readPartContents}, in a transaction with the row-level security of the environment. */
export function findPartContents(
  db: Database,
  environmentId: string,
  parts: readonly PinnedPart[],
): Promise<StoredPartContent[]> {
  return readInEnvironments(db, [environmentId], (tx) => readPartContents(tx, environmentId, parts));
}

/** What a run is rendered from: a version of a template, which never changes. */
export interface StoredTemplateVersion extends LocalizedTemplate, StoredTemplate {
  readonly id: string;
}

const CONTENT_COLUMNS = {
  id: true,
  subject: true,
  html: true,
  text: true,
  mjml: true,
  body: true,
  envelope: true,
  parts: true,
  defaultLocale: true,
} as const;

/** The version with this UUID, in a transaction with the row-level security of the environment; null if there is none. */
export function findTemplateVersion(
  db: Database,
  environmentId: string,
  id: string,
): Promise<StoredTemplateVersion | null> {
  return readInEnvironments(db, [environmentId], async (tx) => {
    const row = await tx.templateVersion.findFirst({ where: { id, environmentId }, select: CONTENT_COLUMNS });
    return row as unknown as StoredTemplateVersion | null;
  });
}

/** The resources with which a version is rendered for a recipient; null if they are the default. */
export async function readResources(
  db: Queryable,
  environmentId: string,
  template: LocalizedTemplate,
  recipient: JsonObject,
): Promise<TemplateResources | null> {
  const plan = planResources(template, recipient);
  if (!plan) return null;
  const stored = await readPartContents(db, environmentId, plan.needed);
  const contents = new Map(stored.map(({ id, content }) => [id, content]));
  return toResources(plan, contents);
}
