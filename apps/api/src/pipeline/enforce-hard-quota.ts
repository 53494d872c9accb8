import { type EnvironmentSnapshot, SNAPSHOT_MAX_AGE_MS } from '@postrider/db';
import { formatTime, periodOf } from '@postrider/domain';
import { type Refusal, refuse } from '../http/reply.ts';
import type { Identified, Stage } from './stage.ts';

/** The tenant's plan holds no more events in this period. */
export function quotaExceeded(quota: { limit: number; used: number; resetsAt: Date }): Refusal {
  const { limit, used } = quota;
  const resetsAt = formatTime(quota.resetsAt);
  return refuse('quota_exceeded', {
    details: [
      {
        path: '',
        code: 'quota_limit',
        message: `${used} of ${limit} events are used; the quota starts anew at ${resetsAt}.`,
        limit,
        used,
        resets_at: resetsAt,
      },
    ],
  });
}

/** What the snapshot says of the quota, null while it leaves room or cannot tell. */
function exhausted({ plan, eventsUsed, databaseNow }: EnvironmentSnapshot): Refusal | null {
  const limit = plan.eventsPerMonth;
  if (limit === null || eventsUsed < limit) return null;
  const now = databaseNow();
  const period = periodOf(now);
  // A snapshot this soon after the month's start may have counted the month before.
  if (now.getTime() - period.start.getTime() <= SNAPSHOT_MAX_AGE_MS) return null;
  return quotaExceeded({ limit, used: eventsUsed, resetsAt: period.end });
}

/**
 * Stage 3: refuses early what makes deliveries when the quota is known to be used up; the accepting
 * transaction is what makes the quota exact.
 */
export const enforceHardQuota: Stage<Identified, Identified> = (request) => {
  const refusal = request.traits.createsDeliveries ? exhausted(request.snapshot) : null;
  return refusal ? { reply: refusal } : { passed: request };
};
