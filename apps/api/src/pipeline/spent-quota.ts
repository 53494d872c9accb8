import type { EnvironmentSnapshot, Snapshots } from '@postrider/db';

/** Takes what acceptance says of a tenant's quota to the stage that refuses by snapshots. */
export interface SpentQuota {
  /** After an acceptance: `eventsUsed` is what the tenant has used with it. */
  readonly accepted: (snapshot: EnvironmentSnapshot, eventsUsed: number) => void;
  /** After a refusal by the accepting transaction. */
  readonly exceeded: (snapshot: EnvironmentSnapshot) => void;
}

/**
 * Creates the {@link SpentQuota} over the caches of this process. When nothing is left the tenant's snapshots
 * are forgotten, so that the next request already has the quota's answer before any later one
 * (docs/specification.md, "Quota and payment"). Once for each snapshot: of the many that a used-up quota
 * refuses, only the first may have the next one loaded.
 */
export function createSpentQuota(snapshots: Pick<Snapshots, 'drop'>): SpentQuota {
  const forgotten = new WeakSet<EnvironmentSnapshot>();

  function exceeded(snapshot: EnvironmentSnapshot): void {
    if (forgotten.has(snapshot)) return;
    forgotten.add(snapshot);
    // At once, also where it is being loaded anew: the tenant's others are judged when their loads have ended.
    snapshots.drop(`environment:${snapshot.environment.id}`);
    snapshots.drop(`tenant:${snapshot.tenant.id}`);
  }

  return {
    exceeded,
    accepted(snapshot, eventsUsed) {
      const limit = snapshot.plan.eventsPerMonth;
      if (limit !== null && eventsUsed >= limit) exceeded(snapshot);
    },
  };
}
