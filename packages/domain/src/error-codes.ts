import { MANAGED_RESOURCE_NAMES, type NotFoundCode, notFoundCode } from './resources/registry.ts';

const BEFORE_RESOURCES = [
  'malformed_request',
  'idempotency_key_required',
  'idempotency_key_invalid',
  'invalid_json',
  'unauthorized',
  'quota_exceeded',
  'payment_required',
  'forbidden',
  'token_scope_missing',
  'portal_link_invalid',
  'route_not_found',
  'message_not_found',
  'delivery_run_not_found',
] as const;
const AFTER_RESOURCES = [
  'method_not_allowed',
  'request_timeout',
  'idempotency_conflict',
  'idempotency_in_progress',
  'idempotency_key_repeated',
  'batch_aborted',
  'delivery_run_not_cancellable',
  'already_exists',
  'conflict',
  'configuration_changed',
  'payload_too_large',
  'unsupported_media_type',
  'expectation_failed',
  'validation_failed',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
] as const;

export type ErrorCode = (typeof BEFORE_RESOURCES)[number] | NotFoundCode | (typeof AFTER_RESOURCES)[number];

/**
 * Every `error.code` of a response (docs/specification.md, "Error codes"). The API's error table maps each to its
 * status; a type check keeps the table complete.
 */
export const ERROR_CODES: readonly ErrorCode[] = [
  ...BEFORE_RESOURCES,
  ...MANAGED_RESOURCE_NAMES.map(notFoundCode),
  ...AFTER_RESOURCES,
];

/**
 * Every `details[].code`: the issues of a 422, the numbers of a 402 `quota_exceeded` (limit, used, resets_at) and the
 * current status of a 409 `delivery_run_not_cancellable`. See docs/specification.md, "Error details".
 */
export const DETAIL_CODES = [
  'required',
  'unknown_field',
  'invalid_type',
  'invalid_format',
  'invalid_value',
  'too_long',
  'too_short',
  'too_large',
  'too_small',
  'too_many',
  'too_few',
  'duplicate',
  'schedule_too_far',
  'payload_schema_mismatch',
  'no_matching_channel',
  'template_not_found',
  'invalid_template',
  'invalid_schema',
  'unknown_channel',
  'unknown_consumer',
  'unknown_plan',
  'quota_limit',
  'current_status',
] as const;
export type DetailCode = (typeof DETAIL_CODES)[number];

/** The `error_code`s of attempts that all channel kinds share. Each kind adds its own. */
export const COMMON_ATTEMPT_ERROR_CODES = [
  'scheduled_cancelled',
  'template_render_failed',
  'channel_disabled',
  'recipient_suppressed',
  'worker_lost',
  'expired',
] as const;
/** The `error_code` of an attempt: a common one, or one of the channel's kind. */
export type AttemptErrorCode = string;
