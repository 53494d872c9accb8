import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@postrider/testing';
import { createEventLoopTurns } from '../src/index.ts';

const SLICE_MS = 4;

/** Work of several owners on a clock of its own: each piece takes a millisecond and ends in one turn of the event loop. */
function startWork(maxWaiting?: number) {
  let nowMs = 0;
  const turns = createEventLoopTurns(
    { sliceMs: SLICE_MS, ...(maxWaiting === undefined ? {} : { maxWaiting }) },
    () => nowMs,
  );
  const done: string[] = [];
  const refused: string[] = [];
  async function work(owner: string, ms = 1): Promise<void> {
    // Like a request, which waits for its token first.
    await Promise.resolve();
    if (await turns.take({ owner })) {
      nowMs += ms;
      done.push(owner);
    } else refused.push(owner);
  }
  return { turns, work, done, refused };
}

const times = (count: number, work: () => Promise<void>) => Array.from({ length: count }, work);

describe('turns of the event loop', () => {
  it('serve an owner after one slice of another one, of whose work hundreds of pieces came at once', async () => {
    const { work, done } = startWork();
    const all = [...times(300, () => work('greedy')), work('other')];
    await Promise.all(all);
    expect(done).toHaveLength(301);
    expect(done.indexOf('other')).toBeLessThanOrEqual(SLICE_MS + 1);
  });

  it('let the event loop handle others after each slice, of several owners together', async () => {
    const { work, done } = startWork();
    const all = ['a', 'b', 'c'].flatMap((owner) => times(20, () => work(owner)));
    let before = 0;
    const perTurn: number[] = [];
    while (done.length < 60) {
      await nextTurn();
      perTurn.push(done.length - before);
      before = done.length;
    }
    await Promise.all(all);
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(SLICE_MS);
    // After the first slice, which belongs to who came first.
    expect(new Set(done.slice(SLICE_MS, SLICE_MS + 3))).toEqual(new Set(['a', 'b', 'c']));
  });

  it('never make an owner wait who is alone', async () => {
    const { turns, work } = startWork();
    for (let piece = 0; piece < 20; piece += 1) {
      await work('alone', 10);
      await nextTurn();
      await nextTurn();
      expect(turns.take({ owner: 'alone' })).toBe(true);
      await nextTurn();
    }
  });

  it('let a task ask again within its turn', () => {
    const { turns } = startWork();
    const task = {};
    expect(turns.take({ owner: 'a' }, task)).toBe(true);
    expect(turns.take({ owner: 'a' }, task)).toBe(true);
    expect(turns.take({ owner: 'a' })).toBeInstanceOf(Promise);
  });

  it('refuse an ask that finds a full line', async () => {
    const { work, done, refused } = startWork(10);
    await Promise.all(times(30, () => work('greedy')));
    expect([done.length, refused.length]).toEqual([11, 19]);
  });
});
