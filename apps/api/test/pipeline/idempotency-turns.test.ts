import { describe, expect, it } from '@postrider/testing';
import { createTurns, type Turn } from '../../src/pipeline/idempotency.ts';

const LONG = 60_000;

function release(turn: Turn, answerStored: boolean): void {
  if (turn.outcome !== 'acquired') throw new Error(`expected a turn, got ${turn.outcome}`);
  turn.release(answerStored);
}

describe('turns on an idempotency scope', () => {
  it('are taken one at a time, in order, while none stores a response', async () => {
    const take = createTurns();
    const first = await take('a', LONG);
    const waiting = [take('a', LONG), take('a', LONG)] as const;
    release(first, false);
    const second = await waiting[0];
    release(second, false);
    expect((await waiting[1]).outcome).toBe('acquired');
  });

  it('settle all waiting requests once a response is stored, and start again after that', async () => {
    const take = createTurns();
    const first = await take('a', LONG);
    const waiting = Promise.all([take('a', LONG), take('a', LONG)]);
    release(first, true);
    expect((await waiting).map((turn) => turn.outcome)).toEqual(['settled', 'settled']);
    expect((await take('a', LONG)).outcome).toBe('acquired');
  });

  it('of different scopes do not wait for each other', async () => {
    const take = createTurns();
    await take('a', LONG);
    expect((await take('b', LONG)).outcome).toBe('acquired');
  });

  it('are not given to a request whose wait has ended', async () => {
    const take = createTurns();
    const first = await take('a', LONG);
    expect((await take('a', 1)).outcome).toBe('timed_out');
    const patient = take('a', LONG);
    release(first, false);
    expect((await patient).outcome).toBe('acquired');
  });
});
