import { describe, expect, it } from '@postrider/testing';
import { createSlots, type Slot, type Slots } from '../../src/scheduler/permits.ts';

const hook = (channelId: string, tenantId = 'tenant') => ({
  owner: tenantId,
  part: channelId,
  kind: 'webhook',
});

/** As many slots as the channel gets. */
const all = (slots: Slots, channelId: string): Slot[] => slots.acquireUpTo(hook(channelId), 1_000);

/** Lets the channel's endpoint respond until its limit is all slots. */
function prove(slots: Slots, channelId: string): void {
  for (let answer = 0; answer < 100; answer += 1) slots.acquireUpTo(hook(channelId), 1)[0]?.release(true);
}

describe('the slots of deliveries', () => {
  it('are few for a channel whose endpoint has not responded yet', () => {
    expect(all(createSlots({ total: 100 }), 'new')).toHaveLength(2);
  });

  it('are at most half of all for one busy channel', () => {
    const slots = createSlots({ total: 100 });
    prove(slots, 'busy');
    expect(all(slots, 'busy')).toHaveLength(50);
    expect(slots.free()).toBe(50);
  });

  it('are at most as many as asked for', () => {
    const slots = createSlots({ total: 100 });
    prove(slots, 'busy');
    expect(slots.acquireUpTo(hook('busy'), 24)).toHaveLength(24);
    expect(slots.acquireUpTo(hook('busy'), 0)).toEqual([]);
  });

  it('are reduced to one for an endpoint that stops responding, and increased when it responds again', () => {
    const slots = createSlots({ total: 100 });
    prove(slots, 'broken');
    for (const slot of all(slots, 'broken')) slot.release(false);
    const [only, ...more] = all(slots, 'broken');
    expect(more).toEqual([]);
    only?.release(true);
    expect(all(slots, 'broken')).toHaveLength(2);
  });

  it('are limited for a channel by the concurrency of its kind', () => {
    const slots = createSlots({ total: 100, perKind: { webhook: 10 } });
    prove(slots, 'busy');
    expect(all(slots, 'busy')).toHaveLength(10);
    expect(slots.canAcquire({ owner: 'tenant', part: 'mail', kind: 'email' })).toBe(true);
  });

  it('are left for proven channels while any number of new ones hang', () => {
    const slots = createSlots({ total: 100 });
    prove(slots, 'proven');
    for (let channel = 0; channel < 200; channel += 1) all(slots, `hanging-${channel}`);
    expect(slots.free()).toBe(25);
    expect(slots.canAcquire(hook('proven'))).toBe(true);
  });

  it('are at most half for channels whose last deliveries got no response, so that new ones get some', () => {
    const slots = createSlots({ total: 100 });
    const failing = Array.from({ length: 200 }, (_, channel) => `failing-${channel}`);
    for (const channel of failing) for (const slot of all(slots, channel)) slot.release(false);
    for (const channel of failing) all(slots, channel);
    expect(slots.free()).toBe(50);
    expect(all(slots, 'new')).toHaveLength(2);
  });

  it('are given to one waiting failing channel for each that releases its own', async () => {
    const slots = createSlots({ total: 4 });
    const failing = ['a', 'b', 'c', 'd'].map((name) => `failing-${name}`);
    for (const channel of failing) for (const slot of all(slots, channel)) slot.release(false);
    const held = failing.slice(0, 2).flatMap((channel) => all(slots, channel));
    for (const channel of failing.slice(2)) void slots.acquire(hook(channel));
    held[0]?.release(false);
    await new Promise(setImmediate);
    expect(slots.free()).toBe(2);
  });

  it('are left for other new channels while one that holds its share waits for more', async () => {
    const slots = createSlots({ total: 2 });
    expect(await slots.acquire(hook('first'))).not.toBeNull();
    void slots.acquire(hook('first'));
    await new Promise(setImmediate);
    expect(all(slots, 'second')).toHaveLength(1);
  });

  it('are given to a new channel that holds its share when its first delivery ends', async () => {
    const slots = createSlots({ total: 2 });
    const first = await slots.acquire(hook('first'));
    const second = slots.acquire(hook('first'));
    await new Promise(setImmediate);
    first?.release(true);
    expect(await second).not.toBeNull();
  });

  it('are acquired by a proven channel without a look at each of the failing ones that wait', async () => {
    const slots = createSlots({ total: 10 });
    prove(slots, 'proven');
    const failing = Array.from({ length: 1_000 }, (_, channel) => `failing-${channel}`);
    for (const channel of failing) for (const slot of all(slots, channel)) slot.release(false);
    let looks = 0;
    for (const [tenant, channel] of failing.entries()) {
      const asked = { owner: `tenant-${tenant % 4}`, kind: 'webhook' };
      const get = () => {
        looks += 1;
        return channel;
      };
      void slots.acquire(Object.defineProperty(asked, 'part', { get }) as never);
    }
    await new Promise(setImmediate);
    looks = 0;
    for (let delivery = 0; delivery < 100; delivery += 1) {
      const [slot] = slots.acquireUpTo(hook('proven'), 1);
      slot?.release(true);
    }
    expect([looks, slots.free()]).toEqual([0, 5]);
  });

  it('are at most half for slow channels together', () => {
    let now = 0;
    const slots = createSlots({ total: 100, monotonicMs: () => now });
    const slow = [0, 1, 2, 3].map((channel) => `slow-${channel}`);
    for (const channel of slow) {
      prove(slots, channel);
      all(slots, channel);
    }
    expect(slots.free()).toBeLessThan(50);
    now += 3_001;
    expect(slow.filter((channel) => slots.canAcquire(hook(channel)))).toEqual([]);
    expect(slots.canAcquire(hook('fast'))).toBe(true);
  });

  it('do not change the limit if nothing was sent', () => {
    const slots = createSlots({ total: 100 });
    for (let claim = 0; claim < 50; claim += 1) slots.acquireUpTo(hook('idle'), 1)[0]?.release();
    expect(all(slots, 'idle')).toHaveLength(2);
  });

  it('never exceed the total', () => {
    const slots = createSlots({ total: 3 });
    for (let channel = 0; channel < 10; channel += 1) all(slots, `channel-${channel}`);
    expect(slots.free()).toBe(0);
    expect(all(slots, 'another')).toEqual([]);
  });

  it('are returned once, however often they are released', () => {
    const slots = createSlots({ total: 2 });
    const [slot] = slots.acquireUpTo(hook('a'), 1);
    slots.acquireUpTo(hook('b'), 1);
    slot?.release();
    slot?.release();
    expect(slots.free()).toBe(1);
    expect(slots.canAcquire(hook('a'))).toBe(true);
  });

  it('are given to waiting channels with their tenants in turn, and to nobody who came later', async () => {
    const slots = createSlots({ total: 2 });
    const held = all(slots, 'first').concat(all(slots, 'second'));
    expect(held).toHaveLength(2);
    const order: string[] = [];
    const wait = async (tenantId: string, channelId: string) => {
      const slot = await slots.acquire(hook(channelId, tenantId));
      order.push(channelId);
      expect(all(slots, 'late')).toEqual([]);
      slot?.release(true);
    };
    const waiting = [wait('greedy', 'g1'), wait('greedy', 'g2'), wait('greedy', 'g3'), wait('modest', 'm1')];
    expect(slots.waiting()).toBe(4);
    held[0]?.release();
    await Promise.all(waiting);
    expect(order).toEqual(['g1', 'm1', 'g2', 'g3']);
  });

  it('are given to the next waiting channel when the limit of the first one was halved', async () => {
    const slots = createSlots({ total: 4 });
    const failing = all(slots, 'failing');
    expect(failing).toHaveLength(2);
    let isServed = false;
    const again = slots.acquire(hook('failing')).then((slot) => {
      isServed = true;
      return slot;
    });
    const other = await slots.acquire(hook('other'));
    failing[0]?.release(false);
    await new Promise(setImmediate);
    expect(isServed).toBe(false);
    failing[1]?.release(false);
    (await again)?.release();
    other?.release();
    expect(slots.free()).toBe(4);
  });

  it('are given to a channel of a class that waits when those of another class release theirs, and to those behind it', async () => {
    const slots = createSlots({ total: 4 });
    prove(slots, 'proven');
    const hanging = slots.acquireUpTo(hook('new'), 1);
    const others = [...all(slots, 'proven'), ...all(slots, 'proven')];
    const served: string[] = [];
    const ask = (channel: string) => void slots.acquire(hook(channel)).then(() => served.push(channel));
    ask('new');
    await new Promise(setImmediate);
    expect([hanging.length, served]).toEqual([1, []]);
    for (const slot of others) slot.release(true);
    await new Promise(setImmediate);
    expect(served).toEqual(['new']);
    expect(slots.canAcquire(hook('another'))).toBe(true);
  });

  it('are announced when they become free and nobody waits for them', async () => {
    const slots = createSlots({ total: 3 });
    for (const channel of ['first', 'second', 'third']) prove(slots, channel);
    let announced = 0;
    const [first] = all(slots, 'first');
    all(slots, 'third');
    slots.onFree(() => {
      announced += 1;
    });
    const waiting = slots.acquire(hook('second'));
    first?.release();
    expect(announced).toBe(0);
    (await waiting)?.release();
    expect(announced).toBe(1);
  });

  it('are not kept for a channel that stops waiting', async () => {
    const slots = createSlots({ total: 1 });
    const [first] = all(slots, 'first');
    const stop = new AbortController();
    const waiting = slots.acquire(hook('second'), stop.signal);
    stop.abort();
    expect(await waiting).toBeNull();
    first?.release();
    expect(slots.free()).toBe(1);
  });
});
