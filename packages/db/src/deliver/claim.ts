import { type ChannelRegistry, channelKinds } from '@postrider/channels';
import { LOSSES_BEFORE_QUARANTINE, type RunStatus } from '@postrider/domain';
import { createBatcher, type ObserveBatch } from '../batcher.ts';
import { type Database, isDatabaseUnreachable } from '../client.ts';
import { HELD_UNTIL } from '../held-runs.ts';
import { CLAIMED_COLUMNS } from '../message-fields.ts';
import { WAITING } from '../run-statuses.ts';
import { environmentScope } from '../scope/environment-scope.ts';
import { suppressionCheck } from '../suppressions/check.ts';
import { type ClaimedRow, type ClaimedRun, toClaimedRun } from './claimed-run.ts';
import { CHANNEL_GONE_MESSAGE, closeRuns } from './close-runs.ts';

/**
 * How much longer than the attempt's time limit the lease lasts: time to render (1 s at most, after the few renders
 * claimed before) and to write the result.
 */
export const LEASE_MARGIN_MS = 10_000;

export interface ClaimRequest {
  readonly runId: string;
  /** Environment of the run. In another one it is not found. */
  readonly environmentId: string;
  /** UUID of the attempt that the claim opens. */
  readonly attemptId: string;
}

export type ClaimOutcome =
  | { readonly outcome: 'claimed'; readonly run: ClaimedRun }
  /** The run is not due yet, by the database's clock. */
  | { readonly outcome: 'not_due'; readonly dueInMs: number }
  /** The channel is deleted or disabled. The run was ended with an attempt `channel_disabled`. */
  | { readonly outcome: 'channel_disabled' }
  /** The event has expired. The run was ended with an attempt `expired`. */
  | { readonly outcome: 'expired' }
  /** The recipient's address is suppressed. The run was ended with an attempt `recipient_suppressed`. */
  | { readonly outcome: 'recipient_suppressed' }
  /** The run is held until its channel is resumed or its turn comes. Then it is due again. */
  | { readonly outcome: 'held' }
  /** The run has lost too many workers. Only a quarantine process may claim it. */
  | { readonly outcome: 'quarantined' }
  /** The run is locked by another transaction, running or terminal. `status` is null if there is no such run. */
  | { readonly outcome: 'not_claimable'; readonly status: RunStatus | null };

/**
 * Claims one waiting run that is due by the database's clock: raises its fence, sets its lease and writes the attempt
 * row before anything is sent. Concurrent calls share a statement.
 */
export type ClaimRun = (request: ClaimRequest) => Promise<ClaimOutcome>;

/** Outcomes of runs that the claim ended without sending. Also the `error_code` of their attempt. */
const ENDED_BY_CLAIM = ['channel_disabled', 'expired', 'recipient_suppressed'] as const;
type EndedByClaim = (typeof ENDED_BY_CLAIM)[number];

/** Whether the run needs no other claim: it was claimed, held, or ended without sending. */
export function isTakenByClaim({ outcome }: ClaimOutcome): boolean {
  return (
    outcome === 'claimed' || outcome === 'held' || (ENDED_BY_CLAIM as readonly string[]).includes(outcome)
  );
}

/** The claim's result for one run. The other columns are only set if it was claimed. */
interface ClaimRow extends ClaimedRow {
  result: 'claimed' | 'not_due' | EndedByClaim | 'held' | 'quarantined' | 'not_claimable';
  old_status: RunStatus | null;
  due_in_ms: number | null;
}

function toOutcome(row: ClaimRow): ClaimOutcome {
  switch (row.result) {
    case 'claimed':
      return { outcome: 'claimed', run: toClaimedRun(row) };
    case 'not_due':
      return { outcome: 'not_due', dueInMs: Math.max(1, Math.ceil(row.due_in_ms ?? 1)) };
    case 'channel_disabled':
    case 'expired':
    case 'recipient_suppressed':
      return { outcome: row.result };
    case 'held':
      return { outcome: 'held' };
    case 'quarantined':
      return { outcome: 'quarantined' };
    case 'not_claimable':
      return { outcome: 'not_claimable', status: row.old_status };
  }
}

/** Start of the error message of the attempt that ends a run with a suppressed recipient. */
export const SUPPRESSED_MESSAGE = "Nothing was sent: the recipient's address is on the suppression list";

/** Error message of the attempt that ends a run with an expired event. */
export const EXPIRED_MESSAGE = 'Nothing was sent: the event expired before the run was taken.';

/** Which runs may be claimed. */
interface ClaimBounds {
  readonly kinds: ChannelRegistry;
  /** Only runs that have lost fewer workers than this are claimed. */
  readonly lossesBelow: number;
  readonly addressHashKey: Uint8Array | null;
}

/**
 * One statement for the whole batch. A test is taken for a disabled or paused channel too: trying comes before
 * enabling. Another run of a paused channel is held, unless it is the one that tries it. `SKIP LOCKED` leaves a run that a
 * cancel or another claim holds: it is reported as not claimable, and the sweeper brings it back if it is still waiting
 * afterwards. `NO KEY` lets it take a run that a foreign key only refers to at this moment. A process-side read before the claim was
 * rejected: the row's condition must decide, or cancel and claim could both win. A run of a kind that this process does
 * not know, such as one that a newer release has, is not claimable.
 */
function queryClaims(
  db: Database,
  requests: readonly ClaimRequest[],
  { kinds: { definitions }, lossesBelow, addressHashKey }: ClaimBounds,
): Promise<ClaimRow[]> {
  const { canDecide, suppressedBy } = suppressionCheck(addressHashKey);
  return db.$queryRaw<ClaimRow[]>`
    WITH asked AS (
      SELECT * FROM unnest(
        ${requests.map((request) => request.runId)}::uuid[],
        ${requests.map((request) => request.attemptId)}::uuid[]) AS asked (run_id, attempt_id)
    ), target AS (
      SELECT run.id, run.attempt_count, run.fence, asked.attempt_id,
             channel.deleted_at IS NULL AND (channel.enabled OR EXISTS (
               SELECT FROM messages message WHERE message.environment_id = run.environment_id
                  AND message.id = run.message_id AND message.test)) AS usable,
             run.replay = 0 AND COALESCE((
               SELECT message.expires_at <= now() FROM messages message
                WHERE message.environment_id = run.environment_id AND message.id = run.message_id), false) AS expired,
             ${suppressedBy} AS suppressed_by,
             channel.paused AND run.held IS NULL AND NOT EXISTS (
               SELECT FROM messages message WHERE message.environment_id = run.environment_id
                  AND message.id = run.message_id AND message.test) AS paused,
             COALESCE((channel.config ->> 'timeout_ms')::int, kind.default_timeout_ms) AS timeout_ms
        FROM asked
        JOIN delivery_runs run ON run.id = asked.run_id
        JOIN unnest(
          ${definitions.map(({ kind }) => kind)}::text[],
          ${definitions.map(({ defaultTimeoutMs }) => defaultTimeoutMs)}::int[],
          ${definitions.map(({ suppressibleField = null }) => suppressibleField)}::text[])
          AS kind (name, default_timeout_ms, address_field)
          ON kind.name = run.channel_kind
        JOIN channels channel ON channel.id = run.channel_id
       WHERE run.status IN ${WAITING} AND run.due_at <= now()
         AND run.lost_workers < ${lossesBelow}::int AND ${canDecide}
       ORDER BY run.id
         FOR NO KEY UPDATE OF run SKIP LOCKED
    ), claimed AS (
      UPDATE delivery_runs run
         SET status = 'running', fence = run.fence + 1, attempt_count = run.attempt_count + 1,
             lease_until = now() + make_interval(secs => (timeout_ms + ${LEASE_MARGIN_MS}::int) / 1000.0),
             started_at = COALESCE(run.started_at, now()), held = NULL
        FROM target WHERE run.id = target.id AND usable AND NOT expired AND suppressed_by IS NULL AND NOT paused
      RETURNING run.*, target.attempt_id, target.timeout_ms
    ), opened AS (
      INSERT INTO attempts (run_id, number, id, fence, status, started_at)
      SELECT id, attempt_count, attempt_id, fence, 'running', now() FROM claimed
    ), holding AS (
      UPDATE delivery_runs run SET held = 'paused', due_at = ${HELD_UNTIL}
        FROM target WHERE run.id = target.id AND usable AND NOT expired AND suppressed_by IS NULL AND paused
      RETURNING run.id
    ), closing AS (
      SELECT id AS run_id, attempt_count + 1 AS number, attempt_id, fence, 'failed' AS next_status,
             'failed' AS status, CASE WHEN NOT usable THEN 'channel_disabled' WHEN expired THEN 'expired'
                                    ELSE 'recipient_suppressed' END AS error_code,
             CASE WHEN NOT usable THEN ${CHANNEL_GONE_MESSAGE}::text WHEN expired THEN ${EXPIRED_MESSAGE}::text
                  ELSE ${SUPPRESSED_MESSAGE}::text || ' (' || suppressed_by || ').' END AS error_message,
             false AS retryable
        FROM target WHERE NOT usable OR expired OR suppressed_by IS NOT NULL
    ), ${closeRuns('never-opened')}
    SELECT asked.run_id,
           CASE WHEN claimed.id IS NOT NULL THEN 'claimed'
                WHEN moved.run_id IS NOT NULL THEN moved.error_code
                WHEN holding.id IS NOT NULL OR before.held IS NOT NULL AND before.due_at = ${HELD_UNTIL} THEN 'held'
                WHEN before.status IN ${WAITING} AND before.due_at > now() THEN 'not_due'
                WHEN before.status IN ${WAITING} AND before.lost_workers >= ${lossesBelow}::int
                  THEN 'quarantined'
                ELSE 'not_claimable' END AS result,
           before.status AS old_status,
           (extract(epoch FROM before.due_at - now()) * 1000)::float8 AS due_in_ms,
           environments.tenant_id, claimed.environment_id, claimed.fence, claimed.attempt_count, claimed.max_attempts,
           claimed.timeout_ms, claimed.due_at, claimed.replay, claimed.sequence, claimed.traceparent, now() AS now,
           claimed.message_id, messages.created_at AS message_created_at, ${CLAIMED_COLUMNS},
           claimed.channel_id, claimed.channel_kind, channels.name AS channel_name, channels.config, channels.retry,
           channels.revision, channels.failure_policy, channels.sealed_secret, channels.sealed_credentials,
           CASE WHEN channels.previous_secret_expires_at > now() THEN channels.sealed_previous_secret END
             AS sealed_previous_secret,
           template.id AS template_id, template.subject, template.html, template.text, template.mjml, template.body,
           template.envelope, template.parts AS template_parts, template.default_locale
      FROM asked
      LEFT JOIN delivery_runs before ON before.id = asked.run_id
      LEFT JOIN claimed ON claimed.id = asked.run_id
      LEFT JOIN holding ON holding.id = asked.run_id
      LEFT JOIN moved ON moved.run_id = asked.run_id
      LEFT JOIN environments ON environments.id = claimed.environment_id
      LEFT JOIN messages ON messages.environment_id = claimed.environment_id AND messages.id = claimed.message_id
      LEFT JOIN channels ON channels.id = claimed.channel_id
      LEFT JOIN template_versions template ON template.id = claimed.template_version_id
    ${environmentScope(requests.map(({ environmentId }) => environmentId))}`;
}

async function claimBatch(
  db: Database,
  requests: readonly ClaimRequest[],
  bounds: ClaimBounds,
): Promise<ClaimOutcome[]> {
  const unique = [...new Map(requests.map((request) => [request.runId, request])).values()];
  const rows = new Map((await queryClaims(db, unique, bounds)).map((row) => [row.run_id, row]));
  const winners = new Set(unique);
  return requests.map((request) => {
    const row = rows.get(request.runId);
    if (!row) throw new Error(`the claim of run ${request.runId} gave no row`);
    return winners.has(request) ? toOutcome(row) : { outcome: 'not_claimable', status: row.old_status };
  });
}

/** More than a run can lose: a claim with this limit also claims runs in quarantine. */
const ANY_LOSSES = 32_767;

/**
 * Creates the batched {@link ClaimRun}. `inQuarantine` is for a process that delivers one run and nothing else: its
 * claim also takes runs in quarantine. Without the key of suppressed addresses, runs whose recipient may be
 * suppressed are not claimable.
 */
export function createClaim(
  db: Database,
  {
    maxItems = 128,
    maxInFlight = 1,
    inQuarantine = false,
    kinds = channelKinds,
    addressHashKey = async () => null,
    onBatch,
  }: {
    maxItems?: number;
    maxInFlight?: number;
    inQuarantine?: boolean;
    kinds?: ChannelRegistry;
    /** See `createServiceKeys`. Null while the key cannot be decrypted. */
    addressHashKey?: () => Promise<Uint8Array | null>;
    onBatch?: ObserveBatch | undefined;
  } = {},
): ClaimRun {
  const lossesBelow = inQuarantine ? ANY_LOSSES : LOSSES_BEFORE_QUARANTINE;
  return createBatcher<ClaimRequest, ClaimOutcome>(
    async (requests) =>
      claimBatch(db, requests, { kinds, lossesBelow, addressHashKey: await addressHashKey() }),
    {
      maxItems,
      maxInFlight,
      isItemError: (error) => !isDatabaseUnreachable(error),
      onBatch,
    },
  );
}
