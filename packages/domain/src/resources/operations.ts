import type { ChannelKind } from '../channels/channel-kinds.ts';
import type { AttemptErrorCode } from '../error-codes.ts';
import * as json from '../fields.ts';
import { parseId } from '../ids.ts';
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
  'unknown_filter',
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

/** The fields of a bulk replay. */
export const REPLAY_BATCH_FIELDS = {
  id: json.id('rpb', 'The bulk replay.'),
  environment_id: json.id('env', 'The environment of its messages.'),
  status: json.oneOf(
    REPLAY_BATCH_STATUSES,
    '`pending`: not started. `running`: in progress. `failed`: ended before its last message, see ' +
      '`reason`.',
  ),
  reason: json.nullable(
    json.oneOf(
      REPLAY_BATCH_REASONS,
      'Why it failed: `quota_exceeded`, `payment_required`, or `page_failed` too often. Or why it is waiting at ' +
        'the moment: `page_failed`, which is retried at `retry_at`; `too_many_open_runs`, because 1,000 of its runs ' +
        'have not ended.',
    ),
  ),
  filter: json.openObject('The given filter, with `created_before` no later than the creation.'),
  channels: json.nullable(json.list(json.id('chn', 'A channel.'), 'The channels to which it is limited.')),
  messages_per_second: json.count('The pace.'),
  matched: json.count('Messages that matched when it was created.'),
  matched_is_lower_bound: json.flag(
    'Whether there may be more: counting ends after about 50,000 candidates.',
  ),
  replayed: json.count('Messages for which new runs were created.'),
  skipped: json.openObject('By reason.') as json.Field<Readonly<Record<string, number>>>,
  position: json.nullable(json.id('msg', 'The message that it has reached, newest first.')),
  failures: json.count('Consecutive failures of its next page; after 20 it is `failed`.'),
  last_error_code: json.nullable(
    json.text('The Postgres error code of the last failure, or `internal_error`.'),
  ),
  retry_at: json.optionalTime('When the failed page is tried again: after 1 s, doubling up to 60 s.'),
  created_at: json.time('When it was created.'),
  started_at: json.optionalTime('When its first page was replayed.'),
  completed_at: json.optionalTime('When it ended, whatever the result.'),
};

type ShownReplayBatch = json.RecordOf<typeof REPLAY_BATCH_FIELDS>;
export interface ReplayBatchRecord extends Omit<ShownReplayBatch, 'filter'> {
  /** Always has `createdBefore`, which excludes messages that are newer than the bulk replay. */
  readonly filter: MessageFilter;
  /** The consumer that it belongs to, whose channels are all that it concerns; null for one of the environment. */
  readonly consumerId: string | null;
  /** The state of the rate limiter. */
  readonly pace: number | null;
}

const presentBatch = json.presenterOf(REPLAY_BATCH_FIELDS, 'rpb');
/** A bulk replay as the API presents it. */
export const presentReplayBatch = (batch: ReplayBatchRecord): JsonObject =>
  presentBatch({ ...batch, filter: presentFilter(batch.filter) });

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

/** The fields of an erasure of the data of one recipient, or of one consumer's recipients: without the address. */
export const ERASURE_FIELDS = {
  id: json.id('era', 'The erasure.'),
  environment_id: json.id('env', 'The environment of the messages.'),
  status: json.oneOf(
    ERASURE_STATUSES,
    '`pending`: not started. `running`: in progress. `completed`: nothing is left, and the service ' +
      'has forgotten the address or id.',
  ),
  recipient_sha256: json.text(
    'SHA-256, in hexadecimal, of the environment’s id, a colon and the address in lower case, `id:` and the id, or ' +
      '`consumer:` and the consumer: ' +
      'anyone who knows it can find the erasure.',
  ),
  messages_erased: json.count('Messages whose recipient and payload are erased.'),
  runs_cancelled: json.count('Waiting delivery runs that it ended.'),
  created_at: json.time('When it was requested; later messages are not part of it.'),
  started_at: json.optionalTime('When its first messages were erased.'),
  completed_at: json.optionalTime('When it was completed.'),
};

/** The address or the `id` of the recipient, or the consumer, are all null after completion. */
export type ErasureRecord = json.RecordOf<typeof ERASURE_FIELDS> & {
  readonly recipientEmail: string | null;
  readonly recipientId: string | null;
  readonly consumerId: string | null;
};

/** An erasure as the API and the audit log show it. */
export const presentErasure = json.presenterOf(ERASURE_FIELDS, 'era');
