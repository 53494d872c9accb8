import type { ChannelKind } from '@postrider/domain';
import type { UnboundDatabase } from '../client.ts';
import { WAITING } from '../run-statuses.ts';
import { defineStatement } from '../statement.ts';

/** What a worker needs to know of a channel before it claims its runs. Ids are UUIDs. */
export interface ChannelFacts {
  readonly channelId: string;
  readonly environmentId: string;
  readonly tenantId: string;
  readonly kind: ChannelKind;
}

const find = defineStatement<readonly string[], ChannelFacts>({
  text: `
    SELECT channel.id AS "channelId", channel.environment_id AS "environmentId", environment.tenant_id AS "tenantId", channel.kind
      FROM (SELECT unnest((SELECT :ids::uuid[])) AS id) asked
      JOIN channels channel USING (id) JOIN environments environment ON environment.id = channel.environment_id`,
  parameters: { ids: (ids) => ids },
});

/** A waiting run with its channel. Ids are UUIDs. */
export interface WaitingRun {
  readonly runId: string;
  readonly channelId: string;
  /** Whether it has a template, or its channel. */
  readonly isRendered: boolean;
}

/** Those of these runs that wait. */
export const findWaitingRuns: (db: UnboundDatabase, runIds: readonly string[]) => Promise<WaitingRun[]> =
  defineStatement({
    text: `
    SELECT run.id AS "runId", run.channel_id AS "channelId",
           run.template_version_id IS NOT NULL OR channel.config ->> 'template' IS NOT NULL AS "isRendered"
      FROM (SELECT unnest((SELECT :ids::uuid[])) AS id) asked JOIN delivery_runs run USING (id)
      JOIN channels channel ON channel.id = run.channel_id
     WHERE run.status IN ${WAITING.sql}`,
    parameters: { ids: (ids) => ids },
  });

/** The facts of each of these channels, also of deleted ones; null for an unknown channel. */
export async function findChannels(
  db: UnboundDatabase,
  channelIds: readonly string[],
): Promise<(ChannelFacts | null)[]> {
  const rows = await find(db, channelIds);
  const facts = new Map(rows.map((row) => [row.channelId, row]));
  return channelIds.map((id) => facts.get(id) ?? null);
}
