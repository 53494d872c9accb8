import { type BucketRate, LRUCache, type TokensTaken } from '@postrider/domain';
import type { ReturnableTokens, TokensWanted } from '../pipeline/limits.ts';

/** Buckets that several processes share. Both calls reject if the store does not respond. */
export interface SharedBuckets {
  /** Takes up to `wanted` tokens. */
  take(bucket: string, rate: BucketRate, wanted: number): Promise<TokensTaken>;
  /** Returns unused tokens. */
  give(bucket: string, rate: BucketRate, count: number): Promise<void>;
}

/** The intended duration of a lease at the process's recent rate. */
const LEASE_MS = 50;
/** Unused tokens are returned after this time. */
export const HOLD_MS = 250;
/** The largest share of a bucket that a process holds. Small buckets are shared token by token. */
const MAX_LEASE = 1 / 50;
/** Buckets whose use a process tracks. The least recently used one is evicted. */
const MAX_BUCKETS = 10_000;

interface Waiter extends TokensWanted {
  readonly resolve: (taken: ReturnableTokens) => void;
  readonly reject: (error: unknown) => void;
}

/** The tokens of one bucket that a process holds. */
interface Lease {
  readonly rate: BucketRate;
  /** Tokens taken from the shared bucket and not used yet. */
  held: number;
  /** Tokens used since the last request to the shared bucket, and the monotonic time of that request in ms. */
  used: number;
  takenAt: number;
  /** The last response of the shared bucket. */
  last: TokensTaken;
  readonly waiting: Waiter[];
  isTaking: boolean;
  giveBack: NodeJS.Timeout | null;
}

export interface Leases {
  /** Takes tokens, held ones first. Rejects if the shared bucket does not respond. */
  take(bucket: string, rate: BucketRate, tokens: TokensWanted): Promise<ReturnableTokens>;
  /** Returns all held tokens. */
  close(): Promise<void>;
}

const NOTHING: TokensTaken = { taken: 0, remaining: 0, retryAfterMs: 0, resetMs: 0, nextState: 0 };

const largestLease = ({ burst }: BucketRate) => Math.floor(burst * MAX_LEASE);

const isSameRate = (one: BucketRate, other: BucketRate) =>
  one.requestsPerSecond === other.requestsPerSecond && one.burst === other.burst;

/**
 * Leases tokens from shared buckets in chunks that follow the use of this process, so that a busy environment costs a
 * round trip per chunk and not per request. Concurrent requests share a round trip.
 *
 * Every token is taken from the shared bucket before it is used, so processes together never use more than the bucket
 * gives. Holding tokens has two effects, both limited to burst / 50 per process: tokens held at the beginning of a time
 * span may be used in it on top of the rate, and a request may be refused while another process holds tokens, for at
 * most {@link HOLD_MS} ms. A bucket with fewer than 50 tokens, or one that is used less than once in {@link LEASE_MS}
 * ms, is exact. Tokens that a request may still return count as held.
 */
export function createLeases(shared: SharedBuckets, monotonicMs: () => number): Leases {
  const leases = new LRUCache<string, Lease>({
    max: MAX_BUCKETS,
    dispose: (lease, bucket) => void giveBack(bucket, lease),
  });

  /** Returns held tokens beyond `keep` to the shared bucket. */
  async function giveBack(bucket: string, lease: Lease, keep = 0): Promise<void> {
    const count = Math.max(0, lease.held - keep);
    lease.held -= count;
    holdForAWhile(bucket, lease);
    // Tokens that cannot be returned are lost, which only makes the limit stricter.
    if (count > 0) await shared.give(bucket, lease.rate, count).catch(() => undefined);
  }

  async function endHold(bucket: string, lease: Lease): Promise<void> {
    // During a request to the bucket, waiting requests rely on the held tokens.
    if (!lease.isTaking) await giveBack(bucket, lease);
  }

  function holdForAWhile(bucket: string, lease: Lease): void {
    if (lease.giveBack) clearTimeout(lease.giveBack);
    lease.giveBack = lease.held > 0 ? setTimeout(() => void endHold(bucket, lease), HOLD_MS).unref() : null;
  }

  function leaseOf(bucket: string, rate: BucketRate): Lease {
    const known = leases.get(bucket);
    if (known && isSameRate(known.rate, rate)) return known;
    const lease: Lease = {
      rate,
      held: 0,
      used: 0,
      takenAt: monotonicMs(),
      last: NOTHING,
      waiting: [],
      isTaking: false,
      giveBack: null,
    };
    // The plan has changed: return the tokens of the old lease.
    leases.set(bucket, lease);
    return lease;
  }

  /** Tokens to take in advance. */
  function ahead({ rate, used, takenAt }: Lease): number {
    const perMs = used / Math.max(1, monotonicMs() - takenAt);
    return Math.min(Math.floor(perMs * LEASE_MS), largestLease(rate));
  }

  function use(bucket: string, lease: Lease, { wanted, whole = false }: TokensWanted): ReturnableTokens {
    const taken = whole && lease.held < wanted ? 0 : Math.min(wanted, lease.held);
    lease.held -= taken;
    lease.used += taken;
    const { remaining, retryAfterMs, resetMs } = lease.last;
    const missing = whole ? wanted - lease.held : 1;
    const more = ((missing - 1) * 1_000) / lease.rate.requestsPerSecond;
    return {
      taken,
      remaining: remaining + lease.held,
      retryAfterMs: taken === wanted ? 0 : Math.max(1, retryAfterMs) + Math.ceil(more),
      resetMs: Math.max(0, resetMs - Math.floor(monotonicMs() - lease.takenAt)),
      nextState: 0,
      giveBack: (count) => returnUnused(bucket, lease, count),
    };
  }

  /** Takes back tokens of a request: the lease keeps as many as it may have, and the rest goes to the bucket. */
  function returnUnused(bucket: string, lease: Lease, count: number): void {
    lease.held += count;
    lease.used = Math.max(0, lease.used - count);
    // During a request to the bucket, waiting requests get them first.
    if (lease.isTaking) return;
    const keep = leases.peek(bucket) === lease ? largestLease(lease.rate) : 0;
    // Do not restart a running hold: constant replays would extend it forever.
    if (lease.held > keep || !lease.giveBack) void giveBack(bucket, lease, keep);
  }

  /** Takes missing tokens and some in advance. Resolves with the error if the shared bucket does not respond. */
  async function fill(bucket: string, lease: Lease, missing: number): Promise<{ error: unknown } | null> {
    const wanted = missing + ahead(lease);
    lease.takenAt = monotonicMs();
    lease.used = 0;
    try {
      lease.last = await shared.take(bucket, lease.rate, wanted);
      lease.held += lease.last.taken;
      return null;
    } catch (error) {
      return { error };
    }
  }

  /** Serves waiting requests, and those that arrive meanwhile, in order. */
  async function serve(bucket: string, lease: Lease): Promise<void> {
    lease.isTaking = true;
    while (lease.waiting.length > 0) {
      const asking = lease.waiting.splice(0);
      const needed = asking.reduce((sum, { wanted }) => sum + wanted, 0);
      const failure = needed > lease.held ? await fill(bucket, lease, needed - lease.held) : null;
      for (const { resolve, reject, ...tokens } of asking) {
        if (failure && tokens.wanted > lease.held) reject(failure.error);
        else resolve(use(bucket, lease, tokens));
      }
    }
    lease.isTaking = false;
    if (lease.held > 0)
      await giveBack(bucket, lease, leases.peek(bucket) === lease ? largestLease(lease.rate) : 0);
  }

  return {
    async take(bucket, rate, tokens) {
      const lease = leaseOf(bucket, rate);
      if (!lease.isTaking && lease.held >= tokens.wanted) return use(bucket, lease, tokens);
      const taken = new Promise<ReturnableTokens>((resolve, reject) => {
        lease.waiting.push({ ...tokens, resolve, reject });
      });
      if (!lease.isTaking) void serve(bucket, lease);
      return taken;
    },
    async close() {
      await Promise.all([...leases.entries()].map(([bucket, lease]) => giveBack(bucket, lease)));
    },
  };
}
