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
export interface ChannelOfRuns {
  readonly tenantId: string;
  /** Whether the environment has chosen outcomes to report. The statement that ends the run decides again. */
  readonly reportsOutcomes: boolean;
  readonly channel: ClaimedChannel;
}

/**
 * The columns of a claim's result from which a {@link ClaimedRun} is made, without those of its message, see `CLAIMED_COLUMNS`.
 * One row of each channel (`has_channel`) has the columns of the channel and its tenant.
 */
export interface ClaimedRow {
  run_id: string;
  has_channel: boolean;
  tenant_id: string;
  reports_outcomes: boolean;
  environment_id: string;
  fence: number;
  attempt_count: number;
  max_attempts: number;
  timeout_ms: number;
  due_at: Date;
  replay: number;
  sequence: bigint | null;
  traceparent: string | null;
  now: Date;
  message_id: string;
  message_created_at: Date;
  channel_id: string;
  channel_kind: ChannelKind;
  channel_name: string;
  config: JsonObject;
  public_only: boolean;
  retry: RetryPolicy;
  failure_policy: Partial<FailurePolicy> | null;
  revision: number;
  sealed_secret: string | null;
  sealed_previous_secret: string | null;
  sealed_credentials: EncryptedCredentials | null;
  template_version_id: string | null;
  is_rendered: boolean;
}

function toChannel(row: ClaimedRow): ClaimedChannel {
  return {
    id: row.channel_id,
    kind: row.channel_kind,
    name: row.channel_name,
    config: row.config,
    publicOnly: row.public_only,
    retry: row.retry,
    failurePolicy: failurePolicyOf(row.failure_policy),
    revision: row.revision,
    sealedSecret: row.sealed_secret,
    sealedPreviousSecret: row.sealed_previous_secret,
    sealedCredentials: row.sealed_credentials,
  };
}

/** The channels in the rows, by their ids. */
export function toChannelsOfRuns(rows: readonly ClaimedRow[]): ReadonlyMap<string, ChannelOfRuns> {
  const having = rows.filter(({ has_channel }) => has_channel);
  return new Map(
    having.map((row) => [
      row.channel_id,
      { tenantId: row.tenant_id, reportsOutcomes: row.reports_outcomes, channel: toChannel(row) },
    ]),
  );
}

export function toClaimedRun(row: ClaimedRow, channels: ReadonlyMap<string, ChannelOfRuns>): ClaimedRun {
  const shared = channels.get(row.channel_id);
  if (!shared) throw new Error(`the claim of run ${row.run_id} returned no channel`);
  const message = toClaimedFields(row);
  return {
    ...shared,
    runId: row.run_id,
    environmentId: row.environment_id,
    fence: row.fence,
    attemptNumber: row.attempt_count,
    maxAttempts: row.max_attempts,
    timeoutMs: row.timeout_ms,
    dueAt: row.due_at,
    sequence: row.sequence === null ? null : Number(row.sequence),
    expiresAt: row.replay === 0 ? message.expiresAt : null,
    traceparent: row.traceparent,
    claimedAt: row.now,
    message: Object.assign(message, { id: row.message_id, createdAt: row.message_created_at }),
    templateId: row.template_version_id,
    isRendered: row.is_rendered,
  };
}
