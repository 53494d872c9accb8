import { IDEMPOTENCY_WAIT_MS } from '../accept/idempotency.ts';
import { draftRuns, runsToEnqueue } from '../accept/runs.ts';
import { STEPS, store } from '../accept/store.ts';
import type { RunToEnqueue } from '../accept/types.ts';
import type { Queryable } from '../client.ts';
import type { Page } from './cut-page.ts';

/**
 * Makes the runs of a page whose messages are locked, and counts them against the quota, which is what it does last: the
 * tenant's row stays locked until the commit.
 */
export async function insertPage(
  tx: Queryable,
  { tenantId, environmentId, now }: { tenantId: string; environmentId: string; now: Date },
  { replays }: Page,
): Promise<RunToEnqueue[]> {
  if (replays.length === 0) return [];
  const numbered = await tx.$queryRaw<{ id: string; replay: number }[]>`
    UPDATE messages SET replay_count = replay_count + 1
     WHERE environment_id = ${environmentId}::uuid AND id = ANY(${replays.map(({ id }) => id)}::uuid[])
    RETURNING id, replay_count AS replay`;
  const numbers = new Map(numbered.map(({ id, replay }) => [id, replay]));
  const creations = replays.map(({ id, runs }) => {
    const replay = numbers.get(id);
    if (replay === undefined) throw new Error(`message ${id} was replayed without a lock`);
    const drafted = draftRuns(runs, { now, messageId: id });
    return { ...drafted, tenantId, environmentId, message: null, replay, traceparent: null, answer: null };
  });
  await store(tx, creations, { steps: STEPS.replays, lockTimeoutMs: IDEMPOTENCY_WAIT_MS });
  return creations.flatMap(runsToEnqueue);
}
