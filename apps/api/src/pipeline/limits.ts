import {
  type ConsumerSnapshot,
  type EnvironmentSnapshot,
  type QuotaExceeded,
  SNAPSHOT_MAX_AGE_MS,
  type Snapshots,
} from '@postrider/db';
import {
  type BucketRate,
  formatTime,
  isBarredFromDeliveries,
  periodOf,
  type Refusal,
  refuse,
  reject,
  retryLater,
  type TokensTaken,
} from '@postrider/domain';
import { isReplay } from './idempotency.ts';
import type { ApiRequest, Stage } from './stage.ts';

/**
 * Refuses a request if there is a reason.
 * @throws RefusedError
 */
export function rejectIf(refusal: Refusal | null | undefined): void {
  if (refusal) reject(refusal);
}

/** The refusal if the plan has no events left in this period (docs/specification.md, "Quota and payment"). */
export function quotaExceeded({
  limit,
  used,
  consumerId,
  ...quota
}: Omit<QuotaExceeded, 'outcome'>): Refusal {
  const resetsAt = formatTime(quota.resetsAt);
  const ofConsumer = consumerId !== undefined;
  return refuse('quota_exceeded', {
    ...(ofConsumer && { message: `The consumer ${consumerId} has used all of this month's events.` }),
    details: [
      {
        path: ofConsumer ? '/consumer' : '',
        code: 'quota_limit',
        message: `${used} of ${limit} events are used; the quota resets at ${resetsAt}.`,
        limit,
        used,
        resets_at: resetsAt,
      },
    ],
  });
}

/** The refusal if the quota is exhausted by the snapshot; null if events are left or the snapshot cannot tell. */
export const exhausted = ({ plan, eventsUsed, databaseNow }: EnvironmentSnapshot): Refusal | null =>
  exhaustedLimit({ limit: plan.eventsPerMonth, used: eventsUsed }, databaseNow);

/** Like {@link exhausted}, for the limit of the plan or of a consumer. */
export function exhaustedLimit(
  { limit, ...of }: { readonly limit: number | null; readonly used: number; readonly consumerId?: string },
  databaseNow: () => Date,
): Refusal | null {
  if (limit === null || of.used < limit) return null;
  const now = databaseNow();
  const period = periodOf(now);
  // A snapshot this soon after the month's start may have counted the month before.
  if (now.getTime() - period.start.getTime() <= SNAPSHOT_MAX_AGE_MS) return null;
  return quotaExceeded({ limit, ...of, resetsAt: period.end });
}

/**
 * Refuses requests that create deliveries early if the quota is known to be exhausted. The accepting
 * transaction enforces it exactly.
 */
export const enforceHardQuota: Stage = ({ operation, snapshot }) => {
  if (operation.traits.checksQuotaAndPayment) rejectIf(exhausted(snapshot));
};

/** Tells the stage that refuses by snapshot what the accepting transaction found. */
export interface SpentQuota {
  /** After an acceptance: `eventsUsed` is what the tenant has used with it. */
  readonly accepted: (snapshot: EnvironmentSnapshot, eventsUsed: number) => void;
  /** Called when the transaction has refused an event. Returns the refusal. `consumer` is that of the event. */
  readonly exceeded: (
    quota: QuotaExceeded,
    snapshot: EnvironmentSnapshot,
    consumer?: ConsumerSnapshot,
  ) => Refusal;
}

/**
 * Creates the {@link SpentQuota} of this process. When a quota is exhausted, it drops the snapshots of the tenant or of the
 * consumer, so that the next request is refused at the quota stage (docs/specification.md, "Quota and payment"). It does so once
 * per snapshot: of many refused requests only the first reloads it.
 */
export function createSpentQuota(snapshots: Pick<Snapshots, 'drop'>): SpentQuota {
  const dropped = new WeakSet<EnvironmentSnapshot | ConsumerSnapshot>();

  function dropOnce(
    spent: EnvironmentSnapshot | ConsumerSnapshot,
    ...notices: Parameters<Snapshots['drop']>[0][]
  ): void {
    if (dropped.has(spent)) return;
    dropped.add(spent);
    for (const notice of notices) snapshots.drop(notice);
  }

  // Drops this environment at once, even while it reloads. The tenant's other environments are checked when their loads end.
  const dropTenant = (snapshot: EnvironmentSnapshot) =>
    dropOnce(snapshot, `environment:${snapshot.environment.id}`, `tenant:${snapshot.tenant.id}`);

  return {
    exceeded(quota, snapshot, consumer) {
      if (quota.consumerId === undefined) dropTenant(snapshot);
      else if (consumer) dropOnce(consumer, `consumer:${snapshot.environment.id}:${consumer.id}`);
      return quotaExceeded(quota);
    },
    accepted(snapshot, eventsUsed) {
      const limit = snapshot.plan.eventsPerMonth;
      if (limit !== null && eventsUsed >= limit) dropTenant(snapshot);
    },
  };
}

/** The refusal if the tenant may not create deliveries because it does not pay; null otherwise. */
export function unpaid({ tenant, databaseNow }: EnvironmentSnapshot): Refusal | null {
  return isBarredFromDeliveries(tenant, databaseNow()) ? refuse('payment_required') : null;
}

/** Refuses requests that create deliveries for a tenant that does not pay. */
export const enforcePaymentAccess: Stage = ({ operation, snapshot }) => {
  if (operation.traits.checksQuotaAndPayment) rejectIf(unpaid(snapshot));
};

/** How many tokens to take: `wanted` or, unless `whole`, as many of them as there are. */
export interface TokensWanted {
  readonly wanted: number;
  readonly whole?: boolean;
}

/** Tokens that were taken and can be given back. */
export interface ReturnableTokens extends Omit<TokensTaken, 'nextState'> {
  /** Returns `count` of them to their bucket, each at most once. Never throws. */
  readonly giveBack: (count: number) => void;
}

/** Takes tokens, by default one, from the named bucket, which refills at `rate`. Never throws. */
export type TakeBucketTokens = (
  bucket: string,
  rate: BucketRate,
  tokens?: TokensWanted,
) => Promise<ReturnableTokens>;

const RATE_LIMIT_HEADERS = ['RateLimit-Policy', 'RateLimit'] as const;

const seconds = (ms: number) => Math.ceil(ms / 1_000);

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-10. Policy: a full bucket (`q`) per the seconds in which an empty
 * one fills (`w`). State: `r` requests are left, and the bucket is full again in `t` seconds.
 */
function rateLimitHeaders(
  rate: BucketRate,
  taken: Pick<TokensTaken, 'remaining' | 'resetMs'>,
): Record<(typeof RATE_LIMIT_HEADERS)[number], string> {
  const window = Math.max(1, Math.ceil(rate.burst / rate.requestsPerSecond));
  return {
    'RateLimit-Policy': `"default";q=${rate.burst};w=${window}`,
    RateLimit: `"default";r=${taken.remaining};t=${seconds(taken.resetMs)}`,
  };
}

/** Tokens for requests or events, the first ones. */
export interface LimitedTokens extends Pick<ReturnableTokens, 'taken' | 'giveBack'> {
  /** The refusal of those without a token. */
  readonly refusal: Refusal | null;
}

/** Tokens for a caller without a limit. */
export const unlimited = (taken: number): LimitedTokens => ({
  taken,
  refusal: null,
  giveBack: () => undefined,
});

/** No tokens, for a caller that is refused without a look at a bucket. */
export const noTokens = (refusal: Refusal): LimitedTokens => ({
  taken: 0,
  refusal,
  giveBack: () => undefined,
});

/** Requests with the tokens of one consumer, which have a bucket of their own: they leave the environment's to the tenant. */
const RATE_OF_CONSUMER: BucketRate = { requestsPerSecond: 10, burst: 60 };

/** The rate of a caller's bucket; null if its plan has none. */
function rateOf({
  snapshot: { plan },
  consumerId,
}: Pick<ApiRequest, 'snapshot' | 'consumerId'>): BucketRate | null {
  if (consumerId !== null) return RATE_OF_CONSUMER;
  const { requestsPerSecond, burst } = plan;
  return requestsPerSecond === null || burst === null ? null : { requestsPerSecond, burst };
}

/**
 * Takes tokens for a request and sets the rate-limit headers of its response. A plan without a rate has no bucket: all
 * tokens are granted, and there are no headers.
 */
export async function takeRequestTokens(
  takeBucketTokens: TakeBucketTokens,
  { snapshot, consumerId, replyHeaders }: Pick<ApiRequest, 'snapshot' | 'consumerId' | 'replyHeaders'>,
  { wanted, whole }: TokensWanted,
): Promise<LimitedTokens> {
  const rate = rateOf({ snapshot, consumerId });
  if (wanted === 0 || rate === null) return unlimited(wanted);
  const { id } = snapshot.environment;
  const bucket = consumerId === null ? id : `requests:${id}:${consumerId}`;
  const tokens = await takeBucketTokens(bucket, rate, { wanted, whole: whole ?? false });
  Object.assign(replyHeaders, rateLimitHeaders(rate, tokens));
  const { taken, giveBack } = tokens;
  if (taken === wanted) return { taken, refusal: null, giveBack };
  return { taken, refusal: retryLater('rate_limited', tokens.retryAfterMs / 1_000), giveBack };
}

/**
 * A token bucket per environment, and one for the callers of each consumer. A stored response takes no token
 * (docs/specification.md, "Rate limit"), but nearly every key is new, so the token is taken first, and returned if a response
 * turns out to be stored.
 */
export function createEnforceRateLimit({
  takeBucketTokens,
}: {
  readonly takeBucketTokens: TakeBucketTokens;
}): Stage {
  async function enforce(request: ApiRequest): Promise<void> {
    const { taken, refusal, giveBack } = await takeRequestTokens(takeBucketTokens, request, { wanted: 1 });
    request.onDecided((reply) => {
      if (reply === null || !isReplay(reply)) return;
      for (const name of RATE_LIMIT_HEADERS) delete request.replyHeaders[name];
      if (taken > 0) giveBack(taken);
    });
    rejectIf(refusal);
  }

  return (request) => (rateOf(request) === null ? undefined : enforce(request));
}
