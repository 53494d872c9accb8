import { formatId } from '../ids.ts';
import { oncePerObject } from '../once-per-object.ts';
import type { JsonObject } from '../storable-json.ts';
import { DEFAULT_RESOURCES, directionOf, type TemplateResources } from './resources.ts';
import type { TemplateContext } from './template-types.ts';

/**
 * The context of a run's template, the same at each attempt and when it is rendered again. Ids are UUIDs.
 * @param unsubscribeUrl the run's unsubscribe link, or null
 * @param resources null if the template needs none
 */
export function templateContextOf(
  {
    runId,
    message,
    sequence,
  }: {
    readonly runId: string;
    readonly message: {
      readonly id: string;
      readonly eventKey: string;
      readonly recipient: JsonObject;
      readonly payload: JsonObject;
      readonly createdAt: Date;
    };
    /** Its sequence within its ordering key; null if it is not ordered. */
    readonly sequence: number | null;
  },
  unsubscribeUrl: string | null,
  resources: TemplateResources | null,
): TemplateContext {
  return {
    event_key: message.eventKey,
    recipient: message.recipient,
    payload: message.payload,
    message_id: formatId('msg', message.id),
    delivery_run_id: formatId('run', runId),
    timestamp: message.createdAt.toISOString(),
    unsubscribe_url: unsubscribeUrl,
    ...(resources ? { resources } : {}),
    sequence,
  };
}

/**
 * The variables of templates, computed once per context: everything except the resources, plus what follows from
 * their locale.
 */
export const variablesOf = oncePerObject((context: TemplateContext): JsonObject => {
  const { resources: { locale } = DEFAULT_RESOURCES, ...named } = context;
  return { ...named, locale, dir: directionOf(locale) };
});
