import type { ChannelKind } from '@postrider/domain';
import { createBatcher } from '../batcher.ts';
import { acrossEnvironments, type Database, type UnboundDatabase } from '../client.ts';

export interface RunChannel {
  readonly channelId: string;
  readonly kind: ChannelKind;
}

/** A channel and the environment that it and its runs belong to. */
export interface PlacedChannel extends RunChannel {
  readonly environmentId: string;
}

/**
 * Which channel a run goes to, so that a slot of it can be reserved before the run is claimed; null for an
 * unknown run.
 */
export type FindRunChannel = (runId: string) => Promise<PlacedChannel | null>;

interface RunRow {
  id: string;
  environment_id: string;
  channel_id: string;
  channel_kind: ChannelKind;
}

const toChannel = (row: RunRow): PlacedChannel => ({
  environmentId: row.environment_id,
  channelId: row.channel_id,
  kind: row.channel_kind,
});

/**
 * Creates the look-up whose concurrent calls share one query. A job names nothing but its run: whose it is, is what the
 * look-up tells, and all that comes after it sees the rows of that environment alone.
 */
export function createRunChannelLookup(db: Database): FindRunChannel {
  const across = acrossEnvironments(db);
  return createBatcher<string, PlacedChannel | null>(
    async (runIds) => {
      const rows = await across.$queryRaw<RunRow[]>`
        SELECT id, environment_id, channel_id, channel_kind FROM delivery_runs WHERE id = ANY(${[...runIds]}::uuid[])`;
      const byId = new Map(rows.map((row) => [row.id, toChannel(row)]));
      return runIds.map((runId) => byId.get(runId) ?? null);
    },
    { maxItems: 128, maxInFlight: 1, isItemFault: () => false },
  );
}

/**
 * The due runs of one channel that wait, oldest due first; for a channel whose slots were all taken when its
 * jobs came.
 */
export async function findDueRunsOfChannel(
  db: UnboundDatabase,
  { channelId, limit }: { channelId: string; limit: number },
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM delivery_runs
     WHERE channel_id = ${channelId}::uuid AND status IN ('scheduled', 'queued', 'retrying') AND due_at <= now()
     ORDER BY due_at LIMIT ${limit}`;
  return rows.map((row) => row.id);
}
