import type { JsonObject, TemplateContext } from '@postrider/domain';

/** The body of a webhook without a template, in the shape of Standard Webhooks (`type`, `timestamp`, `data`). */
export function defaultWebhookBody(context: TemplateContext): JsonObject {
  const { event_key: type, timestamp, message_id, delivery_run_id, recipient, payload } = context;
  return { type, timestamp, data: { message_id, delivery_run_id, recipient, payload } };
}
