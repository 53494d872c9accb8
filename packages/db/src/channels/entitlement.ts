import type { ChannelKind } from '@postrider/domain';
import type { Queryable } from '../client.ts';

/** The tenant of an environment, and what its plan includes. */
interface Entitlement {
  readonly tenantId: string;
  readonly channelKinds: readonly ChannelKind[];
  /** Whether the environment allows https only. */
  readonly httpsOnly: boolean;
}

/** The channels that the plan of an environment's tenant includes. Null if there is no such environment. */
export async function readEntitlement(db: Queryable, environmentId: string): Promise<Entitlement | null> {
  const [row] = await db.$queryRaw<
    { tenant_id: string; channel_kinds: ChannelKind[]; https_only: boolean }[]
  >`
    SELECT tenants.id AS tenant_id, plans.channel_kinds, environments.https_only
      FROM environments
      JOIN tenants ON tenants.id = environments.tenant_id
      JOIN plans ON plans.code = tenants.plan_code
     WHERE environments.id = ${environmentId}::uuid`;
  if (!row) return null;
  return { tenantId: row.tenant_id, channelKinds: row.channel_kinds, httpsOnly: row.https_only };
}
