import { describe, expect, it } from '@postrider/testing';
import {
  createAcquirePermits,
  createSlots,
  type RenderPermit,
  type RenderPermits,
  type Slot,
  type Slots,
} from '../../src/scheduler/permits.ts';
import { createRenderPermits } from '../../src/scheduler/render-permits.ts';

const ROUNDS = 200;
const settled = () => new Promise((resolve) => setImmediate(resolve));

const asked = (id: string, tenant = `tenant of ${id}`) => ({ owner: tenant, part: id, kind: 'email' });

describe('the permits of a claim', () => {
  it('are given to a failing channel with templates although others always wait for slots and for renders', async () => {
    const { signal } = new AbortController();
    const slots = createSlots({ total: 4 });
    const renders = createRenderPermits({
      renderer: { isReady: () => true, whenReady: async () => true },
      ...{ processes: 1, concurrency: 4 },
    });
    const held: { release: () => void }[] = [];
    /** Waits for a permit again and again; each round releases it. */
    const compete = <Held extends Slot | RenderPermit>(
      acquire: () => Promise<Held | null>,
      release: (permit: Held) => void,
    ) =>
      void acquire().then((permit) => {
        if (!permit) return;
        held.push({
          release() {
            release(permit);
            compete(acquire, release);
          },
        });
      });
    for (const id of ['failing', 'a', 'b', 'c', 'd', 'e']) {
      (await slots.acquire(asked(id)))?.release(false);
      if (id === 'failing') continue;
      compete(
        () => slots.acquire(asked(id)),
        (slot) => slot.release(false),
      );
      compete(
        () => renders.acquire(asked(id), signal),
        (render) => render.release(),
      );
    }
    await settled();
    let isServed = false;
    const acquire = createAcquirePermits(slots, renders);
    void acquire(asked('failing'), { most: 1, needsRender: true }, signal).then((permits) => {
      isServed = permits !== null;
    });
    for (let round = 0; round < ROUNDS && !isServed; round += 1) {
      held.shift()?.release();
      await settled();
    }
    expect(isServed).toBe(true);
  });

  it('keep few slots from others while renders are slow, one of a tenant', async () => {
    const { signal } = new AbortController();
    const slots: Slots = { ...createSlots({ total: 16 }), acquireUpTo: () => [] };
    const hadTurn = new Set<string | undefined>();
    const renders: RenderPermits = {
      acquireUpTo: () => [],
      // The first turn of each channel ends without a slot; then a render begins that does not end.
      acquire: ({ part }) => {
        if (hadTurn.has(part)) return new Promise(() => undefined);
        hadTurn.add(part);
        return Promise.resolve({ release: () => undefined, rendered: () => undefined });
      },
      waiting: () => 0,
    };
    const acquire = createAcquirePermits(slots, renders);
    const ask = (id: string, tenant: string) =>
      void acquire(asked(id, tenant), { most: 1, needsRender: true }, signal);
    for (const id of ['a', 'b', 'c', 'd']) ask(id, 'greedy');
    await settled();
    expect(hadTurn.size).toBe(4);
    expect(slots.free()).toBe(15);
    for (const id of ['e', 'f', 'g', 'h']) ask(id, `tenant of ${id}`);
    await settled();
    expect(hadTurn.size).toBe(8);
    expect(slots.free()).toBe(14);
  });
});
