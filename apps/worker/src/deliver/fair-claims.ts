import type { ClaimWithinLimits, LimitedClaim } from '@postrider/db';
import { createFairSemaphore } from '@postrider/fairness';

/** Concurrent claims of a worker; each is a transaction. */
const PLACES = 4;
/** Each channel waits once at most. */
const QUEUE = { maxWaiting: 2_000, maxWaitingPerOwner: 500 };

type ClaimWithin = (asked: ClaimWithinLimits) => Promise<LimitedClaim>;

/**
 * Lets the claims of limited channels take turns by tenant, and within a tenant by channel. A tenant with a hundred
 * limited channels delays the only one of another tenant by one claim at most. Rejects if too many wait; a sweep finds
 * such a channel again.
 */
export function createFairClaims({
  claimWithin,
  tenantOf,
}: {
  readonly claimWithin: ClaimWithin;
  /** The tenant of an environment; null if it is unknown. */
  readonly tenantOf: (environmentId: string) => Promise<string | null>;
}): ClaimWithin {
  const places = createFairSemaphore({ total: PLACES, perOwner: PLACES, ...QUEUE });
  return async (asked) => {
    const owner = (await tenantOf(asked.environmentId)) ?? asked.environmentId;
    const permit = await places.acquire({ owner, part: asked.channelId });
    if (!permit) throw new Error('too many channels with limits wait for their claims');
    try {
      return await claimWithin(asked);
    } finally {
      permit.release();
    }
  };
}
