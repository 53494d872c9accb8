/** The TypeScript client of Postrider, typed from the OpenAPI document that the service serves. */
export { createPostriderAdmin, type PostriderAdmin, type PostriderAdminOptions } from './admin.ts';
export type { BatchEvent, BatchOptions, EventResult } from './batch.ts';
export {
  createPostrider,
  type Postrider,
  type PostriderOptions,
  type SessionCredentials,
} from './client.ts';
export type { DeliveriesOptions, GetMessageOptions, WriteOptions } from './environment.ts';
export { attemptProblem, ERROR_NAMES, errorName, HOLD_REASONS } from './error-names.ts';
export {
  PostriderApiError,
  PostriderConnectionError,
  PostriderError,
  PostriderTimeoutError,
} from './errors.ts';
export { type Explanation, explainMessage, type NextStep } from './explain-message.ts';
export type { MessageLists, Page, PagedList } from './pages.ts';
export type { RetryOptions } from './retry.ts';
export { exampleOf } from './schema-example.ts';
export type { StreamEvent, StreamOptions } from './stream.ts';
export { type CallOptions, type ConnectionOptions, limitBody, type Surroundings } from './transport.ts';
export type * from './types.ts';
export {
  type ReceivedWebhook,
  type VerifiedWebhook,
  verifyWebhook,
  type WebhookKey,
  WebhookVerificationError,
} from './webhook.ts';
