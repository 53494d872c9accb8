import { type Queryable, readTemplate } from '@postrider/db';
import {
  formatId,
  isJsonObject,
  type JsonObject,
  parseId,
  type TemplateIssue,
  type TemplateWarning,
} from '@postrider/domain';
import type { AdminDeps } from '../operation.ts';
import { createRenderPreview } from '../templates/preview.ts';
import type { StoredItem } from './sections.ts';

/** The most templates of a plan that are rendered, each for up to 5 s, while it holds its locks. */
const MAX_CHECKS = 50;

/** What a new version of a template would send. */
export interface Check {
  readonly kind: 'template';
  readonly key: string;
  /** The id of the message that it was rendered with, `example` of the payload schema, or null: it was not rendered. */
  readonly event: string | null;
  readonly errors: readonly Pick<TemplateIssue, 'path' | 'message'>[];
  readonly warnings: readonly TemplateWarning[];
}

interface Event {
  readonly name: string;
  readonly recipient?: JsonObject;
  readonly payload: JsonObject;
}

/**
 * The newest stored event of a key, without those of tests; else the first example of its payload schema.
 * @param seesContent whether the caller may see payloads: a template can write one into the error of its rendering
 */
async function eventFor(
  db: Queryable,
  { environmentId, eventKey }: { readonly environmentId: string; readonly eventKey: string },
  seesContent: boolean,
): Promise<Event | null> {
  const message = seesContent
    ? await db.message.findFirst({
        where: { environmentId, eventKey, test: false, operational: null, erasedAt: null },
        orderBy: { id: 'desc' },
        select: { id: true, recipient: true, payload: true },
      })
    : null;
  if (message) {
    const { id, recipient, payload } = message;
    return {
      name: formatId('msg', id),
      recipient: recipient as JsonObject,
      payload: payload as JsonObject,
    };
  }
  const eventType = await db.eventType.findFirst({ where: { environmentId, eventKey } });
  const examples = (eventType?.payloadSchema as JsonObject | null)?.examples;
  const example = Array.isArray(examples) ? examples[0] : undefined;
  return example !== undefined && isJsonObject(example) ? { name: 'example', payload: example } : null;
}

/**
 * Renders the first versions of templates as deliveries of their events would. A variable that the event does not have is an error: its
 * delivery would fail.
 * @throws RefusedError if all render processes are busy
 */
export async function checkTemplates(
  deps: AdminDeps,
  templates: readonly StoredItem[],
  seesContent: boolean,
): Promise<{ readonly checks: readonly Check[]; readonly leftOut: number }> {
  const { db } = deps;
  const render = createRenderPreview(deps);
  const checks: Check[] = [];
  for (const { key, id } of templates.slice(0, MAX_CHECKS)) {
    const template = await readTemplate(db, parseId('tpl', String(id)) ?? '');
    if (!template) continue;
    const event = await eventFor(db, template, seesContent);
    if (!event) {
      checks.push({ kind: 'template', key, event: null, errors: [], warnings: [] });
      continue;
    }
    const { name, payload, recipient } = event;
    const preview = await render(template, { payload, ...(recipient && { recipient }) });
    const { errors, missing_variables, warnings } = preview;
    const missing = missing_variables.map(({ name: variable, ...at }) => ({
      ...at,
      message: `{{ ${variable} }} is missing from the event`,
    }));
    checks.push({ kind: 'template', key, event: name, errors: [...errors, ...missing], warnings });
  }
  return { checks, leftOut: Math.max(0, templates.length - MAX_CHECKS) };
}
