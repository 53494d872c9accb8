import { describe, expect, it } from '@postrider/testing';
import { createConcurrencyLimiter, type ReleaseSlot } from '../../src/deliver/concurrency-limiter.ts';

const hook = (channelId: string) => ({ channelId, kind: 'webhook' as const });

/** Acquires as many slots as the channel gets. */
function acquireAll(limiter: ReturnType<typeof createConcurrencyLimiter>, channelId: string): ReleaseSlot[] {
  const acquired: ReleaseSlot[] = [];
  const channel = hook(channelId);
  for (let release = limiter.tryAcquire(channel); release; release = limiter.tryAcquire(channel))
    acquired.push(release);
  return acquired;
}

/** Lets the channel's endpoint respond until its limit is all slots. */
function prove(limiter: ReturnType<typeof createConcurrencyLimiter>, channelId: string, answers = 100): void {
  for (let answer = 0; answer < answers; answer += 1) limiter.tryAcquire(hook(channelId))?.(true);
}

describe('the concurrency limiter', () => {
  it('are few for a channel whose endpoint has not responded yet', () => {
    expect(acquireAll(createConcurrencyLimiter(100), 'new')).toHaveLength(2);
  });

  it('are at most half of all for one busy channel', () => {
    const limiter = createConcurrencyLimiter(100);
    prove(limiter, 'busy');
    expect(acquireAll(limiter, 'busy')).toHaveLength(50);
  });

  it('are reduced to one for an endpoint that stops responding, and increased when it responds again', () => {
    const limiter = createConcurrencyLimiter(100);
    prove(limiter, 'broken');
    for (const release of acquireAll(limiter, 'broken')) release(false);
    const [only, ...more] = acquireAll(limiter, 'broken');
    expect(more).toEqual([]);
    only?.(true);
    expect(acquireAll(limiter, 'broken')).toHaveLength(2);
  });

  it('are limited for a channel by the concurrency of its kind', () => {
    const limiter = createConcurrencyLimiter(100, { perChannel: { webhook: 10 } });
    prove(limiter, 'busy');
    expect(acquireAll(limiter, 'busy')).toHaveLength(10);
    expect(limiter.canAcquire({ channelId: 'mail', kind: 'email' })).toBe(true);
  });

  it('are left for others after many hanging channels', () => {
    const limiter = createConcurrencyLimiter(100);
    for (let channel = 0; channel < 40; channel += 1) acquireAll(limiter, `hanging-${channel}`);
    expect(limiter.tryAcquire(hook('late'))).not.toBeNull();
  });

  it('are at most half for slow channels together', () => {
    let now = 0;
    const limiter = createConcurrencyLimiter(100, { nowMs: () => now });
    for (let channel = 0; channel < 4; channel += 1) {
      prove(limiter, `slow-${channel}`);
      acquireAll(limiter, `slow-${channel}`);
    }
    const held = limiter.inUse();
    expect(held).toBeGreaterThan(50);
    now += 3_001;
    expect([0, 1, 2, 3].map((channel) => limiter.canAcquire(hook(`slow-${channel}`)))).toEqual(
      Array(4).fill(false),
    );
    expect(limiter.canAcquire(hook('fast'))).toBe(true);
  });

  it('do not change the limit if nothing was sent', () => {
    const limiter = createConcurrencyLimiter(100);
    for (let claim = 0; claim < 50; claim += 1) limiter.tryAcquire(hook('idle'))?.();
    expect(acquireAll(limiter, 'idle')).toHaveLength(2);
  });

  it('never exceed the total', () => {
    const limiter = createConcurrencyLimiter(3);
    for (let channel = 0; channel < 10; channel += 1) acquireAll(limiter, `channel-${channel}`);
    expect(limiter.inUse()).toBe(3);
    expect(limiter.tryAcquire(hook('another'))).toBeNull();
  });

  it('are returned once, however often they are released', () => {
    const limiter = createConcurrencyLimiter(2);
    const release = limiter.tryAcquire(hook('a'));
    limiter.tryAcquire(hook('b'));
    release?.();
    release?.();
    expect(limiter.inUse()).toBe(1);
    expect(limiter.canAcquire(hook('a'))).toBe(true);
  });
});
