import {
  type ChannelKind,
  type FailurePolicy,
  failurePolicyOf,
  type JsonObject,
  type RetryPolicy,
} from '@postrider/domain';
import type { EncryptedCredentials } from '../configure/encrypted-credentials.ts';
import { type ClaimedFields, toClaimedFields } from '../message-fields.ts';

/**
 * The channel at the time of the claim. Secrets are encrypted and bound to the channel's id, credentials also to
 * their name.
 */
export interface ClaimedChannel {
  readonly id: string;
  readonly kind: ChannelKind;
  readonly name: string;
  readonly config: JsonObject;
  /** Whether it only connects to public addresses, because a token configured it. */
  readonly publicOnly: boolean;
  /** Validated when the channel was configured. */
  readonly retry: RetryPolicy;
  readonly failurePolicy: FailurePolicy;
  /** Increases with every change of the channel. */
  readonly revision: number;
  readonly sealedSecret: string | null;
  /** The previous secret while it is still valid, or null. */
  readonly sealedPreviousSecret: string | null;
  /** Null if there are none. */
  readonly sealedCredentials: EncryptedCredentials | null;
}

/** A claimed run with everything that the delivery needs. Ids are UUIDs. */
export interface ClaimedRun extends ChannelOfRuns {
  readonly runId: string;
  readonly environmentId: string;
  /** The fence: every later write of this attempt carries it. */
  readonly fence: number;
  readonly attemptNumber: number;
  readonly maxAttempts: number;
  readonly timeoutMs: number;
  readonly dueAt: Date;
  /** No attempt begins after this time; null if the event does not expire. */
  readonly expiresAt: Date | null;
  /** Its sequence within its ordering key, from 1; null if it is not ordered. */
  readonly sequence: number | null;
  /** The `traceparent` stored with the run; null if it is not traced. */
  readonly traceparent: string | null;
  /** Start of the lease, by the database's clock. */
  readonly claimedAt: Date;
  readonly message: ClaimedFields & { readonly id: string; readonly createdAt: Date };
  /** Its template version, which never changes; null if it has none. */
  readonly templateId: string | null;
  /** Whether a template is rendered: that, or one of the channel. */
  readonly isRendered: boolean;
}

/** What the claimed runs of a channel share. */
interface ChannelOfRuns {
  readonly tenantId: string;
  /** Whether the environment has chosen outcomes to report. The statement that ends the run decides again. */
  readonly reportsOutcomes: boolean;
  readonly channel: ClaimedChannel;
}

export interface ClaimAnswer {
  /** The claimed runs: tests first, then in the order of due times. */
  readonly runs: readonly ClaimedRun[];
  /** How many of them count against the limits of the channel: all but tests. */
  readonly counted: number;
  /** How many due runs it read. */
  readonly read: number;
  /** Whether it read as many due runs as it asked for: there may be more. */
  readonly isFull: boolean;
  /** The due time of the last run that was read; null for none. */
  readonly lastDue: Date | null;
  /** Whether a run with a template was due, but not claimed because `renders` was too low. */
  readonly waitsForRender: boolean;
  /** Whether the channel has limits. Without `allowed`, only tests of such a channel are claimed. */
  readonly hasLimits: boolean;
  /** Ids of runs that may not be sent. */
  readonly refused: readonly string[];
  /** The database's time of the claim. */
  readonly now: Date;
}

/**
 * The columns of a claim's result from which a {@link ClaimedRun} is made, without those of its message, see `CLAIMED_COLUMNS`.
 * One row of each channel (`hasChannel`) has the columns of the channel and its tenant.
 */
interface ClaimedRow
  extends Omit<ClaimedRun, 'channel' | 'expiresAt' | 'message' | 'sequence'>,
    Omit<ClaimedChannel, 'id' | 'failurePolicy'> {
  readonly channelId: string;
  readonly hasChannel: boolean;
  readonly failurePolicy: Partial<FailurePolicy> | null;
  readonly replay: number;
  readonly sequence: bigint | null;
  readonly messageId: string;
  readonly messageCreatedAt: Date;
}

function toChannel({ channelId: id, failurePolicy, ...row }: ClaimedRow): ClaimedChannel {
  const { kind, name, config, publicOnly, retry, revision } = row;
  const { sealedSecret, sealedPreviousSecret, sealedCredentials } = row;
  return {
    ...{ id, kind, name, config, publicOnly, retry, revision },
    ...{ sealedSecret, sealedPreviousSecret, sealedCredentials },
    failurePolicy: failurePolicyOf(failurePolicy),
  };
}

/** The channels in the rows, by their ids. */
function toChannelsOfRuns(rows: readonly ClaimedRow[]): ReadonlyMap<string, ChannelOfRuns> {
  return new Map(
    rows.flatMap((row) => {
      const { channelId, hasChannel, tenantId, reportsOutcomes } = row;
      return hasChannel ? [[channelId, { tenantId, reportsOutcomes, channel: toChannel(row) }]] : [];
    }),
  );
}

function toClaimedRun(row: ClaimedRow, channels: ReadonlyMap<string, ChannelOfRuns>): ClaimedRun {
  const { runId, environmentId, fence, attemptNumber, maxAttempts, timeoutMs, dueAt, traceparent } = row;
  const { claimedAt, templateId, isRendered, sequence, replay, messageId, messageCreatedAt } = row;
  const shared = channels.get(row.channelId);
  if (!shared) throw new Error(`the claim of run ${runId} returned no channel`);
  const message = toClaimedFields(row);
  return {
    ...shared,
    ...{ runId, environmentId, fence, attemptNumber, maxAttempts, timeoutMs, dueAt, traceparent },
    ...{ claimedAt, templateId, isRendered },
    sequence: sequence === null ? null : Number(sequence),
    expiresAt: replay === 0 ? message.expiresAt : null,
    message: Object.assign(message, { id: messageId, createdAt: messageCreatedAt }),
  };
}

/** `answeredChannel` is null in rows of runs. */
export interface AnswerRow extends Omit<ClaimAnswer, 'runs' | 'counted'> {
  readonly answeredChannel: string;
}

export interface RunRow extends ClaimedRow {
  readonly answeredChannel: null;
  readonly isTest: boolean;
}

/** The answer for each of these channels; null if the rows have none. */
export function toAnswers(
  asks: readonly { readonly channelId: string }[],
  rows: readonly (AnswerRow | RunRow)[],
): (ClaimAnswer | null)[] {
  const taken = rows.filter((row): row is RunRow => row.answeredChannel === null);
  const channels = toChannelsOfRuns(taken);
  const runs = new Map(asks.map(({ channelId }): [string, RunRow[]] => [channelId, []]));
  for (const row of taken) runs.get(row.channelId)?.push(row);
  const answers = new Map<string, ClaimAnswer>();
  for (const row of rows) {
    if (row.answeredChannel === null) continue;
    const { answeredChannel, read, isFull, lastDue, waitsForRender, hasLimits, refused, now } = row;
    const ofChannel = runs.get(answeredChannel) ?? [];
    answers.set(answeredChannel, {
      ...{ read, isFull, lastDue, waitsForRender, hasLimits, refused, now },
      runs: ofChannel.map((run) => toClaimedRun(run, channels)),
      counted: ofChannel.filter(({ isTest }) => !isTest).length,
    });
  }
  return asks.map(({ channelId }) => answers.get(channelId) ?? null);
}
