import {
  afterClaim,
  type IdSource,
  type KindFacts,
  type LimitState,
  LOSSES_BEFORE_QUARANTINE,
  runsAllowed,
  SERVICE_KINDS,
} from '@postrider/domain';
import { type Database, type Queryable, TRANSACTION_LIMITS } from '../client.ts';
import {
  ANY_LOSSES,
  type ClaimOutcome,
  claimBatch,
  isTakenByClaim,
  withCurrentKey,
} from '../deliver/claim.ts';
import type { ClaimBounds } from '../deliver/claim-steps.ts';
import { findDueRunsOfChannel, findWaitingRun, type RunToDeliver } from '../deliver/find-channels.ts';
import { changeInEnvironments } from '../transactions/transaction.ts';

/** Runs per claim. */
const BATCH = 128;
/** How long a claim can take. If the state's time is further ahead than this, the clock was set back. */
const MAX_CLAIM_MS = TRANSACTION_LIMITS.timeout;
/** How long the reservation for a quarantined run lasts. Its process renews it once a second. */
const RESERVED_SECONDS = 3;
/** When a claim that left the next run to another process tries again, in milliseconds. */
const RESERVED_WAIT_MS = 250;

interface LimitedChannel {
  /** UUIDs. */
  readonly channelId: string;
  readonly environmentId: string;
}

export interface ClaimWithinLimits extends LimitedChannel {
  /**
   * Returns whether this process can take the run. Called in the order of due times, for as many runs as the limits
   * allow. The first run that it cannot take ends the claim.
   */
  readonly reserve: (run: RunToDeliver) => boolean;
  /** Called just before the transaction begins, whose time the leases count from. */
  readonly onBegin?: () => void;
  /** Also searches many further runs for those to end or hold. Set after a claim that found one. */
  readonly searchesAhead?: boolean;
  /** Claims only this quarantined run, even if others are due before it. */
  readonly onlyRunId?: string;
}

/** What remains after a claim within limits. */
type LimitedRest =
  /** No run is due that this process can claim. */
  | { readonly rest: 'none' }
  /** The limits allow more runs now. */
  | { readonly rest: 'more' }
  /** The rate allows the next run after this time. */
  | { readonly rest: 'later'; readonly inMs: number }
  /** The most allowed runs are in flight: the end of one makes room. */
  | { readonly rest: 'full' }
  /** `reserve` has refused a run. */
  | { readonly rest: 'no_room' }
  /** Another process is claiming runs of the channel. */
  | { readonly rest: 'busy' }
  /** The channel has no limits, or is deleted. */
  | { readonly rest: 'unlimited' };

export type LimitedClaim = LimitedRest & {
  /** The outcomes of the reserved runs, by the UUID of the run. */
  readonly outcomes: ReadonlyMap<string, ClaimOutcome>;
  /** Whether runs were ended or held. */
  readonly hasRemoved: boolean;
  /** Whether the end of a run makes room for another one. */
  readonly countsInFlight: boolean;
};

const NOTHING = { outcomes: new Map<string, ClaimOutcome>(), hasRemoved: false, countsInFlight: false };

/**
 * Locks the channel's row until the transaction ends. Returns false if another claim has locked or just created it. It
 * never waits, so a frozen process delays no other one.
 */
async function lockState(tx: Queryable, { channelId, environmentId }: LimitedChannel): Promise<boolean> {
  const locked = await tx.$queryRaw<unknown[]>`
    SELECT FROM channel_limit_states WHERE channel_id = ${channelId}::uuid FOR NO KEY UPDATE SKIP LOCKED`;
  if (locked.length > 0) return true;
  await tx.$executeRaw`
    INSERT INTO channel_limit_states (channel_id, environment_id)
    SELECT id, environment_id FROM channels WHERE id = ${channelId}::uuid AND environment_id = ${environmentId}::uuid
    ON CONFLICT (channel_id) DO NOTHING`;
  return false;
}

interface Allowance {
  readonly state: LimitState;
  readonly isReserved: boolean;
}

/**
 * Reads what the limits allow, in its own statement after the lock, so that it sees the leases of all earlier claims. The
 * time is that of the transaction, which its attempts get, too. Null if a claim that began later was decided earlier.
 */
async function readAllowance(tx: Queryable, channelId: string): Promise<Allowance | 'unlimited' | null> {
  const [row] = await tx.$queryRaw<
    {
      max_per_second: number | null;
      max_in_flight: number | null;
      rate_state: number | null;
      in_flight: number;
      now_ms: number;
      behind_ms: number | null;
      is_reserved: boolean;
    }[]
  >`
    SELECT channel.max_per_second, channel.max_in_flight, state.rate_state,
           (SELECT count(*)::int FROM delivery_runs run
             WHERE run.channel_id = channel.id AND run.limited AND run.completed_at IS NULL AND run.status = 'running') AS in_flight,
           floor(extract(epoch FROM now()) * 1000)::float8 AS now_ms,
           (extract(epoch FROM state.decided_at - now()) * 1000)::float8 AS behind_ms,
           COALESCE(state.reserved_until > now(), false) AS is_reserved
      FROM channels channel JOIN channel_limit_states state ON state.channel_id = channel.id
     WHERE channel.id = ${channelId}::uuid AND channel.deleted_at IS NULL`;
  if (!row || (row.max_per_second === null && row.max_in_flight === null)) return 'unlimited';
  const behindMs = row.behind_ms ?? 0;
  if (behindMs > 0 && behindMs <= MAX_CLAIM_MS) return null;
  const state = {
    maxPerSecond: row.max_per_second,
    maxInFlight: row.max_in_flight,
    rateState: row.rate_state,
    inFlight: row.in_flight,
    nowMs: row.now_ms,
  };
  return { state, isReserved: row.is_reserved };
}

async function recordClaim(
  tx: Queryable,
  channelId: string,
  { rateState, isAlone }: { readonly rateState: number | null; readonly isAlone: boolean },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE channel_limit_states
       SET rate_state = ${rateState}, decided_at = now(),
           reserved_until = CASE WHEN ${isAlone}::bool THEN NULL ELSE reserved_until END
     WHERE channel_id = ${channelId}::uuid`;
}

/** Reserves the next run that the limits allow for the quarantine; otherwise other claims would always be faster. */
async function reserveNext(tx: Queryable, channelId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE channel_limit_states SET reserved_until = now() + make_interval(secs => ${RESERVED_SECONDS}::int)
     WHERE channel_id = ${channelId}::uuid`;
}

function restAfter(
  { state, isReserved }: Allowance,
  { claimed, nextInMs, most }: { claimed: number; nextInMs: number; most: number },
): LimitedRest {
  const { maxInFlight, inFlight } = state;
  if (claimed < most) return { rest: 'more' };
  if (maxInFlight !== null && inFlight + claimed >= maxInFlight) return { rest: 'full' };
  if (isReserved) return { rest: 'later', inMs: Math.max(nextInMs, RESERVED_WAIT_MS) };
  return nextInMs > 0 ? { rest: 'later', inMs: nextInMs } : { rest: 'more' };
}

interface Deps {
  readonly newId: IdSource;
  readonly bounds: ClaimBounds;
}

/** The runs that may be claimed, in the order of due times; see {@link ClaimWithinLimits.onlyRunId}. */
async function findCandidates(
  tx: Queryable,
  { channelId, onlyRunId }: ClaimWithinLimits,
  limit: number,
): Promise<readonly RunToDeliver[]> {
  if (onlyRunId === undefined) return findDueRunsOfChannel(tx, { channelId, limit });
  const run = await findWaitingRun(tx, onlyRunId);
  return run ? [run] : [];
}

/** The first of the candidates that this process can take, up to `most`. */
function reserveFirst(
  candidates: readonly RunToDeliver[],
  { reserve, most }: { reserve: ClaimWithinLimits['reserve']; most: number },
): { reserved: ReadonlySet<string>; isRefused: boolean } {
  const reserved = new Set<string>();
  for (const run of candidates.slice(0, most)) {
    if (!reserve(run)) return { reserved, isRefused: true };
    reserved.add(run.runId);
  }
  return { reserved, isRefused: false };
}

async function claimLocked(
  tx: Queryable,
  { newId, bounds }: Deps,
  asked: ClaimWithinLimits,
  allowance: Allowance,
): Promise<LimitedClaim> {
  const { channelId, environmentId, searchesAhead = false } = asked;
  const { state } = allowance;
  const isAlone = asked.onlyRunId !== undefined;
  const allowed = runsAllowed(state, BATCH);
  const most = Math.max(0, isAlone ? Math.min(1, allowed) : allowed - (allowance.isReserved ? 1 : 0));
  const countsInFlight = state.maxInFlight !== null;
  const before = afterClaim(state, 0);
  // The limit was lower, or the clock was set back: continue as if a full bucket had just been used.
  if (state.rateState !== null && before.rateState !== null && before.rateState < state.rateState) {
    await recordClaim(tx, channelId, { rateState: before.rateState, isAlone: false });
  }
  if (most === 0 && isAlone) await reserveNext(tx, channelId);
  const idle = { ...NOTHING, countsInFlight };
  if (most === 0 && !searchesAhead) {
    return { ...idle, ...restAfter(allowance, { claimed: 0, nextInMs: before.nextInMs, most }) };
  }

  const limit = searchesAhead ? BATCH : most;
  const candidates = await findCandidates(tx, asked, limit);
  const { reserved, isRefused } = reserveFirst(candidates, { reserve: asked.reserve, most });
  const runs = searchesAhead ? candidates : candidates.filter(({ runId }) => reserved.has(runId));
  if (runs.length === 0) return { ...idle, rest: isRefused ? 'no_room' : 'none' };
  const claims = await claimBatch(
    tx,
    runs.map(({ runId }) => ({
      ...{ runId, environmentId, attemptId: newId() },
      isWithinLimits: reserved.has(runId),
    })),
    bounds,
  );
  const outcomes = new Map<string, ClaimOutcome>();
  let claimed = 0;
  let removed = 0;
  for (const [index, { runId }] of runs.entries()) {
    const outcome = claims[index] as ClaimOutcome;
    if (reserved.has(runId)) outcomes.set(runId, outcome);
    if (outcome.outcome === 'claimed') claimed += 1;
    else if (isTakenByClaim(outcome)) removed += 1;
  }
  const after = afterClaim(state, claimed);
  if (claimed > 0) await recordClaim(tx, channelId, { rateState: after.rateState, isAlone });
  const result = { outcomes, hasRemoved: removed > 0, countsInFlight };
  if (removed > 0) return { ...result, rest: 'more' };
  if (isRefused) return { ...result, rest: 'no_room' };
  const isLast = candidates.length < limit && claimed === candidates.length;
  // Another process has the runs that could not be claimed. Without this result they would be found again at once.
  const isTakenElsewhere = reserved.size > 0 && claimed === 0;
  if (isLast || isTakenElsewhere) return { ...result, rest: 'none' };
  return { ...result, ...restAfter(allowance, { claimed, nextInMs: after.nextInMs, most }) };
}

/**
 * Creates the claim for runs of a channel with limits. It claims the earliest due runs, as many as `max_per_second` and
 * `max_in_flight` allow over all workers. One transaction, which locks the channel's row, decides, creates the leases
 * and counts the used rate, so there is no use without a lease and no lease without use. A run is in flight while it has
 * a lease, including that of a lost worker until it is released. The caller limits how many claims run at once, because
 * each is a transaction. Rejects if the result of the commit is unknown: runs that it claimed are released with their
 * leases.
 */
export function createClaimWithinLimits(
  db: Database,
  {
    newId,
    inQuarantine = false,
    kinds = SERVICE_KINDS,
    addressHashKey = async () => null,
    onNotRefused,
  }: {
    readonly newId: IdSource;
    /** See `createClaim`. */
    readonly inQuarantine?: boolean;
    readonly kinds?: readonly KindFacts[];
    readonly addressHashKey?: () => Promise<Uint8Array | null>;
    readonly onNotRefused?: ClaimBounds['onNotRefused'];
  },
): (asked: ClaimWithinLimits) => Promise<LimitedClaim> {
  const lossesBelow = inQuarantine ? ANY_LOSSES : LOSSES_BEFORE_QUARANTINE;
  const boundsNow = withCurrentKey({ kinds, lossesBelow, onNotRefused }, addressHashKey);
  return async (asked) => {
    const bounds = await boundsNow();
    asked.onBegin?.();
    return changeInEnvironments(db, [asked.environmentId], async (tx): Promise<LimitedClaim> => {
      if (!(await lockState(tx, asked))) return { ...NOTHING, rest: 'busy' };
      const allowance = await readAllowance(tx, asked.channelId);
      if (allowance === null) return { ...NOTHING, rest: 'busy' };
      if (allowance === 'unlimited') return { ...NOTHING, rest: 'unlimited' };
      return claimLocked(tx, { newId, bounds }, asked, allowance);
    });
  };
}
