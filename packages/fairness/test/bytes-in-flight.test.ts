import { describe, expect, it } from '@postrider/testing';
import { createFairSemaphore, type FairSemaphoreOptions, type Permit } from '../src/index.ts';

const BOUNDS = { total: 100, perOwner: 50, maxWaiting: 500, maxWaitingPerOwner: 50 };

/** Requests by name, and who was admitted in which order. A name is an owner, and a part after a slash. */
function scripted(bounds: Partial<FairSemaphoreOptions>) {
  const semaphore = createFairSemaphore({ ...BOUNDS, ...bounds });
  const order: string[] = [];
  const permits = new Map<string, Permit | null>();
  const settle = () => new Promise(setImmediate);
  return {
    order,
    async ask(name: string, weight: number) {
      const [holder = ''] = name.split(' ');
      const [owner = '', part] = holder.split('/');
      void semaphore.acquire({ owner, part, weight }).then((permit) => {
        order.push(name);
        permits.set(name, permit);
      });
      await settle();
    },
    async release(name: string) {
      permits.get(name)?.release();
      await settle();
    },
  };
}

describe('bytes in flight', () => {
  it('leave room for others when one owner takes its whole share', async () => {
    const bytes = createFairSemaphore({ ...BOUNDS, perOwner: 40, waitMs: 10 });
    for (const _ of Array(4)) expect(bytes.tryAcquire({ owner: 'greedy', weight: 10 })).not.toBeNull();
    expect(await bytes.acquire({ owner: 'greedy', weight: 10 })).toBeNull();
    expect(bytes.isShareSpent({ owner: 'greedy', weight: 10 })).toBe(true);
    for (const owner of ['b', 'b', 'b', 'c', 'c', 'c'])
      expect(bytes.tryAcquire({ owner, weight: 10 })).not.toBeNull();
    expect(await bytes.acquire({ owner: 'd', weight: 10 })).toBeNull();
    expect(bytes.isShareSpent({ owner: 'd', weight: 10 })).toBe(false);
  });

  it('are given to waiting owners in turn, and within an owner in order of arrival', async () => {
    const { ask, release, order } = scripted({ perOwner: 90 });
    await ask('greedy', 50);
    await ask('greedy other', 40);
    for (const name of ['greedy 1', 'greedy 2', 'modest 1', 'modest 2']) await ask(name, 20);
    for (const name of ['greedy other', 'greedy', 'greedy 1', 'modest 1']) await release(name);
    expect(order).toEqual(['greedy', 'greedy other', 'greedy 1', 'modest 1', 'greedy 2', 'modest 2']);
  });

  it('are given to a waiting large request, not to small ones that arrive later', async () => {
    const { ask, release, order } = scripted({});
    for (const name of ['a 1', 'a 2', 'b 1', 'b 2']) await ask(name, 25);
    await ask('large', 50);
    for (const [name, later] of [
      ['a 1', 'c'],
      ['b 1', 'd'],
    ] as const) {
      await release(name);
      await ask(later, 1);
    }
    expect(order).toEqual(['a 1', 'a 2', 'b 1', 'b 2', 'large']);
    await release('large');
    expect(order.slice(5)).toEqual(['c', 'd']);
  });

  it('are available to others while a request waits for its own tenant’s', async () => {
    const { ask, release, order } = scripted({});
    await ask('greedy', 40);
    await ask('greedy large', 50);
    await ask('greedy small', 1);
    await ask('other', 50);
    expect(order).toEqual(['greedy', 'other']);
    await release('greedy');
    expect(order).toEqual(['greedy', 'other', 'greedy large']);
  });

  it('are given to the next waiters when a request gives up after its time', async () => {
    const bytes = createFairSemaphore({ ...BOUNDS, perOwner: 90 });
    bytes.tryAcquire({ owner: 'a', weight: 60 });
    const large = bytes.acquire({ owner: 'large', weight: 90 }, undefined, 20);
    const small = bytes.acquire({ owner: 'small', weight: 40 });
    expect(await large).toBeNull();
    expect(await small).not.toBeNull();
  });

  it('leave room for the other tokens of a tenant when one takes its whole share', async () => {
    const { ask, release, order } = scripted({ perPart: 30 });
    for (const number of [1, 2, 3, 4, 5]) await ask(`tenant/greedy ${number}`, 10);
    await ask('tenant/modest', 20);
    expect(order).toEqual(['tenant/greedy 1', 'tenant/greedy 2', 'tenant/greedy 3', 'tenant/modest']);
    await ask('tenant/other 1', 10);
    await release('tenant/greedy 1');
    await release('tenant/greedy 2');
    expect(order.slice(4)).toEqual(['tenant/greedy 4', 'tenant/other 1']);
  });

  it('include additions for a response, and nothing after the end', () => {
    const bytes = createFairSemaphore(BOUNDS);
    const permit = bytes.tryAcquire({ owner: 'a', weight: 10 });
    permit?.add(60);
    expect(bytes.tryAcquire({ owner: 'a' })).toBeNull();
    expect(bytes.isShareSpent({ owner: 'a' })).toBe(true);
    permit?.release();
    permit?.add(60);
    expect(bytes.tryAcquire({ owner: 'a', weight: 50 })).not.toBeNull();
  });
});
