import { LRUCache } from '@postrider/domain';
import { createBatcher } from '../batcher.ts';
import { acrossEnvironments, type Database } from '../client.ts';

/** How many environments' tenants are cached, and for how many milliseconds: an environment can move to another tenant. */
const KEPT = { max: 10_000, ttl: 60_000 };

/** Creates a look-up of an environment's tenant (both UUIDs), up to a minute old. Null for an unknown environment. */
export function createTenantLookup(db: Database): (environmentId: string) => Promise<string | null> {
  const across = acrossEnvironments(db);
  const kept = new LRUCache<string, string>(KEPT);
  const find = createBatcher<string, string | null>(
    async (ids) => {
      const rows = await across.environment.findMany({
        where: { id: { in: [...ids] } },
        select: { id: true, tenantId: true },
      });
      const tenants = new Map(rows.map(({ id, tenantId }) => [id, tenantId]));
      return ids.map((id) => tenants.get(id) ?? null);
    },
    { maxItems: 128, maxInFlight: 1, isItemError: () => false },
  );
  return async (environmentId) => {
    const known = kept.get(environmentId);
    if (known !== undefined) return known;
    const tenantId = await find(environmentId);
    if (tenantId !== null) kept.set(environmentId, tenantId);
    return tenantId;
  };
}
