import type { ChannelKind } from '../channels/channel-kinds.ts';
import type { AttemptErrorCode } from '../error-codes.ts';
import { formatId, parseId } from '../ids.ts';
import { camelFields, presentFields, type SnakeCase } from '../present.ts';
import type { MessageStatus, RunStatus } from '../states.ts';
import type { JsonObject } from '../storable-json.ts';
import { parseTimestamp } from '../timestamp.ts';

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

/** A filter for messages, which must fulfil all given conditions. Ids are UUIDs. */
export interface MessageFilter {
  readonly eventKey?: string | undefined;
  /** The id of the consumer that the event named. */
  readonly consumer?: string | undefined;
  readonly status?: MessageStatus | undefined;
  /** The domain is case-insensitive. */
  readonly recipientEmail?: string | undefined;
  /** Inclusive. */
  readonly createdAfter?: Date | undefined;
  /** Exclusive. */
  readonly createdBefore?: Date | undefined;
  /**
   * The conditions from here on must be fulfilled by one run of the message, which must be the newest of its channel.
   * Older runs of a replayed message do not count, as for its status (docs/specification.md, "Message status").
   */
  readonly runStatus?: RunStatus | undefined;
  /** Inclusive. Runs that have not ended do not match. */
  readonly runEndedAfter?: Date | undefined;
  readonly channelId?: string | undefined;
  readonly channelKind?: ChannelKind | undefined;
  /** The run's `last_error`: the error of its newest failed attempt, even if a later one succeeded. */
  readonly errorCode?: AttemptErrorCode | undefined;
}

/** A filter in the form that the API accepts, shows and stores. */
export type PresentedFilter = {
  readonly [Name in keyof MessageFilter & string as SnakeCase<Name>]?: Date extends MessageFilter[Name]
    ? string
    : Exclude<MessageFilter[Name], undefined>;
};

/** Converts a valid filter for the search. */
export function toMessageFilter(filter: PresentedFilter): MessageFilter {
  const time = (text: string | undefined) =>
    text === undefined ? undefined : (parseTimestamp(text) ?? undefined);
  return {
    ...camelFields(filter),
    createdAfter: time(filter.created_after),
    createdBefore: time(filter.created_before),
    runEndedAfter: time(filter.run_ended_after),
    channelId: filter.channel_id === undefined ? undefined : (parseId('chn', filter.channel_id) ?? undefined),
  };
}

/** The conditions on one run of the message. */
export const RUN_CONDITIONS = [
  'runStatus',
  'runEndedAfter',
  'channelId',
  'channelKind',
  'errorCode',
] as const satisfies readonly (keyof MessageFilter)[];
/** All conditions of a filter. */
export const MESSAGE_CONDITIONS = [
  'eventKey',
  'consumer',
  'status',
  'recipientEmail',
  'createdAfter',
  'createdBefore',
  ...RUN_CONDITIONS,
] as const satisfies readonly (keyof MessageFilter)[];

/** Converts a filter back to the API's form, without absent conditions. */
export function presentFilter(filter: MessageFilter): JsonObject {
  const given = MESSAGE_CONDITIONS.filter((name) => filter[name] !== undefined);
  return presentFields(filter, given);
}

/** A bulk replay. Ids are UUIDs. */
export interface ReplayBatchRecord {
  readonly id: string;
  readonly environmentId: string;
  readonly status: ReplayBatchStatus;
  /** Why it failed, or why it is waiting. */
  readonly reason: ReplayBatchReason | null;
  /** Always has `createdBefore`, which excludes messages that are newer than the bulk replay. */
  readonly filter: MessageFilter;
  /** The channels to deliver to; null for all that take the event. */
  readonly channelIds: readonly string[] | null;
  /** The consumer that it belongs to, whose channels are all that it concerns; null for one of the environment. */
  readonly consumerId: string | null;
  readonly messagesPerSecond: number;
  /** Number of matching messages when it was created. */
  readonly matched: number;
  readonly matchedIsLowerBound: boolean;
  readonly replayed: number;
  /** Number of skipped messages by reason; has at least all {@link REPLAY_SKIP_REASONS}. */
  readonly skipped: Readonly<Record<string, number>>;
  /** The last handled message, newest first; null before the first page. */
  readonly position: string | null;
  /** The state of the rate limiter. */
  readonly pace: number | null;
  /** Pages that failed in a row. */
  readonly failures: number;
  /** The error of the last failed page; null if the last page succeeded. */
  readonly lastErrorCode: string | null;
  /** When the failed page is retried. */
  readonly retryAt: Date | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

/** A bulk replay as the API presents it. */
export function presentReplayBatch(batch: ReplayBatchRecord): JsonObject {
  const progress = ['messagesPerSecond', 'matched', 'matchedIsLowerBound', 'replayed', 'skipped'] as const;
  return {
    ...presentFields(batch, ['id', 'environmentId', 'status', 'reason'], 'rpb'),
    filter: presentFilter(batch.filter),
    channels: batch.channelIds?.map((id) => formatId('chn', id)) ?? null,
    ...presentFields(batch, progress),
    position: batch.position && formatId('msg', batch.position),
    ...presentFields(batch, [
      'failures',
      'lastErrorCode',
      'retryAt',
      'createdAt',
      'startedAt',
      'completedAt',
    ]),
  };
}

/** The result of a dry run: how many of the messages that existed at `now` match. */
export interface ReplayPreview {
  /** Matching messages, as far as they were counted. */
  readonly matched: number;
  readonly isLowerBound: boolean;
  readonly now: Date;
  readonly filter: MessageFilter;
}

export function presentReplayPreview({ filter, matched, isLowerBound }: ReplayPreview): JsonObject {
  return { dry_run: true, filter: presentFilter(filter), matched, matched_is_lower_bound: isLowerBound };
}

export const ERASURE_STATUSES = ['pending', 'running', 'completed'] as const;

/** The erasure of the data of one recipient, or of one consumer's recipients. Ids are UUIDs. */
export interface ErasureRecord {
  readonly id: string;
  readonly environmentId: string;
  readonly status: (typeof ERASURE_STATUSES)[number];
  /** The address or the `id` of the recipient, or the consumer; all null after completion. */
  readonly recipientEmail: string | null;
  readonly recipientId: string | null;
  readonly consumerId: string | null;
  readonly recipientSha256: string;
  readonly messagesErased: number;
  readonly runsCancelled: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

/** An erasure as the API shows it and the audit log stores it: without the address. */
export function presentErasure(erasure: ErasureRecord): JsonObject {
  return presentFields(
    erasure,
    [
      ...(['id', 'environmentId', 'status', 'recipientSha256', 'messagesErased', 'runsCancelled'] as const),
      ...(['createdAt', 'startedAt', 'completedAt'] as const),
    ],
    'era',
  );
}
