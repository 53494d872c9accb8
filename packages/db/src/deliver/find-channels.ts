import { type ChannelKind, LOSSES_BEFORE_QUARANTINE } from '@postrider/domain';
import { createBatcher } from '../batcher.ts';
import type { Database } from '../client.ts';

export interface RunChannel {
  readonly channelId: string;
  readonly kind: ChannelKind;
}

/**
 * Which channel a run goes to, so that a slot of it can be reserved before the run is claimed; null for an
 * unknown run.
 */
export type FindRunChannel = (runId: string) => Promise<RunChannel | null>;

/** Creates the look-up whose concurrent calls share one query. */
export function createRunChannelLookup(db: Database): FindRunChannel {
  return createBatcher<string, RunChannel | null>(
    async (runIds) => {
      const rows = await db.$queryRaw<{ id: string; channel_id: string; channel_kind: ChannelKind }[]>`
        SELECT id, channel_id, channel_kind FROM delivery_runs WHERE id = ANY(${[...runIds]}::uuid[])`;
      const byId = new Map(
        rows.map((row) => [row.id, { channelId: row.channel_id, kind: row.channel_kind }]),
      );
      return runIds.map((runId) => byId.get(runId) ?? null);
    },
    { maxItems: 128, maxInFlight: 1, isItemFault: () => false },
  );
}

/**
 * The due runs of one channel that wait, oldest due first; for a channel whose slots were all taken when its
 * jobs came. Runs in quarantine, which no ordinary claim would get, are left out.
 */
export async function findDueRunsOfChannel(
  db: Database,
  { channelId, limit }: { channelId: string; limit: number },
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM delivery_runs
     WHERE channel_id = ${channelId}::uuid AND status IN ('scheduled', 'queued', 'retrying') AND due_at <= now()
       AND lost_workers < ${LOSSES_BEFORE_QUARANTINE}::int
     ORDER BY due_at LIMIT ${limit}`;
  return rows.map((row) => row.id);
}
