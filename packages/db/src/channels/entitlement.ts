import type { ChannelKind } from '@postrider/domain';
import type { Queryable } from '../client.ts';

/** What an environment and the plan of its tenant include. */
interface Entitlement {
  readonly channelKinds: readonly ChannelKind[];
  /** Whether the environment allows https only. */
  readonly httpsOnly: boolean;
}

/** The channels that the plan of an environment's tenant includes. Null if there is no such environment. */
export async function readEntitlement(db: Queryable, environmentId: string): Promise<Entitlement | null> {
  const [row = null] = await db.$queryRaw<Entitlement[]>`
    SELECT plans.channel_kinds AS "channelKinds", environments.https_only AS "httpsOnly"
      FROM environments
      JOIN tenants ON tenants.id = environments.tenant_id
      JOIN plans ON plans.code = tenants.plan_code
     WHERE environments.id = ${environmentId}::uuid`;
  return row;
}
