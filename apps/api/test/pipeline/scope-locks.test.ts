import { describe, expect, it } from '@postrider/testing';
import { createScopeLocks, type ScopeLock } from '../../src/pipeline/idempotency.ts';

const LONG = 60_000;

function release(lock: ScopeLock, answerStored: boolean): void {
  if (lock.outcome !== 'acquired') throw new Error(`expected a lock, got ${lock.outcome}`);
  lock.release(answerStored);
}

describe('locks of an idempotency scope', () => {
  it('are given one at a time, in order, while none stores a response', async () => {
    const lockScope = createScopeLocks();
    const first = await lockScope('a', LONG);
    const waiting = [lockScope('a', LONG), lockScope('a', LONG)] as const;
    release(first, false);
    const second = await waiting[0];
    release(second, false);
    expect((await waiting[1]).outcome).toBe('acquired');
  });

  it('settle all waiting requests once a response is stored, and start again after that', async () => {
    const lockScope = createScopeLocks();
    const first = await lockScope('a', LONG);
    const waiting = Promise.all([lockScope('a', LONG), lockScope('a', LONG)]);
    release(first, true);
    expect((await waiting).map((lock) => lock.outcome)).toEqual(['settled', 'settled']);
    expect((await lockScope('a', LONG)).outcome).toBe('acquired');
  });

  it('of different scopes do not wait for each other', async () => {
    const lockScope = createScopeLocks();
    await lockScope('a', LONG);
    expect((await lockScope('b', LONG)).outcome).toBe('acquired');
  });

  it('are not given to a request whose wait has ended', async () => {
    const lockScope = createScopeLocks();
    const first = await lockScope('a', LONG);
    expect((await lockScope('a', 1)).outcome).toBe('timed_out');
    const patient = lockScope('a', LONG);
    release(first, false);
    expect((await patient).outcome).toBe('acquired');
  });
});
