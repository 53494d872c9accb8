import { describe, expect, it } from '@postrider/testing';
import { BreakerOpenError, createBreaker } from '../src/breaker.ts';

function setUp() {
  const opened: unknown[] = [];
  let now = 0;
  const breaker = createBreaker({ cooldownMs: 100, onOpen: (error) => opened.push(error), now: () => now });
  return {
    breaker,
    opened,
    pass: (ms: number) => {
      now += ms;
    },
  };
}
const fail = () => Promise.reject(new Error('down'));

describe('the circuit breaker', () => {
  it('refuses at once after a failure, and tries one call per cool-down', async () => {
    const { breaker, pass } = setUp();
    await expect(breaker.run(fail)).rejects.toThrow('down');
    await expect(breaker.run(async () => 1)).rejects.toThrow(BreakerOpenError);
    pass(100);
    let answer: (value: number) => void = () => undefined;
    const trial = breaker.run(() => new Promise<number>((resolve) => (answer = resolve)));
    await expect(breaker.run(async () => 1)).rejects.toThrow(BreakerOpenError);
    answer(2);
    expect(await trial).toBe(2);
    expect(await breaker.run(async () => 3)).toBe(3);
  });

  it('reports an outage once, and the next one again', async () => {
    const { breaker, opened, pass } = setUp();
    for (let call = 0; call < 5; call += 1) {
      await breaker.run(fail).catch(() => undefined);
      pass(100);
    }
    expect(opened).toHaveLength(1);
    await breaker.run(async () => 1);
    expect(breaker.isClosed()).toBe(true);
    await breaker.run(fail).catch(() => undefined);
    expect(opened).toHaveLength(2);
  });

  it('tries before the cool-down has passed when a trial is allowed', async () => {
    const { breaker } = setUp();
    breaker.trip(new Error('lost'));
    breaker.allowTrial();
    expect(await breaker.run(async () => 1)).toBe(1);
  });
});
