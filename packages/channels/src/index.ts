export * from './channel.ts';
export * from './command.ts';
export { explainConnection } from './connection-errors.ts';
export { presentEnvelope, RENDERED_ENVELOPE } from './email/envelope.ts';
export type {
  FeedbackReading,
  FeedbackRequest,
  FetchDocument,
  ReadFeedback,
} from './email/feedback.ts';
export { createEmailKind, type EmailContent } from './email/index.ts';
export { defineEmailProvider, type EmailProvider } from './email/provider.ts';
export { EMAIL_PROVIDERS } from './email/providers/index.ts';
export { ENVELOPE_CONTENT } from './email/template.ts';
export { refusedEndpoints } from './host.ts';
export * from './registry.ts';
export * from './schema.ts';
export {
  contentDigest,
  createSenders,
  type Delivery,
  delivered,
  type ExchangeFacts,
  failure,
  isOutcome,
  type Sender,
  type SenderOptions,
  type Senders,
  type SendingKind,
} from './sender.ts';
export { defineSettings } from './settings.ts';
export { webhookKind } from './webhook/index.ts';
export {
  PREVIOUS_SIGNING_KEY,
  SEQUENCE_WEBHOOK_HEADER,
  SIGNING_KEY,
  TEST_WEBHOOK_HEADER,
} from './webhook/request.ts';
export { publicJwk } from './webhook/signing-keys.ts';
