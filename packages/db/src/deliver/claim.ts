import {
  type ChannelKind,
  DEFAULT_ATTEMPT_TIMEOUT_MS,
  type JsonObject,
  type JsonValue,
  type RunStatus,
} from '@postrider/domain';
import { createBatcher } from '../batcher.ts';
import { type Database, isDatabaseUnreachable } from '../client.ts';
import { CHANNEL_GONE_MESSAGE } from './end-runs.ts';

/**
 * How much longer than the attempt's time limit the lease lasts: rendering (1 s at most), the wait for a
 * render thread, and writing the result.
 */
export const LEASE_MARGIN_MS = 10_000;

export interface ClaimRequest {
  readonly runId: string;
  /** UUID of the attempt that the claim opens. */
  readonly attemptId: string;
}

export interface ClaimedTemplate {
  readonly id: string;
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  readonly body: JsonValue;
}

/** The channel as it was at the claim. Secrets are sealed and bound to the channel's id. */
export interface ClaimedChannel {
  readonly id: string;
  readonly kind: ChannelKind;
  readonly name: string;
  readonly config: JsonObject;
  readonly retry: JsonObject;
  /** Rises with every change of the channel. */
  readonly revision: number;
  readonly sealedSecret: string | null;
  /** The secret before the last rotation while it still signs, else null. */
  readonly sealedPreviousSecret: string | null;
}

/** A run taken under a lease, with all that the delivery needs. Ids are UUIDs. */
export interface ClaimedRun {
  readonly runId: string;
  readonly tenantId: string;
  readonly environmentId: string;
  /** Every later write of this attempt carries it. */
  readonly fence: number;
  readonly attemptNumber: number;
  readonly maxAttempts: number;
  readonly timeoutMs: number;
  readonly dueAt: Date;
  /** When the lease began, by the database's clock. */
  readonly claimedAt: Date;
  readonly message: {
    readonly id: string;
    readonly eventKey: string;
    readonly recipient: JsonObject;
    readonly payload: JsonObject;
    readonly createdAt: Date;
    readonly requestId: string | null;
    readonly traceId: string;
    /** Whether it only tries the channel. */
    readonly test: boolean;
  };
  readonly channel: ClaimedChannel;
  readonly template: ClaimedTemplate | null;
}

export type ClaimOutcome =
  | { readonly outcome: 'claimed'; readonly run: ClaimedRun }
  /** Its time has not come by the database's clock. */
  | { readonly outcome: 'not_due'; readonly dueInMs: number }
  /** The channel is gone or disabled: the run was ended with an attempt `channel_disabled`. */
  | { readonly outcome: 'channel_disabled' }
  /** Held by somebody else at this moment, running or terminal; null when there is no such run. */
  | { readonly outcome: 'not_claimable'; readonly status: RunStatus | null };

/**
 * Takes one run that is waiting and due, by the database's clock: raises its fence, sets its lease and writes
 * the attempt row before anything is sent. Concurrent calls share a statement.
 */
export type ClaimRun = (request: ClaimRequest) => Promise<ClaimOutcome>;

interface ClaimRow {
  run_id: string;
  result: 'claimed' | 'not_due' | 'channel_disabled' | 'not_claimable';
  old_status: RunStatus | null;
  due_in_ms: number | null;
  tenant_id: string;
  environment_id: string;
  fence: number;
  attempt_count: number;
  max_attempts: number;
  timeout_ms: number;
  due_at: Date;
  now: Date;
  message_id: string;
  event_key: string;
  recipient: JsonObject;
  payload: JsonObject;
  message_created_at: Date;
  request_id: string | null;
  trace_id: string;
  test: boolean;
  channel_id: string;
  channel_kind: ChannelKind;
  channel_name: string;
  config: JsonObject;
  retry: JsonObject;
  revision: number;
  sealed_secret: string | null;
  sealed_previous_secret: string | null;
  template_id: string | null;
  subject: string | null;
  html: string | null;
  text: string | null;
  body: JsonValue;
}

function toClaimedRun(row: ClaimRow): ClaimedRun {
  return {
    runId: row.run_id,
    tenantId: row.tenant_id,
    environmentId: row.environment_id,
    fence: row.fence,
    attemptNumber: row.attempt_count,
    maxAttempts: row.max_attempts,
    timeoutMs: row.timeout_ms,
    dueAt: row.due_at,
    claimedAt: row.now,
    message: {
      id: row.message_id,
      eventKey: row.event_key,
      recipient: row.recipient,
      payload: row.payload,
      createdAt: row.message_created_at,
      requestId: row.request_id,
      traceId: row.trace_id,
      test: row.test,
    },
    channel: {
      id: row.channel_id,
      kind: row.channel_kind,
      name: row.channel_name,
      config: row.config,
      retry: row.retry,
      revision: row.revision,
      sealedSecret: row.sealed_secret,
      sealedPreviousSecret: row.sealed_previous_secret,
    },
    template: row.template_id
      ? { id: row.template_id, subject: row.subject, html: row.html, text: row.text, body: row.body }
      : null,
  };
}

function toOutcome(row: ClaimRow): ClaimOutcome {
  switch (row.result) {
    case 'claimed':
      return { outcome: 'claimed', run: toClaimedRun(row) };
    case 'not_due':
      return { outcome: 'not_due', dueInMs: Math.max(1, Math.ceil(row.due_in_ms ?? 1)) };
    case 'channel_disabled':
      return { outcome: 'channel_disabled' };
    case 'not_claimable':
      return { outcome: 'not_claimable', status: row.old_status };
  }
}

/**
 * One statement for the whole batch. A test is taken for a disabled channel too: trying comes before
 * enabling. `SKIP LOCKED` leaves a run that a cancel or another claim holds: it is reported as not claimable,
 * and the sweeper brings it back if it is still waiting afterwards. A process-side read before the claim was
 * rejected: the row's condition must decide, or cancel and claim could both win.
 */
function queryClaims(db: Database, requests: readonly ClaimRequest[]): Promise<ClaimRow[]> {
  return db.$queryRaw<ClaimRow[]>`
    WITH asked AS (
      SELECT * FROM unnest(
        ${requests.map((request) => request.runId)}::uuid[],
        ${requests.map((request) => request.attemptId)}::uuid[]) AS asked (run_id, attempt_id)
    ), target AS (
      SELECT run.id, asked.attempt_id,
             channel.deleted_at IS NULL AND (channel.enabled OR EXISTS (
               SELECT FROM messages message WHERE message.environment_id = run.environment_id
                  AND message.id = run.message_id AND message.test)) AS usable,
             COALESCE((channel.config ->> 'timeout_ms')::int, CASE run.channel_kind
               WHEN 'webhook' THEN ${DEFAULT_ATTEMPT_TIMEOUT_MS.webhook}::int
               ELSE ${DEFAULT_ATTEMPT_TIMEOUT_MS.email}::int END) AS timeout_ms
        FROM asked
        JOIN delivery_runs run ON run.id = asked.run_id
        JOIN channels channel ON channel.id = run.channel_id
       WHERE run.status IN ('scheduled', 'queued', 'retrying') AND run.due_at <= now()
       ORDER BY run.id
         FOR UPDATE OF run SKIP LOCKED
    ), claimed AS (
      UPDATE delivery_runs run
         SET status = 'running', fence = run.fence + 1, attempt_count = run.attempt_count + 1,
             lease_until = now() + make_interval(secs => (timeout_ms + ${LEASE_MARGIN_MS}::int) / 1000.0),
             started_at = COALESCE(run.started_at, now())
        FROM target WHERE run.id = target.id AND usable
      RETURNING run.*, target.attempt_id, target.timeout_ms
    ), opened AS (
      INSERT INTO attempts (run_id, number, id, fence, status, started_at)
      SELECT id, attempt_count, attempt_id, fence, 'running', now() FROM claimed
    ), ended AS (
      UPDATE delivery_runs run
         SET status = 'failed', completed_at = now(), attempt_count = run.attempt_count + 1
        FROM target WHERE run.id = target.id AND NOT usable
      RETURNING run.id, run.attempt_count, run.fence, target.attempt_id
    ), explained AS (
      INSERT INTO attempts (run_id, number, id, fence, status, error_code, error_message, retryable, started_at,
                            completed_at, duration_ms)
      SELECT id, attempt_count, attempt_id, fence, 'failed', 'channel_disabled',
             ${CHANNEL_GONE_MESSAGE}, false, now(), now(), 0
        FROM ended
    )
    SELECT asked.run_id,
           CASE WHEN claimed.id IS NOT NULL THEN 'claimed'
                WHEN ended.id IS NOT NULL THEN 'channel_disabled'
                WHEN before.status IN ('scheduled', 'queued', 'retrying') AND before.due_at > now() THEN 'not_due'
                ELSE 'not_claimable' END AS result,
           before.status AS old_status,
           (extract(epoch FROM before.due_at - now()) * 1000)::float8 AS due_in_ms,
           environments.tenant_id, claimed.environment_id, claimed.fence, claimed.attempt_count, claimed.max_attempts,
           claimed.timeout_ms, claimed.due_at, now() AS now,
           claimed.message_id, messages.event_key, messages.recipient, messages.payload,
           messages.created_at AS message_created_at, messages.request_id, messages.trace_id, messages.test,
           claimed.channel_id, claimed.channel_kind, channels.name AS channel_name, channels.config, channels.retry,
           channels.revision, channels.sealed_secret,
           CASE WHEN channels.previous_secret_expires_at > now() THEN channels.sealed_previous_secret END
             AS sealed_previous_secret,
           template.id AS template_id, template.subject, template.html, template.text, template.body
      FROM asked
      LEFT JOIN delivery_runs before ON before.id = asked.run_id
      LEFT JOIN claimed ON claimed.id = asked.run_id
      LEFT JOIN ended ON ended.id = asked.run_id
      LEFT JOIN environments ON environments.id = claimed.environment_id
      LEFT JOIN messages ON messages.environment_id = claimed.environment_id AND messages.id = claimed.message_id
      LEFT JOIN channels ON channels.id = claimed.channel_id
      LEFT JOIN template_versions template ON template.id = claimed.template_version_id`;
}

async function claimBatch(db: Database, requests: readonly ClaimRequest[]): Promise<ClaimOutcome[]> {
  const unique = [...new Map(requests.map((request) => [request.runId, request])).values()];
  const rows = new Map((await queryClaims(db, unique)).map((row) => [row.run_id, row]));
  const winners = new Set(unique);
  return requests.map((request) => {
    const row = rows.get(request.runId);
    if (!row) throw new Error(`the claim of run ${request.runId} gave no row`);
    return winners.has(request) ? toOutcome(row) : { outcome: 'not_claimable', status: row.old_status };
  });
}

/** Creates the batched {@link ClaimRun}. */
export function createClaim(
  db: Database,
  { maxItems = 64, maxInFlight = 2 }: { maxItems?: number; maxInFlight?: number } = {},
): ClaimRun {
  return createBatcher<ClaimRequest, ClaimOutcome>((requests) => claimBatch(db, requests), {
    maxItems,
    maxInFlight,
    isItemFault: (error) => !isDatabaseUnreachable(error),
  });
}
