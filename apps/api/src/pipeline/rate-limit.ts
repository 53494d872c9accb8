import type { BucketRate, TokenTaken } from '@postrider/domain';
import { refuse } from '../http/reply.ts';
import type { Identified, Stage } from './stage.ts';

/** Takes a token from a bucket, known by its name, that flows at `rate`. Never throws. */
export type TakeBucketToken = (bucket: string, rate: BucketRate) => Promise<TokenTaken>;

export interface RateLimitDeps {
  readonly takeBucketToken: TakeBucketToken;
}

const seconds = (ms: number) => Math.ceil(ms / 1_000);

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-10: the policy is a full bucket (`q`) per the time in
 * which an empty one fills (`w`, seconds); of it `r` requests are left, and in `t` seconds it is full again.
 */
function rateLimitHeaders(rate: BucketRate, taken: TokenTaken): Record<string, string> {
  const window = Math.max(1, Math.ceil(rate.burst / rate.requestsPerSecond));
  return {
    'RateLimit-Policy': `"default";q=${rate.burst};w=${window}`,
    RateLimit: `"default";r=${taken.remaining};t=${seconds(taken.resetMs)}`,
  };
}

/** Stage 5: a token bucket per environment. A plan without a rate has no bucket and gets no headers. */
export function createEnforceRateLimit({ takeBucketToken }: RateLimitDeps): Stage<Identified, Identified> {
  return async (request) => {
    const { requestsPerSecond, burst } = request.snapshot.plan;
    if (requestsPerSecond === null || burst === null) return { passed: request };
    // A replayed answer takes no token.
    const stored = await request.storedReply();
    if (stored) return { reply: stored };
    const rate = { requestsPerSecond, burst };
    const taken = await takeBucketToken(request.snapshot.environment.id, rate);
    Object.assign(request.replyHeaders, rateLimitHeaders(rate, taken));
    if (taken.allowed) return { passed: request };
    const retryAfter = String(Math.max(1, seconds(taken.retryAfterMs)));
    return { reply: refuse('rate_limited', { headers: { 'Retry-After': retryAfter } }) };
  };
}
