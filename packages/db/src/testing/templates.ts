import { type ChannelRegistry, channelKinds } from '@postrider/channels';
import { type ChannelKind, checkTemplate, createUuidV7Source, type JsonObject } from '@postrider/domain';
import type { UnboundDatabase } from '../client.ts';
import type { ConfigureDeps } from '../configure/change.ts';
import { type EventTypeInput, putEventType } from '../configure/event-types.ts';
import { createTemplateVersion } from '../configure/templates.ts';

/** A template version as tests write it, never in MJML: besides these fields, those of a request for its kind. */
export interface TestTemplate extends JsonObject {
  readonly environmentId: string;
  readonly eventKey: string;
  readonly channelKind: ChannelKind;
  readonly activate: boolean;
}

const configure = (db: UnboundDatabase): ConfigureDeps => ({
  db,
  newId: createUuidV7Source(),
  actor: { name: 'test', requestId: null, traceId: null },
});

/** Adds a template version, in which nothing may be wrong, and returns its UUID and number. */
export async function createTestTemplate(
  db: UnboundDatabase,
  { environmentId, eventKey, channelKind, activate, ...content }: TestTemplate,
  kinds: ChannelRegistry = channelKinds,
): Promise<{ readonly id: string; readonly version: number }> {
  const verdict = checkTemplate(kinds.get(channelKind).template.toContent(content));
  if (verdict.outcome === 'invalid') throw new Error(`a test's template: ${JSON.stringify(verdict.issues)}`);
  const { template, references } = verdict;
  const made = await createTemplateVersion(configure(db), {
    environmentId,
    eventKey,
    channelKind,
    template,
    references,
    activate,
  });
  if (made.outcome !== 'created') throw new Error(`a test's template: ${made.outcome}`);
  return made.template;
}

/** Describes an event key; its schema must be one that can be used. */
export async function putTestEventType(db: UnboundDatabase, eventType: EventTypeInput): Promise<void> {
  const put = await putEventType(configure(db), eventType);
  if (put.outcome !== 'stored') throw new Error(`a test's event type: ${JSON.stringify(put)}`);
}
