import { describe, expect, it } from '@postrider/testing';
import { createSlots, type ReleaseSlot } from '../../src/deliver/slots.ts';

const hook = (channelId: string) => ({ channelId, kind: 'webhook' as const });

/** Takes as many slots as the channel gets. */
function takeAll(slots: ReturnType<typeof createSlots>, channelId: string): ReleaseSlot[] {
  const taken: ReleaseSlot[] = [];
  const channel = hook(channelId);
  for (let release = slots.take(channel); release; release = slots.take(channel)) taken.push(release);
  return taken;
}

/** Lets the channel's endpoint answer as often as it takes to widen its window to all slots. */
function prove(slots: ReturnType<typeof createSlots>, channelId: string, answers = 100): void {
  for (let answer = 0; answer < answers; answer += 1) slots.take(hook(channelId))?.(true);
}

describe('slots', () => {
  it('are few for a channel whose endpoint has not answered yet', () => {
    expect(takeAll(createSlots(100), 'new')).toHaveLength(2);
  });

  it('are half of all for one busy channel', () => {
    const slots = createSlots(100);
    prove(slots, 'busy');
    expect(takeAll(slots, 'busy')).toHaveLength(50);
  });

  it('are one for a channel whose endpoint has stopped to answer, and more again when it answers', () => {
    const slots = createSlots(100);
    prove(slots, 'broken');
    for (const release of takeAll(slots, 'broken')) release(false);
    const [only, ...more] = takeAll(slots, 'broken');
    expect(more).toEqual([]);
    only?.(true);
    expect(takeAll(slots, 'broken')).toHaveLength(2);
  });

  it('are no more for one channel than deliveries of its kind can be under way', () => {
    const slots = createSlots(100, { perChannel: { webhook: 10 } });
    prove(slots, 'busy');
    expect(takeAll(slots, 'busy')).toHaveLength(10);
    expect(slots.mayTake({ channelId: 'mail', kind: 'email' })).toBe(true);
  });

  it('are left for those that come after many hanging channels', () => {
    const slots = createSlots(100);
    for (let channel = 0; channel < 40; channel += 1) takeAll(slots, `hanging-${channel}`);
    expect(slots.take(hook('late'))).not.toBeNull();
  });

  it('are at most half for slow channels together', () => {
    let now = 0;
    const slots = createSlots(100, { nowMs: () => now });
    for (let channel = 0; channel < 4; channel += 1) {
      prove(slots, `slow-${channel}`);
      takeAll(slots, `slow-${channel}`);
    }
    const held = slots.inUse();
    expect(held).toBeGreaterThan(50);
    now += 3_001;
    expect([0, 1, 2, 3].map((channel) => slots.mayTake(hook(`slow-${channel}`)))).toEqual(
      Array(4).fill(false),
    );
    expect(slots.mayTake(hook('fast'))).toBe(true);
  });

  it('do not change a window when nothing was sent', () => {
    const slots = createSlots(100);
    for (let claim = 0; claim < 50; claim += 1) slots.take(hook('idle'))?.();
    expect(takeAll(slots, 'idle')).toHaveLength(2);
  });

  it('are never more than there are', () => {
    const slots = createSlots(3);
    for (let channel = 0; channel < 10; channel += 1) takeAll(slots, `channel-${channel}`);
    expect(slots.inUse()).toBe(3);
    expect(slots.take(hook('another'))).toBeNull();
  });

  it('come back once, however often they are released', () => {
    const slots = createSlots(2);
    const release = slots.take(hook('a'));
    slots.take(hook('b'));
    release?.();
    release?.();
    expect(slots.inUse()).toBe(1);
    expect(slots.mayTake(hook('a'))).toBe(true);
  });
});
