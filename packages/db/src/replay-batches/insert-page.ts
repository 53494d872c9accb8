import { createUuidV7Source } from '@postrider/domain';
import { createRuns, insertRuns, runsToEnqueue } from '../accept/insert-runs.ts';
import { consumeQuota } from '../accept/quota.ts';
import type { RunToEnqueue } from '../accept/types.ts';
import type { Queryable } from '../client.ts';
import type { Page } from './cut-page.ts';

/**
 * Makes the runs of a page whose messages are locked, and counts them against the quota, which is what it does last: see
 * {@link consumeQuota}.
 */
export async function insertPage(
  tx: Queryable,
  { tenantId, environmentId, now }: { tenantId: string; environmentId: string; now: Date },
  { replays }: Page,
): Promise<RunToEnqueue[]> {
  if (replays.length === 0) return [];
  const newId = createUuidV7Source(() => now.getTime());
  const numbered = await tx.$queryRaw<{ id: string; replay: number }[]>`
    UPDATE messages SET replay_count = replay_count + 1
     WHERE environment_id = ${environmentId}::uuid AND id = ANY(${replays.map(({ id }) => id)}::uuid[])
    RETURNING id, replay_count AS replay`;
  const numbers = new Map(numbered.map(({ id, replay }) => [id, replay]));
  const batches = replays.map(({ id, runs }) => {
    const replay = numbers.get(id);
    if (replay === undefined) throw new Error(`message ${id} was replayed without a lock`);
    return {
      environmentId,
      messageId: id,
      replay,
      traceparent: null,
      runs: createRuns(runs, { newId, scheduleAt: null, now }),
    };
  });
  await insertRuns(tx, batches, now);
  await consumeQuota(
    tx,
    replays.map(() => ({ tenantId, environmentId })),
    now,
  );
  return batches.flatMap(({ runs }) => runsToEnqueue(runs, now));
}
