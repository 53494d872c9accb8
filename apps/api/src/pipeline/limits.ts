import { type EnvironmentSnapshot, SNAPSHOT_MAX_AGE_MS, type Snapshots } from '@postrider/db';
import {
  type BucketRate,
  formatTime,
  isBarredFromDeliveries,
  periodOf,
  type TokensTaken,
} from '@postrider/domain';
import { type Refusal, refuse } from '../http/reply.ts';
import type { Identified, Stage } from './stage.ts';

/** The tenant's plan holds no more events in this period (docs/specification.md, "Quota and payment"). */
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

/** The refusal if the quota is exhausted by the snapshot; null if events are left or the snapshot cannot tell. */
export function exhausted({ plan, eventsUsed, databaseNow }: EnvironmentSnapshot): Refusal | null {
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

/** Passes quota results of the accepting transaction to the stage that rejects by snapshot. */
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
    // Drops this environment at once, even while it reloads. The tenant's other environments are checked when their
    // loads end.
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

/** The refusal if the tenant may not create deliveries because it does not pay; null otherwise. */
export function unpaid({ tenant, databaseNow }: EnvironmentSnapshot): Refusal | null {
  return isBarredFromDeliveries(tenant, databaseNow()) ? refuse('payment_required') : null;
}

/** Stage 4: refuses what makes deliveries for a tenant that does not pay. */
export const enforcePaymentAccess: Stage<Identified, Identified> = (request) => {
  const refusal = request.traits.createsDeliveries ? unpaid(request.snapshot) : null;
  return refusal ? { reply: refusal } : { passed: request };
};

/** How many tokens to take: `wanted` or, unless `whole`, what is there of them. */
export interface TokensWanted {
  readonly wanted: number;
  readonly whole?: boolean;
}

/** Takes tokens, one by default, from a bucket, known by its name, that flows at `rate`. Never throws. */
export type TakeBucketTokens = (
  bucket: string,
  rate: BucketRate,
  tokens?: TokensWanted,
) => Promise<TokensTaken>;

export interface RateLimitDeps {
  readonly takeBucketTokens: TakeBucketTokens;
}

const seconds = (ms: number) => Math.ceil(ms / 1_000);

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-10: the policy is a full bucket (`q`) per the time in
 * which an empty one fills (`w`, seconds); of it `r` requests are left, and in `t` seconds it is full again.
 */
function rateLimitHeaders(rate: BucketRate, taken: TokensTaken): Record<string, string> {
  const window = Math.max(1, Math.ceil(rate.burst / rate.requestsPerSecond));
  return {
    'RateLimit-Policy': `"default";q=${rate.burst};w=${window}`,
    RateLimit: `"default";r=${taken.remaining};t=${seconds(taken.resetMs)}`,
  };
}

/**
 * Takes tokens for a request and tells the client with its response's headers. `refusal` is for whatever gets none. A
 * plan without a rate has no bucket: everything is taken, and there are no headers.
 */
export async function takeRequestTokens(
  takeBucketTokens: TakeBucketTokens,
  { snapshot, replyHeaders }: Pick<Identified, 'snapshot' | 'replyHeaders'>,
  { wanted, whole }: TokensWanted,
): Promise<{ readonly taken: number; readonly refusal: Refusal | null }> {
  const { requestsPerSecond, burst } = snapshot.plan;
  if (wanted === 0 || requestsPerSecond === null || burst === null) return { taken: wanted, refusal: null };
  const rate = { requestsPerSecond, burst };
  const tokens = await takeBucketTokens(snapshot.environment.id, rate, { wanted, whole: whole ?? false });
  Object.assign(replyHeaders, rateLimitHeaders(rate, tokens));
  if (tokens.taken === wanted) return { taken: wanted, refusal: null };
  const retryAfter = String(Math.max(1, seconds(tokens.retryAfterMs)));
  return {
    taken: tokens.taken,
    refusal: refuse('rate_limited', { headers: { 'Retry-After': retryAfter } }),
  };
}

/** Stage 5: a token bucket per environment. Operations that count their own items skip it. */
export function createEnforceRateLimit({ takeBucketTokens }: RateLimitDeps): Stage<Identified, Identified> {
  return async (request) => {
    if (request.snapshot.plan.requestsPerSecond === null) return { passed: request };
    // A replayed answer takes no token.
    const stored = await request.storedReply();
    if (stored) return { reply: stored };
    const { refusal } = await takeRequestTokens(takeBucketTokens, request, { wanted: 1 });
    return refusal ? { reply: refusal } : { passed: request };
  };
}
