import { describe, expect, it } from '@postrider/testing';
import { createFairGate, type LeaveGate } from '../src/index.ts';

const WIDE = { places: 1, placesOf: () => 1, maxWaiting: 100, maxWaitingPerOwner: 100 };
const key = (owner: string, part = 'part') => ({ owner, part });

/** Enters with each key in turn while the only place is taken, then lets them through one at a time. */
async function orderOf(keys: readonly (readonly [string, string])[], limits = {}) {
  const gate = createFairGate({ ...WIDE, ...limits });
  const leaveFirst = gate.tryEnter(key('first'));
  const order: string[] = [];
  const refused: string[] = [];
  const done = keys.map(async ([owner, part]) => {
    const leave = await gate.enter({ owner, part });
    (leave ? order : refused).push(`${owner}${part}`);
    leave?.();
  });
  leaveFirst?.();
  await Promise.all(done);
  return { order, refused };
}

describe('the fair gate', () => {
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

  it('refuses an owner who has the most places, and admits another one at once', async () => {
    const gate = createFairGate({ ...WIDE, places: 2 });
    const leave = gate.tryEnter(key('a'));
    expect(gate.tryEnter(key('a', 'other'))).toBeNull();
    const leaveOther = gate.tryEnter(key('b'));
    expect(leaveOther).not.toBeNull();
    leave?.();
    leave?.();
    expect(gate.tryEnter(key('a'))).not.toBeNull();
    expect(gate.tryEnter(key('c'))).toBeNull();
  });

  it("keeps the order of an owner's waiters", async () => {
    const gate = createFairGate(WIDE);
    const leave = gate.tryEnter(key('a'));
    const waiting = gate.enter(key('a'));
    leave?.();
    expect(gate.tryEnter(key('a'))).toBeNull();
    const leaveWaiting = (await waiting) as LeaveGate;
    leaveWaiting();
    expect(gate.tryEnter(key('a'))).not.toBeNull();
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
    const gate = createFairGate(WIDE);
    const leave = gate.tryEnter(key('a'));
    const caller = new AbortController();
    const waiting = gate.enter(key('a'), caller.signal);
    caller.abort();
    expect(await waiting).toBeNull();
    expect(await gate.enter(key('a'), caller.signal)).toBeNull();
    leave?.();
    expect(gate.tryEnter(key('a'))).not.toBeNull();
  });

  it('admits more waiters when an owner may have more places', async () => {
    let allowed = 1;
    const gate = createFairGate({ ...WIDE, places: 10, placesOf: () => allowed });
    const leave = gate.tryEnter(key('a'));
    const waiting = Array.from({ length: 3 }, () => gate.enter(key('a')));
    allowed = 3;
    leave?.();
    expect(await Promise.all(waiting)).toHaveLength(3);
  });
});
