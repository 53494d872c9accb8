import { formatId } from '../ids.ts';
import { oncePerObject } from '../once-per-object.ts';
import type { JsonObject } from '../storable-json.ts';
import { DEFAULT_RESOURCES, directionOf, type TemplateResources } from './resources.ts';
import type { TemplateContext } from './template-types.ts';

/** The context of a run's template, the same at each attempt and when it is rendered again. Ids are UUIDs. */
export function templateContextOf({
  runId,
  message,
  unsubscribeUrl,
  resources,
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
  /** The run's unsubscribe link, or null. */
  readonly unsubscribeUrl: string | null;
  /** Null or left out if the template needs none. */
  readonly resources?: TemplateResources | null;
  /** Its sequence within its ordering key; null if it is not ordered. */
  readonly sequence: number | null;
}): TemplateContext {
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
