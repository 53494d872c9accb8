import type { Queryable } from '../client.ts';
import { OPEN } from '../run-statuses.ts';

/** Runs of replays that an environment may have open before a bulk replay waits: live traffic goes in between. */
export const MAX_OPEN_REPLAY_RUNS = 1_000;
/** Runs of replays that the environment has open; {@link MAX_OPEN_REPLAY_RUNS} stands for any more. */
export async function countOpenReplayRuns(tx: Queryable, environmentId: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ open: number }[]>`
    SELECT count(*)::int AS open FROM (
      SELECT FROM delivery_runs
       WHERE environment_id = ${environmentId}::uuid AND replay > 0
         AND status IN ${OPEN}
       LIMIT ${MAX_OPEN_REPLAY_RUNS}) AS open_runs`;
  return row?.open ?? 0;
}
