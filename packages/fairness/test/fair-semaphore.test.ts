import { describe, expect, it } from '@postrider/testing';
import { createFairSemaphore, type Permit } from '../src/index.ts';

const WIDE = { total: 1, perOwner: 1, maxWaiting: 100, maxWaitingPerOwner: 100 };
const key = (owner: string, part = 'part') => ({ owner, part });

/** Acquires with each key in turn while the only permit is held, then serves them one at a time. */
async function orderOf(keys: readonly (readonly [string, string])[], limits = {}) {
  const semaphore = createFairSemaphore({ ...WIDE, ...limits });
  const first = semaphore.tryAcquire(key('first'));
  const order: string[] = [];
  const refused: string[] = [];
  const done = keys.map(async ([owner, part]) => {
    const permit = await semaphore.acquire({ owner, part });
    (permit ? order : refused).push(`${owner}${part}`);
    permit?.release();
  });
  first?.release();
  await Promise.all(done);
  return { order, refused };
}

describe('the fair semaphore', () => {
  it('serves owners in turn, and the parts of an owner in turn', async () => {
    const { order } = await orderOf([
      ['a', '1'],
      ['a', '1'],
      ['a', '1'],
      ['a', '2'],
      ['b', '1'],
      ['b', '1'],
    ]);
    expect(order).toEqual(['a1', 'b1', 'a2', 'b1', 'a1', 'a1']);
  });

  it('refuses an owner who has all that an owner may have, and admits another one at once', async () => {
    const semaphore = createFairSemaphore({ ...WIDE, total: 2 });
    const permit = semaphore.tryAcquire(key('a'));
    expect(semaphore.tryAcquire(key('a', 'other'))).toBeNull();
    const other = semaphore.tryAcquire(key('b'));
    expect(other).not.toBeNull();
    permit?.release();
    permit?.release();
    expect(semaphore.tryAcquire(key('a'))).not.toBeNull();
    expect(semaphore.tryAcquire(key('c'))).toBeNull();
  });

  it("keeps the order of an owner's waiters", async () => {
    const semaphore = createFairSemaphore(WIDE);
    const permit = semaphore.tryAcquire(key('a'));
    const waiting = semaphore.acquire(key('a'));
    permit?.release();
    expect(semaphore.tryAcquire(key('a'))).toBeNull();
    const later = (await waiting) as Permit;
    later.release();
    expect(semaphore.tryAcquire(key('a'))).not.toBeNull();
  });

  it('does not let one owner fill the queue for the others', async () => {
    const many = Array.from({ length: 10 }, () => ['a', '1'] as const);
    const { order, refused } = await orderOf([...many, ['b', '1'], ['c', '1']], { maxWaiting: 4 });
    expect(order).toEqual(['a1', 'b1', 'c1', 'a1']);
    expect(refused).toHaveLength(8);
  });

  it('bounds the queue of one owner, and does not let one part fill it', async () => {
    const many = Array.from({ length: 10 }, () => ['a', '1'] as const);
    const { order } = await orderOf([...many, ['a', '2']], { maxWaitingPerOwner: 4 });
    expect(order).toEqual(['a1', 'a2', 'a1', 'a1']);
  });

  it('removes a waiter that is aborted', async () => {
    const semaphore = createFairSemaphore(WIDE);
    const permit = semaphore.tryAcquire(key('a'));
    const caller = new AbortController();
    const waiting = semaphore.acquire(key('a'), caller.signal);
    caller.abort();
    expect(await waiting).toBeNull();
    expect(await semaphore.acquire(key('a'), caller.signal)).toBeNull();
    permit?.release();
    expect(semaphore.tryAcquire(key('a'))).not.toBeNull();
  });

  it('admits more waiters when an owner may have more', async () => {
    let allowed = 1;
    const semaphore = createFairSemaphore({ ...WIDE, total: 10, perOwner: () => allowed });
    const permit = semaphore.tryAcquire(key('a'));
    const waiting = Array.from({ length: 3 }, () => semaphore.acquire(key('a')));
    allowed = 3;
    permit?.release();
    expect(await Promise.all(waiting)).toHaveLength(3);
  });

  it('serves other parts of an owner while one has all that a part may have', async () => {
    const semaphore = createFairSemaphore({ ...WIDE, total: 10, perOwner: 5, perPart: 1 });
    const permit = semaphore.tryAcquire(key('a', '1'));
    expect(semaphore.tryAcquire(key('a', '1'))).toBeNull();
    expect(semaphore.isShareSpent(key('a', '1'))).toBe(true);
    expect(semaphore.tryAcquire(key('a', '2'))).not.toBeNull();
    permit?.release();
    expect(semaphore.tryAcquire(key('a', '1'))).not.toBeNull();
  });

  it('serves an ask that is heavier than a bound alone, and nobody overtakes it', async () => {
    const semaphore = createFairSemaphore({ ...WIDE, total: 10, perOwner: 5 });
    const permit = semaphore.tryAcquire({ ...key('a'), weight: 4 });
    const heavy = semaphore.acquire({ ...key('b'), weight: 20 });
    expect(semaphore.tryAcquire({ ...key('c'), weight: 1 })).toBeNull();
    expect(semaphore.isShareSpent({ ...key('c'), weight: 1 })).toBe(false);
    permit?.release();
    (await heavy)?.release();
    expect(semaphore.tryAcquire({ ...key('c'), weight: 1 })).not.toBeNull();
  });

  it('serves those who waited behind an ask that gives up', async () => {
    const caller = new AbortController();
    const semaphore = createFairSemaphore({ ...WIDE, total: 10, perOwner: 10 });
    semaphore.tryAcquire({ ...key('first'), weight: 5 });
    const heavy = semaphore.acquire({ ...key('a'), weight: 6 }, caller.signal);
    const light = semaphore.acquire({ ...key('b'), weight: 1 });
    caller.abort();
    expect(await heavy).toBeNull();
    expect(await light).not.toBeNull();
  });

  it('serves those who waited behind an ask that is displaced', async () => {
    const semaphore = createFairSemaphore({ ...WIDE, total: 10, perOwner: 10, maxWaiting: 2 });
    semaphore.tryAcquire({ ...key('first'), weight: 5 });
    const heavy = semaphore.acquire({ ...key('a', '1'), weight: 9 });
    const light = semaphore.acquire({ ...key('a', '2'), weight: 1 });
    expect(await semaphore.acquire({ ...key('b'), weight: 1 })).not.toBeNull();
    expect(await heavy).toBeNull();
    expect(await light).not.toBeNull();
  });
});
