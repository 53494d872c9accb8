/**
 * Statuses of a bulk replay (docs/specification.md, "Bulk replays"). `pending` has not begun. `failed` ended before
 * its last message, with one of {@link REPLAY_BATCH_REASONS}.
 */
export const REPLAY_BATCH_STATUSES = ['pending', 'running', 'completed', 'cancelled', 'failed'] as const;
export type ReplayBatchStatus = (typeof REPLAY_BATCH_STATUSES)[number];
/** Statuses in which a bulk replay may still create runs. */
export const OPEN_REPLAY_BATCH_STATUSES = [
  'pending',
  'running',
] as const satisfies readonly ReplayBatchStatus[];

/**
 * Why a bulk replay failed (`quota_exceeded`, `payment_required`, `page_failed`), or why an open one is waiting
 * (`page_failed`, `too_many_open_runs`).
 */
export const REPLAY_BATCH_REASONS = [
  'quota_exceeded',
  'payment_required',
  'page_failed',
  'too_many_open_runs',
] as const;
export type ReplayBatchReason = (typeof REPLAY_BATCH_REASONS)[number];

/** Why a matching message is skipped. The bulk replay continues with the next message. */
export const REPLAY_SKIP_REASONS = [
  'no_matching_channel',
  'template_not_found',
  'filtered',
  'too_large_for_filters',
  'recipient_email_missing',
  'test_message',
  'message_erased',
] as const;
export type ReplaySkipReason = (typeof REPLAY_SKIP_REASONS)[number] | `recipient_${string}_missing`;

/** The reason to skip a message whose recipient lacks a required field. */
export const recipientFieldMissing = (field: string): ReplaySkipReason => `recipient_${field}_missing`;

/** Default and highest pace of a bulk replay, in messages per second. */
export const DEFAULT_REPLAY_PACE = 50;
export const MAX_REPLAY_PACE = 500;
