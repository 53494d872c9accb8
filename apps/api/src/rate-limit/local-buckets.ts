import { type BucketRate, type TokenTaken, takeToken } from '@postrider/domain';

/** Buckets kept; the one used longest ago goes first, and comes back full. */
const MAX_BUCKETS = 10_000;

/** Token buckets in this process's memory: the guard while Redis is out of reach. */
export function createLocalBuckets(now: () => number): (bucket: string, rate: BucketRate) => TokenTaken {
  const states = new Map<string, number>();
  return (bucket, rate) => {
    const taken = takeToken(states.get(bucket) ?? null, Math.trunc(now()), rate);
    states.delete(bucket);
    states.set(bucket, taken.nextState);
    const [oldest] = states.keys();
    if (states.size > MAX_BUCKETS && oldest !== undefined) states.delete(oldest);
    return taken;
  };
}
