import { describe, expect, it } from '@postrider/testing';
import { createScopeLocks } from '../../src/pipeline/idempotency.ts';

const LONG = 60_000;

describe('locks of an idempotency scope', () => {
  it('are given one at a time, in order, while none stores a response', async () => {
    const lockScope = createScopeLocks();
    const unlock = await lockScope('a', LONG);
    const waiting = [lockScope('a', LONG), lockScope('a', LONG)] as const;
    expect(unlock).toBeInstanceOf(Function);
    unlock?.(false);
    const unlockSecond = await waiting[0];
    expect(unlockSecond).toBeInstanceOf(Function);
    unlockSecond?.(false);
    expect(await waiting[1]).toBeInstanceOf(Function);
  });

  it('are given to no waiting request once a response is stored, and are free after that', async () => {
    const lockScope = createScopeLocks();
    const unlock = await lockScope('a', LONG);
    const waiting = Promise.all([lockScope('a', LONG), lockScope('a', LONG)]);
    expect(unlock).toBeInstanceOf(Function);
    unlock?.(true);
    expect(await waiting).toEqual([null, null]);
    expect(await lockScope('a', LONG)).toBeInstanceOf(Function);
  });

  it('of different scopes do not wait for each other', async () => {
    const lockScope = createScopeLocks();
    await lockScope('a', LONG);
    expect(await lockScope('b', LONG)).toBeInstanceOf(Function);
  });

  it('are not given to a request whose wait has ended', async () => {
    const lockScope = createScopeLocks();
    const unlock = await lockScope('a', LONG);
    expect(await lockScope('a', 1)).toBeNull();
    const patient = lockScope('a', LONG);
    expect(unlock).toBeInstanceOf(Function);
    unlock?.(false);
    expect(await patient).toBeInstanceOf(Function);
  });
});
