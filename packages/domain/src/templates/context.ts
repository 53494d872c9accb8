import { formatId } from '../ids.ts';
import type { JsonObject } from '../storable-json.ts';
import type { TemplateContext } from './template-types.ts';

/** What the template of a run knows, at each of its attempts and whenever it is rendered again. Ids are UUIDs. */
export function templateContextOf({
  runId,
  message,
  unsubscribeUrl,
}: {
  readonly runId: string;
  readonly message: {
    readonly id: string;
    readonly eventKey: string;
    readonly recipient: JsonObject;
    readonly payload: JsonObject;
    readonly createdAt: Date;
  };
  /** Of the run; null where it has none. */
  readonly unsubscribeUrl: string | null;
}): TemplateContext {
  return {
    event_key: message.eventKey,
    recipient: message.recipient,
    payload: message.payload,
    message_id: formatId('msg', message.id),
    delivery_run_id: formatId('run', runId),
    timestamp: message.createdAt.toISOString(),
    unsubscribe_url: unsubscribeUrl,
  };
}
