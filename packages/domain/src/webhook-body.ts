import type { JsonObject } from './storable-json.ts';

export type WebhookEvent = {
  eventKey: string;
  /** When the event was accepted. */
  timestamp: Date;
  /** Public ids. */
  messageId: string;
  deliveryRunId: string;
  recipient: JsonObject;
  payload: JsonObject;
};

/**
 * The body of a webhook without a template: docs/specification.md, "Webhooks", in the shape of Standard
 * Webhooks (`type`, `timestamp`, `data`).
 */
export function defaultWebhookBody(event: WebhookEvent): JsonObject {
  return {
    type: event.eventKey,
    timestamp: event.timestamp.toISOString(),
    data: {
      message_id: event.messageId,
      delivery_run_id: event.deliveryRunId,
      recipient: event.recipient,
      payload: event.payload,
    },
  };
}
