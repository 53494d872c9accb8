import { type ChannelRegistry, channelKinds } from '@postrider/channels';
import { LOSSES_BEFORE_QUARANTINE, type RunStatus } from '@postrider/domain';
import { createBatcher, type ObserveBatch } from '../batcher.ts';
import { type AnyClient, type Database, isDatabaseUnreachable, Prisma } from '../client.ts';
import { HAS_LIMITS } from '../limits/waiting.ts';
import { CLAIMED_COLUMNS, CLAIMED_NAMES } from '../message-fields.ts';
import { HELD_UNTIL, WAITING } from '../run-statuses.ts';
import { environmentScope } from '../scope/environment-scope.ts';
import { queryRows } from '../statement.ts';
import { suppressionCheck } from '../suppressions/check.ts';
import {
  type ChannelOfRuns,
  type ClaimedRow,
  type ClaimedRun,
  toChannelsOfRuns,
  toClaimedRun,
} from './claimed-run.ts';
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
  /** Whether the limits allow it; with false it may be ended or held, but never claimed. Left out, the claim looks for limits. */
  readonly isWithinLimits?: boolean;
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
  /** Its channel has limits: it is claimed in its turn, see `createClaimWithinLimits`. */
  | { readonly outcome: 'limited' }
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
  result:
    | 'claimed'
    | 'not_due'
    | EndedByClaim
    | 'held'
    | 'limited'
    | 'quarantined'
    | 'not_claimable'
    | 'refused';
  /** Null for a claimed run, too. */
  old_status: RunStatus | null;
  due_in_ms: number | null;
}

/** @param channels of the claimed runs, by their ids */
function toOutcome(row: ClaimRow, channels: ReadonlyMap<string, ChannelOfRuns>): ClaimOutcome {
  switch (row.result) {
    case 'claimed':
      return { outcome: 'claimed', run: toClaimedRun(row, channels) };
    case 'not_due':
      return { outcome: 'not_due', dueInMs: Math.max(1, Math.ceil(row.due_in_ms ?? 1)) };
    case 'channel_disabled':
    case 'expired':
    case 'recipient_suppressed':
      return { outcome: row.result };
    case 'held':
    case 'limited':
    case 'quarantined':
      return { outcome: row.result };
    case 'refused':
    case 'not_claimable':
      return { outcome: 'not_claimable', status: row.old_status };
  }
}

/** Start of the error message of the attempt that ends a run with a suppressed recipient. */
export const SUPPRESSED_MESSAGE = "Nothing was sent: the recipient's address is on the suppression list";

/** Error message of the attempt that ends a run with an expired event. */
export const EXPIRED_MESSAGE = 'Nothing was sent: the event expired before the run was taken.';

/** Which runs may be claimed. */
export interface ClaimBounds {
  readonly kinds: ChannelRegistry;
  /** Only runs that have lost fewer workers than this are claimed. */
  readonly lossesBelow: number;
  readonly addressHashKey: Uint8Array | null;
  /** Called with the error for which runs that may not be sent were neither held nor ended. The sweep brings them back. */
  readonly onNotRefused?: ((error: unknown) => void) | undefined;
}

/**
 * The steps `asked` to `opened`: the runs that are waiting and due, locked, and of these the claimed ones with their attempts.
 * A test is taken for a disabled or paused channel too: trying comes before enabling. It does not wait for the channel's limits
 * either; other runs of a channel that has some are left as they are unless the request says that they are within them. `SKIP
 * LOCKED` leaves a run that a cancel or another claim holds: it is reported as not claimable, and the sweeper brings it back if it
 * is still waiting afterwards. `NO KEY` lets it take a run that a foreign key only refers to at this moment. A process-side read
 * before the claim was rejected: the row's condition must decide, or cancel and claim could both win. A run of a kind that this
 * process does not know, such as one that a newer release has, is not claimable.
 */
function claimSteps(
  requests: readonly ClaimRequest[],
  { kinds: { definitions }, lossesBelow, addressHashKey }: ClaimBounds,
): Prisma.Sql {
  const { canDecide, suppressedBy } = suppressionCheck(addressHashKey);
  return Prisma.sql`
    WITH asked AS (
      SELECT * FROM unnest(
        ${requests.map((request) => request.runId)}::uuid[],
        ${requests.map((request) => request.attemptId)}::uuid[],
        ${requests.map(({ isWithinLimits = null }) => isWithinLimits)}::bool[]) AS asked (run_id, attempt_id, is_within)
    ), target AS (
      SELECT run.id, run.attempt_count, run.fence, asked.attempt_id,
             channel.deleted_at IS NULL AND (channel.enabled OR messages.test) AS usable,
             run.replay = 0 AND COALESCE(messages.expires_at <= now(), false) AS expired,
             ${suppressedBy} AS suppressed_by,
             channel.paused AND run.held IS NULL AND NOT messages.test AS paused,
             COALESCE(NOT is_within, ${HAS_LIMITS} AND NOT messages.test) AS waits_for_limits,
             CASE WHEN is_within AND channel.max_in_flight IS NOT NULL THEN true END AS limited,
             COALESCE((channel.config ->> 'timeout_ms')::int, kind.default_timeout_ms) AS timeout_ms,
             messages.created_at AS message_created_at, ${CLAIMED_COLUMNS}
        FROM asked
        JOIN delivery_runs run ON run.id = asked.run_id
        JOIN unnest(
          ${definitions.map(({ kind }) => kind)}::text[],
          ${definitions.map(({ defaultTimeoutMs }) => defaultTimeoutMs)}::int[],
          ${definitions.map(({ suppressibleField = null }) => suppressibleField)}::text[])
          AS kind (name, default_timeout_ms, address_field)
          ON kind.name = run.channel_kind
        JOIN channels channel ON channel.id = run.channel_id
        JOIN messages ON messages.environment_id = run.environment_id AND messages.id = run.message_id
       WHERE run.status IN ${WAITING} AND run.due_at <= now()
         AND run.lost_workers < ${lossesBelow}::int AND ${canDecide}
       ORDER BY run.id
         FOR NO KEY UPDATE OF run SKIP LOCKED
    ), claimed AS (
      UPDATE delivery_runs run
         SET status = 'running', fence = run.fence + 1, attempt_count = run.attempt_count + 1,
             lease_until = now() + make_interval(secs => (timeout_ms + ${LEASE_MARGIN_MS}::int) / 1000.0),
             started_at = COALESCE(run.started_at, now()), held = NULL, limited = target.limited
        FROM target
       WHERE run.id = target.id AND usable AND NOT expired AND suppressed_by IS NULL AND NOT paused AND NOT waits_for_limits
      RETURNING run.id, run.environment_id, run.fence, run.attempt_count, run.max_attempts, run.due_at, run.replay,
                run.sequence, run.traceparent, run.message_id, run.channel_id, run.channel_kind, run.template_version_id,
                target.attempt_id, target.timeout_ms, target.message_created_at, ${CLAIMED_NAMES}
    ), opened AS (
      INSERT INTO attempts (run_id, number, id, fence, status, started_at)
      SELECT id, attempt_count, attempt_id, fence, 'running', now() FROM claimed
    )`;
}

/**
 * The steps for runs of `target` that are not claimed: of a paused channel they are held, unless it is the one that tries it;
 * the others are ended.
 */
const REFUSAL_STEPS = Prisma.sql`, holding AS (
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
    ), ${closeRuns('never-opened')}, refused AS MATERIALIZED (
      SELECT id, 'held' AS result FROM holding UNION ALL SELECT run_id, error_code FROM moved
    )`;
/** Without these steps: the runs that need them. */
const FIND_REFUSED = Prisma.sql`, refused AS MATERIALIZED (
      SELECT id, 'refused' AS result FROM target
       WHERE NOT (usable AND NOT expired AND suppressed_by IS NULL AND NOT paused)
    )`;

/**
 * One statement for the whole batch. What a run's channel has comes with the first run of the channel alone, and a run's own row
 * is read again only if it is not claimed.
 * @param refuse whether runs that may not be claimed are held or ended; otherwise their result is `refused`. The steps for
 * that cost every batch a third of the statement's time, and nearly none needs them
 */
function queryClaims(
  db: AnyClient,
  requests: readonly ClaimRequest[],
  bounds: ClaimBounds,
  refuse: boolean,
): Promise<ClaimRow[]> {
  const statement = Prisma.sql`${claimSteps(requests, bounds)}${refuse ? REFUSAL_STEPS : FIND_REFUSED},
    first_of_channel AS (
      SELECT DISTINCT ON (channel_id) id, channel_id FROM claimed ORDER BY channel_id, id
    )
    SELECT asked.run_id,
           CASE WHEN claimed.id IS NOT NULL THEN 'claimed'
                WHEN refused.id IS NOT NULL THEN refused.result
                WHEN before.held IS NOT NULL AND before.due_at = ${HELD_UNTIL} THEN 'held'
                WHEN before.status IN ${WAITING} AND before.due_at > now() THEN 'not_due'
                WHEN before.status IN ${WAITING} AND before.lost_workers >= ${bounds.lossesBelow}::int
                  THEN 'quarantined'
                WHEN before.status IN ${WAITING} AND EXISTS (
                  SELECT FROM channels channel
                   WHERE channel.id = before.channel_id AND channel.deleted_at IS NULL AND ${HAS_LIMITS}) THEN 'limited'
                ELSE 'not_claimable' END AS result,
           before.status AS old_status,
           (extract(epoch FROM before.due_at - now()) * 1000)::float8 AS due_in_ms,
           claimed.environment_id, claimed.fence, claimed.attempt_count, claimed.max_attempts,
           claimed.timeout_ms, claimed.due_at, claimed.replay, claimed.sequence, claimed.traceparent, now() AS now,
           claimed.message_id, claimed.message_created_at, ${CLAIMED_NAMES},
           claimed.channel_id, channels.id IS NOT NULL AS has_channel, environments.tenant_id,
           claimed.channel_kind, channels.name AS channel_name, channels.config, channels.retry,
           channels.revision, channels.failure_policy, channels.sealed_secret, channels.sealed_credentials,
           CASE WHEN channels.previous_secret_expires_at > now() THEN channels.sealed_previous_secret END
             AS sealed_previous_secret,
           template.id AS template_id, template.subject, template.html, template.text, template.mjml, template.body,
           template.envelope, template.parts AS template_parts, template.default_locale
      FROM asked
      LEFT JOIN claimed ON claimed.id = asked.run_id
      LEFT JOIN refused ON refused.id = asked.run_id
      LEFT JOIN LATERAL (
        SELECT status, held, due_at, lost_workers, channel_id FROM delivery_runs
         WHERE claimed.id IS NULL AND id = asked.run_id OFFSET 0) AS before ON true
      LEFT JOIN first_of_channel ON first_of_channel.id = claimed.id
      LEFT JOIN channels ON channels.id = first_of_channel.channel_id
      LEFT JOIN environments ON environments.id = channels.environment_id
      LEFT JOIN template_versions template ON template.id = claimed.template_version_id
    ${environmentScope(requests.map(({ environmentId }) => environmentId))}`;
  return queryRows<ClaimRow>(db, statement);
}

/**
 * Claims runs, which differ, and then holds or ends those that may not be claimed. Once a run is claimed nothing throws: its
 * attempt is open. What could then not be held or ended is reported, and waits for the sweep. In a transaction the caller's next
 * statement throws then, so that nothing is claimed.
 */
async function claimRuns(
  db: AnyClient,
  requests: readonly ClaimRequest[],
  bounds: ClaimBounds,
): Promise<Map<string, ClaimOutcome>> {
  const outcomesOf = async (asked: readonly ClaimRequest[], refuse: boolean) => {
    const rows = await queryClaims(db, asked, bounds, refuse);
    const channels = toChannelsOfRuns(rows);
    const outcomes = rows.map((row) => [row.run_id, toOutcome(row, channels)] as const);
    return { outcomes, refused: rows.filter(({ result }) => result === 'refused') };
  };
  const { outcomes, refused } = await outcomesOf(requests, false);
  if (refused.length === 0) return new Map(outcomes);
  const ids = new Set(refused.map(({ run_id }) => run_id));
  const again = outcomesOf(
    requests.filter(({ runId }) => ids.has(runId)),
    true,
  );
  try {
    return new Map([...outcomes, ...(await again).outcomes]);
  } catch (error) {
    if (!outcomes.some(([, { outcome }]) => outcome === 'claimed')) throw error;
    bounds.onNotRefused?.(error);
    return new Map(outcomes);
  }
}

/** The claims of some runs in one statement, one for each request. */
export async function claimBatch(
  db: AnyClient,
  requests: readonly ClaimRequest[],
  bounds: ClaimBounds,
): Promise<ClaimOutcome[]> {
  const winners = new Map(requests.map((request) => [request.runId, request]));
  const outcomes = await claimRuns(db, [...winners.values()], bounds);
  return requests.map((request) => {
    const outcome = outcomes.get(request.runId);
    if (!outcome) throw new Error(`the claim of run ${request.runId} gave no row`);
    if (winners.get(request.runId) === request) return outcome;
    const status = outcome.outcome === 'not_claimable' ? outcome.status : 'running';
    return { outcome: 'not_claimable', status };
  });
}

/** More than a run can lose: a claim with this limit also claims runs in quarantine. */
export const ANY_LOSSES = 32_767;

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
    onNotRefused,
    onBatch,
  }: {
    maxItems?: number;
    maxInFlight?: number;
    inQuarantine?: boolean;
    kinds?: ChannelRegistry;
    /** See `createServiceKeys`. Null while the key cannot be decrypted. */
    addressHashKey?: () => Promise<Uint8Array | null>;
    onNotRefused?: ClaimBounds['onNotRefused'];
    onBatch?: ObserveBatch | undefined;
  } = {},
): ClaimRun {
  const lossesBelow = inQuarantine ? ANY_LOSSES : LOSSES_BEFORE_QUARANTINE;
  return createBatcher<ClaimRequest, ClaimOutcome>(
    async (requests) =>
      claimBatch(db, requests, { kinds, lossesBelow, addressHashKey: await addressHashKey(), onNotRefused }),
    { maxItems, maxInFlight, isItemError: (error) => !isDatabaseUnreachable(error), onBatch },
  );
}
