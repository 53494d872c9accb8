import { isQuarantined, type RunStatus } from '@postrider/domain';
import { createFairSemaphore } from '@postrider/fairness';
import type { UnboundDatabase } from '../client.ts';
import { askForRun, type ClaimRules, claimRuns } from '../statements/claim.ts';
import type { ClaimedRun } from '../statements/claimed-run.ts';
import { refuseRuns } from '../statements/refuse.ts';

/** What became of a run that a test claims by its id. */
export type ClaimOutcome =
  | { readonly outcome: 'claimed'; readonly run: ClaimedRun }
  | { readonly outcome: 'not_due' | 'held' | 'limited' | 'quarantined' }
  /** It was ended with an attempt of this error code. */
  | { readonly outcome: 'channel_disabled' | 'expired' | 'recipient_suppressed' }
  /** It is locked by another transaction, running or terminal. `status` is null if there is no such run. */
  | { readonly outcome: 'not_claimable'; readonly status: RunStatus | null };

/** Concurrent claims, fewer than a test's client has connections. */
const AT_ONCE = { total: 4, perOwner: 4, maxWaiting: 10_000, maxWaitingPerOwner: 10_000 };

interface ClaimOptions extends Partial<ClaimRules> {
  /** Whether runs in quarantine are claimed, too. */
  readonly inQuarantine?: boolean;
}

/** Claims a run by its id, and ends or holds it if it may not be sent, for tests that connect as the owner of the tables. */
export function createOwnerClaim(
  db: UnboundDatabase,
  { inQuarantine = false, addressHashKey = null, kinds }: ClaimOptions = {},
): (request: { readonly runId: string; readonly attemptId: string }) => Promise<ClaimOutcome> {
  const rules: ClaimRules = kinds ? { kinds, addressHashKey } : { addressHashKey };

  async function explain(runId: string): Promise<ClaimOutcome> {
    const run = await db.deliveryRun.findUnique({ where: { id: runId }, include: { channel: true } });
    const status = (run?.status ?? null) as RunStatus | null;
    if (!run || run.completedAt || status === 'running') return { outcome: 'not_claimable', status };
    if (run.held !== null && run.dueAt.getUTCFullYear() === 9999) return { outcome: 'held' };
    if (run.dueAt > new Date()) return { outcome: 'not_due' };
    const { maxPerSecond, maxInFlight, deletedAt } = run.channel;
    if (deletedAt === null && (maxPerSecond !== null || maxInFlight !== null)) return { outcome: 'limited' };
    return { outcome: 'not_claimable', status };
  }

  async function claim({ runId, attemptId }: { runId: string; attemptId: string }): Promise<ClaimOutcome> {
    const found = await db.deliveryRun.findUnique({ where: { id: runId } });
    if (!found) return { outcome: 'not_claimable', status: null };
    const { environmentId, channelId, lostWorkers } = found;
    if (isQuarantined(lostWorkers) && found.status === 'retrying' && !inQuarantine)
      return { outcome: 'quarantined' };
    const ask = askForRun({ channelId, environmentId }, { runId, attemptId });
    const [answer] = await claimRuns(db, [ask], rules);
    const [run] = answer?.runs ?? [];
    if (run) return { outcome: 'claimed', run };
    if (!answer || answer.refused.length === 0) return explain(runId);
    await refuseRuns(db, [{ runId, environmentId, attemptId }], rules);
    const { status, lastErrorCode } = await db.deliveryRun.findUniqueOrThrow({ where: { id: runId } });
    if (status !== 'failed') return explain(runId);
    return { outcome: lastErrorCode as 'channel_disabled' | 'expired' | 'recipient_suppressed' };
  }

  const lanes = createFairSemaphore(AT_ONCE);
  return async (request) => {
    const permit = await lanes.acquire({ owner: 'test' });
    return claim(request).finally(permit?.release);
  };
}
