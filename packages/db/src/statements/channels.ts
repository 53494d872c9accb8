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

interface FactsRow {
  id: string;
  environment_id: string;
  tenant_id: string;
  kind: ChannelKind;
}

const find = defineStatement<readonly string[], FactsRow>({
  text: `
    SELECT channel.id, channel.environment_id, environment.tenant_id, channel.kind
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

const findRuns = defineStatement<
  readonly string[],
  { run_id: string; channel_id: string; is_rendered: boolean }
>({
  text: `
    SELECT run.id AS run_id, run.channel_id,
           run.template_version_id IS NOT NULL OR channel.config ->> 'template' IS NOT NULL AS is_rendered
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
  const facts = new Map(
    rows.map(({ id, environment_id: environmentId, tenant_id: tenantId, kind }) => [
      id,
      { channelId: id, environmentId, tenantId, kind },
    ]),
  );
  return channelIds.map((id) => facts.get(id) ?? null);
}

/** Those of these runs that wait. */
export async function findWaitingRuns(db: UnboundDatabase, runIds: readonly string[]): Promise<WaitingRun[]> {
  const rows = await findRuns(db, runIds);
  return rows.map((row) => ({ runId: row.run_id, channelId: row.channel_id, isRendered: row.is_rendered }));
}
