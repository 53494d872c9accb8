import { waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { createConcurrencyLimiter } from '../../src/deliver/concurrency-limiter.ts';
import { createDeferredChannels, type DeferredChannelsDeps } from '../../src/deliver/deferred-channels.ts';
import { createReservations } from '../../src/deliver/reservations.ts';
import { openGate, runOf } from '../support/open-gate.ts';

const hook = (channelId: string) => ({ channelId, kind: 'webhook' as const });

/** Due runs of one channel. The test ends their deliveries. */
function setUp(total: number, due: string[], overrides: Partial<DeferredChannelsDeps> = {}) {
  const limiter = createConcurrencyLimiter(total);
  const open: (() => void)[] = [];
  const delivered: string[] = [];
  const deferredChannels = createDeferredChannels({
    limiter,
    reservations: createReservations(limiter, openGate()),
    findDueRuns: async (channelId, limit) => due.slice(0, limit).map((runId) => runOf(channelId, runId)),
    async deliver({ runId }, { release }, onClaimed) {
      due.splice(due.indexOf(runId), 1);
      onClaimed();
      await new Promise<void>((resolve) => open.push(resolve));
      delivered.push(runId);
      release(true);
      deferredChannels.slotReleased();
    },
    onError: () => undefined,
    ...overrides,
  });
  return { limiter, deferredChannels, open, delivered };
}

/** A channel with endless due runs. The test ends its deliveries, with or without a claim. */
function setUpHeld(due: readonly string[], total = 10) {
  const limiter = createConcurrencyLimiter(total);
  const open: ((claimed: boolean) => void)[] = [];
  let fetches = 0;
  const deferredChannels = createDeferredChannels({
    limiter,
    reservations: createReservations(limiter, openGate()),
    async findDueRuns(channelId) {
      fetches += 1;
      return due.map((runId) => runOf(channelId, runId));
    },
    async deliver(_runId, { release }, onClaimed) {
      if (await new Promise<boolean>((resolve) => open.push(resolve))) onClaimed();
      release();
      deferredChannels.slotReleased();
    },
    onError: () => undefined,
  });
  return { deferredChannels, open, fetches: () => fetches };
}

describe('a deferred channel', () => {
  it('starts runs in all slots that it can get, until nothing is due', async () => {
    const due = Array.from({ length: 200 }, (_, index) => `run-${index}`);
    const { deferredChannels, open, delivered, limiter } = setUp(10, due);
    deferredChannels.defer(hook('busy'));
    await waitFor('its deliveries', () => open.length > 0);
    expect(limiter.inUse()).toBe(2);
    await waitFor('all of them', () => {
      for (const end of open.splice(0)) end();
      return delivered.length === 200;
    });
    await waitFor('it to be forgotten', () => deferredChannels.deferred().length === 0);
    expect(new Set(delivered).size).toBe(200);
    expect(limiter.inUse()).toBe(0);
  });

  it('is left to the sweep if its runs cannot be fetched', async () => {
    const errors: unknown[] = [];
    const { deferredChannels } = setUp(10, [], {
      findDueRuns: async () => {
        throw new Error('Postgres is away');
      },
      onError: (error) => errors.push(error),
    });
    deferredChannels.defer(hook('unlucky'));
    await waitFor('it to be forgotten', () => deferredChannels.deferred().length === 0);
    expect(errors).toHaveLength(1);
  });

  it('starts nothing more when the worker stops', async () => {
    const { deferredChannels, open } = setUp(10, ['run-1']);
    deferredChannels.stop();
    deferredChannels.defer(hook('late'));
    expect(deferredChannels.deferred()).toEqual([]);
    expect(open).toEqual([]);
  });

  it('is left to the sweep if none of its runs can be claimed, although jobs were refused', async () => {
    const { deferredChannels, open, fetches } = setUpHeld(['held-1', 'held-2']);
    deferredChannels.defer(hook('held'));
    await waitFor('its deliveries', () => open.length === 2);
    open[0]?.(false);
    deferredChannels.defer(hook('held'));
    deferredChannels.slotReleased();
    expect(deferredChannels.deferred()).toEqual(['held']);
    open[1]?.(false);
    await waitFor('it to be forgotten', () => deferredChannels.deferred().length === 0);
    expect(fetches()).toBe(1);
  });

  it('fetches its next runs after the first claim, whatever happened to the others', async () => {
    const { deferredChannels, open, fetches } = setUpHeld(['held', 'free'], 20);
    deferredChannels.defer(hook('mixed'));
    await waitFor('its deliveries', () => open.length === 2);
    open[0]?.(false);
    expect(fetches()).toBe(1);
    open[1]?.(true);
    await waitFor('the next runs', () => fetches() === 2 && open.length === 4);
    for (const end of open.slice(2)) end(false);
    await waitFor('it to be forgotten', () => deferredChannels.deferred().length === 0);
    expect(fetches()).toBe(2);
  });

  it('is left to the sweep if its runs cannot be fetched, although jobs were refused meanwhile', async () => {
    let fetches = 0;
    const { deferredChannels } = setUp(10, [], {
      async findDueRuns() {
        fetches += 1;
        deferredChannels.defer(hook('unlucky'));
        throw new Error('Postgres is away');
      },
    });
    deferredChannels.defer(hook('unlucky'));
    await waitFor('it to be forgotten', () => deferredChannels.deferred().length === 0);
    expect(fetches).toBe(1);
  });
});
