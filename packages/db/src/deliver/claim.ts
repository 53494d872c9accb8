import { type KindFacts, LOSSES_BEFORE_QUARANTINE, type RunStatus, SERVICE_KINDS } from '@postrider/domain';
import { createBatcher, type Linger, type ObserveBatch } from '../batcher.ts';
import { type AnyClient, type Database, isDatabaseUnreachable, Prisma } from '../client.ts';
import { CLAIMED_NAMES } from '../message-fields.ts';
import { HAS_LIMITS, HELD_UNTIL, WAITING } from '../run-statuses.ts';
import { environmentScope } from '../scope/environment-scope.ts';
import { composeOnce, queryRows, type Statement } from '../statement.ts';
import {
  type ClaimBounds,
  type ClaimRequest,
  claimSteps,
  FIND_REFUSED,
  IS_AS_ASKED,
  IS_OF_CHANNEL,
  REFUSAL_STEPS,
} from './claim-steps.ts';
import {
  type ChannelOfRuns,
  type ClaimedRow,
  type ClaimedRun,
  toChannelsOfRuns,
  toClaimedRun,
} from './claimed-run.ts';

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
  /** The run is held until its channel or stream is resumed or its turn comes. Then it is due again. */
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

type ClaimStatement = (requests: readonly ClaimRequest[]) => Statement;

/**
 * The statement that claims a batch. Only the first claimed run of each channel has the channel's columns, and a run's row
 * is read again only if it was not claimed.
 * @param refuse whether runs that may not be sent are held or ended; otherwise their result is `refused`. These steps take
 * a third of the statement's time, and few batches need them
 */
function claimStatement(bounds: ClaimBounds, refuse: boolean): ClaimStatement {
  return composeOnce(Prisma.sql`${claimSteps(bounds)}${refuse ? REFUSAL_STEPS : FIND_REFUSED},
    taken AS (
      SELECT claimed.*,
             CASE WHEN row_number() OVER (PARTITION BY channel_id ORDER BY id) = 1 THEN channel_id END AS first_of_channel
        FROM claimed
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
             AS sealed_previous_secret, claimed.template_version_id
      FROM asked
      LEFT JOIN taken AS claimed ON claimed.id = asked.run_id
      LEFT JOIN refused ON refused.id = asked.run_id
      LEFT JOIN LATERAL (
        SELECT status, held, due_at, lost_workers, channel_id FROM delivery_runs run
         WHERE claimed.id IS NULL AND id = asked.run_id AND ${IS_OF_CHANNEL} AND ${IS_AS_ASKED} OFFSET 0) AS before ON true
      LEFT JOIN channels ON channels.id = claimed.first_of_channel
      LEFT JOIN environments ON environments.id = channels.environment_id
    ${environmentScope((requests: readonly ClaimRequest[]) => requests.map(({ environmentId }) => environmentId))}`);
}

/** The statements by their bounds, without and with refusals. */
const CLAIMING = new WeakMap<ClaimBounds, ClaimStatement>();
const REFUSING = new WeakMap<ClaimBounds, ClaimStatement>();

/** The {@link claimStatement}, composed once for the same bounds. */
function statementOf(bounds: ClaimBounds, refuse: boolean): ClaimStatement {
  const composed = refuse ? REFUSING : CLAIMING;
  const statement = composed.get(bounds) ?? claimStatement(bounds, refuse);
  composed.set(bounds, statement);
  return statement;
}

/**
 * Claims different runs, and then holds or ends those that may not be sent. If that fails after runs were claimed, it does not
 * reject, because their attempts are open: it calls `onNotRefused`, and the sweep finds the remaining runs. Inside a transaction
 * the caller's next statement then fails, so nothing is claimed.
 */
async function claimRuns(
  db: AnyClient,
  requests: readonly ClaimRequest[],
  bounds: ClaimBounds,
): Promise<Map<string, ClaimOutcome>> {
  const outcomesOf = async (asked: readonly ClaimRequest[], refuse: boolean) => {
    const rows = await queryRows<ClaimRow>(db, statementOf(bounds, refuse)(asked));
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
    if (!outcome) throw new Error(`the claim of run ${request.runId} returned no row`);
    if (winners.get(request.runId) === request) return outcome;
    const status = outcome.outcome === 'not_claimable' ? outcome.status : 'running';
    return { outcome: 'not_claimable', status };
  });
}

/**
 * Returns a function that adds the current key of suppressed addresses to bounds. The result is the same object until the key
 * changes, because the statement of a claim is composed once for each.
 */
export function withCurrentKey(
  fixed: Omit<ClaimBounds, 'addressHashKey'>,
  readKey: () => Promise<Uint8Array | null>,
): () => Promise<ClaimBounds> {
  let bounds: ClaimBounds = { ...fixed, addressHashKey: null };
  return async () => {
    const addressHashKey = await readKey();
    if (addressHashKey !== bounds.addressHashKey) bounds = { ...fixed, addressHashKey };
    return bounds;
  };
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
    linger,
    inQuarantine = false,
    kinds = SERVICE_KINDS,
    addressHashKey = async () => null,
    onNotRefused,
    onBatch,
  }: {
    maxItems?: number;
    maxInFlight?: number;
    linger?: Linger<ClaimRequest> | undefined;
    inQuarantine?: boolean;
    kinds?: readonly KindFacts[];
    /** See `createServiceKeys`. Null while the key cannot be decrypted. */
    addressHashKey?: () => Promise<Uint8Array | null>;
    onNotRefused?: ClaimBounds['onNotRefused'];
    onBatch?: ObserveBatch | undefined;
  } = {},
): ClaimRun {
  const lossesBelow = inQuarantine ? ANY_LOSSES : LOSSES_BEFORE_QUARANTINE;
  const boundsNow = withCurrentKey({ kinds, lossesBelow, onNotRefused }, addressHashKey);
  return createBatcher<ClaimRequest, ClaimOutcome>(
    async (requests) => claimBatch(db, requests, await boundsNow()),
    { maxItems, maxInFlight, linger, isItemError: (error) => !isDatabaseUnreachable(error), onBatch },
  );
}
