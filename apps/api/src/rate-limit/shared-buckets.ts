import type { BucketRate } from '@postrider/domain';
import type { ReturnableTokens, TokensWanted } from '../pipeline/limits.ts';

/** Buckets that several processes share. Both calls reject if the store does not respond. */
export interface SharedBuckets {
  /** Takes up to `wanted` tokens. */
  take(bucket: string, rate: BucketRate, wanted: number): Promise<Omit<ReturnableTokens, 'giveBack'>>;
  /** Returns unused tokens. */
  give(bucket: string, rate: BucketRate, count: number): Promise<void>;
}

interface Waiter extends TokensWanted {
  readonly rate: BucketRate;
  readonly resolve: (taken: ReturnableTokens) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Takes tokens from shared buckets. The requests to a bucket in one turn of the event loop share one call and get its tokens in their
 * order, so a busy environment costs a round trip for many requests, and no process holds tokens. Rejects if the store does not
 * respond.
 */
export function createTakeShared(
  shared: SharedBuckets,
): (bucket: string, rate: BucketRate, tokens: TokensWanted) => Promise<ReturnableTokens> {
  /** The requests of this turn, by bucket. */
  const turns = new Map<string, Waiter[]>();

  function give(bucket: string, rate: BucketRate, count: number): void {
    // Tokens that cannot be returned are lost, which only makes the limit stricter.
    if (count > 0) void shared.give(bucket, rate, count).catch(() => undefined);
  }

  async function takeFor(bucket: string, rate: BucketRate, asking: readonly Waiter[]): Promise<void> {
    const all = await shared.take(
      bucket,
      rate,
      asking.reduce((sum, { wanted }) => sum + wanted, 0),
    );
    let left = all.taken;
    for (const { wanted, whole = false, resolve } of asking) {
      const missing = whole ? wanted - left : 1;
      const taken = whole && left < wanted ? 0 : Math.min(wanted, left);
      left -= taken;
      const more = ((missing - 1) * 1_000) / rate.requestsPerSecond;
      resolve({
        taken,
        remaining: all.remaining + left,
        retryAfterMs: taken === wanted ? 0 : Math.max(1, all.retryAfterMs) + Math.ceil(more),
        resetMs: all.resetMs,
        giveBack: (count) => give(bucket, rate, count),
      });
    }
    give(bucket, rate, left);
  }

  async function serve(bucket: string, asking: readonly Waiter[]): Promise<void> {
    turns.delete(bucket);
    // After a change of the plan, the newest request has the new rate.
    const rate = (asking.at(-1) as Waiter).rate;
    await takeFor(bucket, rate, asking).catch((error: unknown) => {
      for (const { reject } of asking) reject(error);
    });
  }

  return (bucket, rate, tokens) =>
    new Promise((resolve, reject) => {
      const waiter = { ...tokens, rate, resolve, reject };
      const turn = turns.get(bucket);
      if (turn) {
        turn.push(waiter);
        return;
      }
      const opened = [waiter];
      turns.set(bucket, opened);
      setImmediate(() => void serve(bucket, opened));
    });
}
