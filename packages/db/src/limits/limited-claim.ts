import { afterClaim, type LimitState, runsAllowed } from '@postrider/domain';
import { type Database, type Queryable, TRANSACTION_LIMITS } from '../client.ts';
import { type ClaimAsk, type ClaimRules, claimRuns } from '../statements/claim.ts';
import type { ChannelClaim, LimitedBy } from '../statements/claimed-run.ts';
import { changeInEnvironments } from '../transactions/transaction.ts';

/** How long a claim can take. If the state's time is further ahead than this, the clock was set back. */
const MAX_CLAIM_MS = TRANSACTION_LIMITS.timeout;
/** How long the reservation for a quarantined run lasts. Its process renews it once a second. */
const RESERVED_SECONDS = 3;
/** When a claim that left the next run to another process tries again, in milliseconds. */
const RESERVED_WAIT_MS = 250;

/** The claim of a channel with limits. Null: as of `claimRuns`. `missed`: another process is claiming the channel's runs. */
export type LimitedClaim = ChannelClaim | 'missed' | null;

/**
 * Locks the channel's row until the transaction ends. Returns false if another claim has locked or just created it. It
 * never waits, so a frozen process delays no other one.
 */
async function lockState(tx: Queryable, { channelId, environmentId }: ClaimAsk): Promise<boolean> {
  const locked = await tx.$queryRaw<unknown[]>`
    SELECT FROM channel_limit_states WHERE channel_id = ${channelId}::uuid FOR NO KEY UPDATE SKIP LOCKED`;
  if (locked.length > 0) return true;
  await tx.$executeRaw`
    INSERT INTO channel_limit_states (channel_id, environment_id)
    SELECT id, environment_id FROM channels WHERE id = ${channelId}::uuid AND environment_id = ${environmentId}::uuid
    ON CONFLICT (channel_id) DO NOTHING`;
  return false;
}

interface Allowance extends LimitState {
  readonly isReserved: boolean;
}

/**
 * Reads what the limits allow, in its own statement after the lock, so that it sees the leases of all earlier claims. The
 * time is that of the transaction, which its attempts get, too. Null if a claim that began later was decided earlier.
 */
async function readAllowance(tx: Queryable, channelId: string): Promise<Allowance | null> {
  const [row] = await tx.$queryRaw<(Allowance & { readonly behindMs: number })[]>`
    SELECT channel.max_per_second AS "maxPerSecond", channel.max_in_flight AS "maxInFlight", state.rate_state AS "rateState",
           (SELECT count(*)::int FROM delivery_runs run
             WHERE run.channel_id = channel.id AND run.limited AND run.completed_at IS NULL AND run.status = 'running') AS "inFlight",
           floor(extract(epoch FROM now()) * 1000)::float8 AS "nowMs",
           COALESCE(extract(epoch FROM state.decided_at - now()) * 1000, 0)::float8 AS "behindMs",
           COALESCE(state.reserved_until > now(), false) AS "isReserved"
      FROM channels channel JOIN channel_limit_states state ON state.channel_id = channel.id
     WHERE channel.id = ${channelId}::uuid`;
  if (!row) return null;
  const { behindMs, ...allowance } = row;
  return behindMs > 0 && behindMs <= MAX_CLAIM_MS ? null : allowance;
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

/** Why no further run is allowed after a claim of `claimed` runs, which is all that were allowed. */
function limitedAfter(
  { maxInFlight, inFlight, isReserved }: Allowance,
  { claimed, nextInMs }: { readonly claimed: number; readonly nextInMs: number },
): LimitedBy | null {
  if (maxInFlight !== null && inFlight + claimed >= maxInFlight) return { limit: 'in_flight' };
  if (isReserved) return { limit: 'rate', inMs: Math.max(nextInMs, RESERVED_WAIT_MS) };
  return nextInMs > 0 ? { limit: 'rate', inMs: nextInMs } : null;
}

async function claimLocked(
  tx: Queryable,
  ask: ClaimAsk,
  { allowance, rules }: { readonly allowance: Allowance; readonly rules: ClaimRules },
): Promise<ChannelClaim | null> {
  const { channelId } = ask;
  const isAlone = ask.runId !== undefined;
  const inState = runsAllowed(allowance, ask.slots);
  const allowed = Math.max(0, isAlone ? inState : inState - (allowance.isReserved ? 1 : 0));
  const before = afterClaim(allowance, 0);
  // The limit was lower, or the clock was set back: continue as if a full bucket had just been used.
  const { rateState } = allowance;
  if (rateState !== null && before.rateState !== null && before.rateState < rateState) {
    await recordClaim(tx, channelId, { rateState: before.rateState, isAlone: false });
  }
  if (allowed === 0 && isAlone) await reserveNext(tx, channelId);
  const [claim = null] = await claimRuns(tx, [{ ...ask, allowed }], rules);
  const claimed = claim?.counted ?? 0;
  const after = afterClaim(allowance, claimed);
  if (claimed > 0) await recordClaim(tx, channelId, { rateState: after.rateState, isAlone });
  if (!claim || claimed < allowed) return claim;
  return { ...claim, limitedBy: limitedAfter(allowance, { claimed, nextInMs: after.nextInMs }) };
}

/**
 * Claims the next due runs of a channel with limits, as many as `max_per_second` and `max_in_flight` allow over all workers.
 * One transaction, which locks the channel's row, decides, creates the leases and counts the used rate, so there is no use
 * without a lease and no lease without use. A run is in flight while it has a lease, including that of a lost worker until it
 * is released. The caller limits how many claims run at once, because each is a transaction. Rejects if the result of the
 * commit is unknown: runs that it claimed are released with their leases.
 */
export function claimWithinLimits(db: Database, ask: ClaimAsk, rules: ClaimRules): Promise<LimitedClaim> {
  return changeInEnvironments(db, [ask.environmentId], async (tx): Promise<LimitedClaim> => {
    if (!(await lockState(tx, ask))) return 'missed';
    const allowance = await readAllowance(tx, ask.channelId);
    if (allowance === null) return 'missed';
    return claimLocked(tx, ask, { allowance, rules });
  });
}
