import {
  checkTemplate,
  createUuidV7Source,
  type EmailContent,
  type TemplateContent,
  type WebhookContent,
} from '@postrider/domain';
import type { UnboundDatabase } from '../client.ts';
import type { ConfigureDeps } from '../configure/change.ts';
import { type EventType, putEventType } from '../configure/event-types.ts';
import { createTemplateVersion } from '../configure/templates.ts';

/** A template version as tests write it, never in MJML. */
export type TestTemplate = {
  readonly environmentId: string;
  readonly eventKey: string;
  readonly activate: boolean;
} & (Readonly<Omit<EmailContent, 'mjml'>> | Readonly<WebhookContent>);

const configure = (db: UnboundDatabase): ConfigureDeps => ({
  db,
  newId: createUuidV7Source(),
  actor: { name: 'test', requestId: null, traceId: null },
});

/** Adds a template version, in which nothing may be wrong, and returns its UUID and number. */
export async function createTestTemplate(
  db: UnboundDatabase,
  { environmentId, eventKey, activate, ...content }: TestTemplate,
): Promise<{ readonly id: string; readonly version: number }> {
  const whole: TemplateContent = content.channelKind === 'email' ? { ...content, mjml: null } : content;
  const verdict = checkTemplate(whole);
  if (verdict.outcome === 'faulty') throw new Error(`a test's template: ${JSON.stringify(verdict.faults)}`);
  const { template } = verdict;
  const made = await createTemplateVersion(configure(db), { environmentId, eventKey, template, activate });
  if (made.outcome !== 'created') throw new Error(`a test's template: ${made.outcome}`);
  return made.template;
}

/** Describes an event key; its schema must be one that can be used. */
export async function putTestEventType(db: UnboundDatabase, eventType: EventType): Promise<void> {
  const put = await putEventType(configure(db), eventType);
  if (put.outcome !== 'stored') throw new Error(`a test's event type: ${JSON.stringify(put)}`);
}
