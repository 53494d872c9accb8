import { randomUUID } from 'node:crypto';
import type { ChannelClaim } from '@postrider/db';
import { waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { createGate, createWorld, EMPTY, found } from './support.ts';

describe('a channel with work', () => {
  it('is claimed once, and is idle again if nothing is due', async () => {
    const { scheduler, asks } = createWorld();
    scheduler.wake(randomUUID(), null);
    await waitFor('the channel to be idle', () => scheduler.active().length === 0);
    expect(asks).toHaveLength(1);
  });

  it('is claimed again after a wake-up that came during its claim', async () => {
    const answers = [createGate<ChannelClaim>(), createGate<ChannelClaim>()];
    let claims = 0;
    const channelId = randomUUID();
    const { scheduler, asks } = createWorld({
      claim: () => {
        claims += 1;
        return answers[claims - 1]?.opened ?? Promise.resolve(EMPTY);
      },
    });
    scheduler.wake(channelId, null);
    await waitFor('the claim', () => asks.length === 1);
    scheduler.wake(channelId, null);
    scheduler.wake(channelId, null);
    answers[0]?.open(EMPTY);
    await waitFor('the second claim', () => asks.length === 2);
    answers[1]?.open(EMPTY);
    await waitFor('the channel to be idle', () => scheduler.active().length === 0);
    expect(asks).toHaveLength(2);
  });

  it('asks for few runs at first, for more while they are found, and never for more than 24', async () => {
    const channelId = randomUUID();
    const { scheduler, asks, open } = createWorld({
      total: 1_000,
      claim: async ({ slots, ahead = 0 }) =>
        asks.length > 30 ? EMPTY : found(channelId, slots, { isFull: true, read: slots + ahead }),
    });
    scheduler.wake(channelId, null);
    await waitFor('the backlog', () => {
      for (const { end } of [...open]) end();
      return scheduler.active().length === 0;
    });
    const slots = asks.map((ask) => ask.slots);
    expect(slots[0]).toBe(1);
    expect(Math.max(...slots)).toBe(24);
  });

  it('with one run at a time holds one slot while it is claimed, and is claimed once for each', async () => {
    const channelId = randomUUID();
    const { scheduler, asks, open } = createWorld({ claim: async () => found(channelId, 1) });
    for (let time = 1; time <= 3; time += 1) {
      scheduler.wake(channelId, null);
      await waitFor('the run', () => open.length === 1 && scheduler.active().length === 0);
      open[0]?.end();
      await waitFor('its end', () => open.length === 0);
    }
    expect(asks.map(({ slots, ahead }) => [slots, ahead])).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
  });

  it.each([
    ['it also read runs ahead, which are left over', { read: 90 }],
    ['all of them are tests, which do not count', { counted: 0, lastDue: null }],
  ])('is claimed again if it started as many runs as it asked for, when %s', async (_, answer) => {
    const channelId = randomUUID();
    const { scheduler, asks, open } = createWorld({
      claim: async ({ slots }) => (asks.length === 1 ? found(channelId, slots, answer) : EMPTY),
    });
    scheduler.wake(channelId, null);
    await waitFor('the first runs', () => open.length > 0);
    for (const { end } of [...open]) end();
    await waitFor('the channel to be idle', () => scheduler.active().length === 0);
    expect(asks).toHaveLength(2);
  });

  it('waits in line with a backlog and without a slot, and another worker is told', async () => {
    const channelId = randomUUID();
    const lastDue = new Date();
    const { scheduler, asks, open, wokenElsewhere } = createWorld({
      total: 2,
      claim: async ({ slots }) => found(channelId, slots, { isFull: true, lastDue }),
    });
    scheduler.wake(channelId, null);
    await waitFor('a delivery', () => open.length > 0);
    await waitFor('another worker', () => wokenElsewhere.length > 0);
    const told = { channelId, dueMs: lastDue.getTime() };
    expect([asks.length, scheduler.active(), wokenElsewhere]).toEqual([1, [channelId], [told]]);
    // Its own consumer can take that job. It does not make the next claim search from the beginning.
    scheduler.wake(channelId, told.dueMs);
    open[0]?.end();
    await waitFor('the next claim', () => asks.length === 2);
    expect(asks[1]?.since).not.toBeNull();
    await scheduler.stop();
  });

  it('is left to others if it finds nothing although runs are due, because they have locked them', async () => {
    const { scheduler, asks } = createWorld({ claim: async () => ({ ...EMPTY, read: 0 }) });
    const channelId = randomUUID();
    for (let time = 1; time <= 3; time += 1) {
      scheduler.wake(channelId, null);
      await waitFor('the channel to be idle', () => scheduler.active().length === 0);
      expect(asks).toHaveLength(time);
    }
  });

  it('releases all permits if its claim fails, and is claimed from the beginning when it is woken again', async () => {
    const channelId = randomUUID();
    let isAway = true;
    const { scheduler, slots, asks, errors } = createWorld({
      total: 4,
      async claim() {
        if (isAway) throw new Error('PostgreSQL is away');
        return EMPTY;
      },
    });
    scheduler.wake(channelId, null);
    await waitFor('the channel to be idle', () => scheduler.active().length === 0);
    expect([errors, slots.free()]).toEqual([[new Error('PostgreSQL is away')], 4]);
    isAway = false;
    scheduler.wake(channelId, Date.now());
    await waitFor('the next claim', () => asks.length === 2);
    expect(asks[1]?.since).toBeNull();
  });

  it('is claimed again after runs were refused, with more to read, but not if they could not be', async () => {
    const channelId = randomUUID();
    const refused = [randomUUID(), randomUUID()];
    for (const [isRefused, claims] of [
      [true, 2],
      [false, 1],
    ] as const) {
      const { scheduler, asks } = createWorld({
        claim: async () => (asks.length === 1 ? { ...EMPTY, refused, read: 2, isFull: true } : EMPTY),
        refuse: async (runIds) => (isRefused ? runIds.length : 0),
      });
      scheduler.wake(channelId, null);
      await waitFor('the channel to be idle', () => scheduler.active().length === 0);
      expect(asks).toHaveLength(claims);
      if (isRefused) expect(asks[1]?.ahead).toBeGreaterThan(100);
    }
  });
});

describe('many channels with work', () => {
  it('take turns by tenant: a tenant with a hundred of them delays that of another by one claim', async () => {
    const [small, ...large] = Array.from({ length: 101 }, () => randomUUID());
    const { scheduler, asks, open } = createWorld({
      total: 1,
      claim: async ({ channelId, slots }) => found(channelId, slots, { isFull: channelId !== small }),
      tenantOf: (channelId) => (channelId === small ? 'small' : 'large'),
    });
    for (const channelId of large) scheduler.wake(channelId, null);
    await waitFor('the first claim', () => open.length === 1);
    scheduler.wake(small as string, null);
    await waitFor('the line', () => scheduler.active().length === 101);
    while (!asks.some(({ channelId }) => channelId === small)) {
      const before = asks.length;
      for (const { end } of [...open]) end();
      await waitFor('the next claim', () => asks.length > before);
    }
    expect(asks.findIndex(({ channelId }) => channelId === small)).toBeLessThanOrEqual(2);
    await scheduler.stop();
  });

  it('cost nothing when they are idle', async () => {
    const { scheduler, slots, asks } = createWorld();
    const channels = Array.from({ length: 2_000 }, () => randomUUID());
    for (const channelId of channels) scheduler.wake(channelId, null);
    await waitFor('all to be idle', () => scheduler.active().length === 0);
    expect(asks.length).toBeLessThanOrEqual(2_000);
    expect([slots.free(), slots.waiting()]).toEqual([100, 0]);
  });
});

describe('a channel with limits', () => {
  it('is claimed within them from the claim on that has found them', async () => {
    const channelId = randomUUID();
    const within: unknown[] = [];
    const { scheduler } = createWorld({
      claim: async () => ({ ...EMPTY, hasLimits: true }),
      async claimWithin(ask) {
        within.push(ask);
        return { ...EMPTY, hasLimits: true };
      },
    });
    scheduler.wake(channelId, null);
    await waitFor('the channel to be idle', () => scheduler.active().length === 0);
    scheduler.wake(channelId, null);
    await waitFor('the second claim', () => within.length === 2);
  });

  it('is claimed again when one of its runs ends, if the most are in flight', async () => {
    const channelId = randomUUID();
    let claims = 0;
    const { scheduler, open } = createWorld({
      claim: async () => ({ ...EMPTY, hasLimits: true }),
      async claimWithin() {
        claims += 1;
        return claims > 2
          ? { ...EMPTY, hasLimits: true }
          : found(channelId, 1, { hasLimits: true, limitedBy: { limit: 'in_flight' } });
      },
    });
    scheduler.wake(channelId, null);
    await waitFor('the channel to be idle', () => open.length === 1 && scheduler.active().length === 0);
    open[0]?.end();
    await waitFor('the second run', () => claims === 2 && open.length === 1);
    open[0]?.end();
    await waitFor('the last claim', () => claims === 3);
  });

  it('is claimed again if one of its runs ends during a claim, which may have counted it as in flight', async () => {
    const channelId = randomUUID();
    const gate = createGate<void>();
    let claims = 0;
    const { scheduler, open } = createWorld({
      claim: async () => ({ ...EMPTY, hasLimits: true }),
      async claimWithin() {
        claims += 1;
        if (claims === 2) await gate.opened;
        const limitedBy = claims === 2 ? ({ limit: 'in_flight' } as const) : null;
        return found(channelId, claims > 2 ? 0 : 1, { hasLimits: true, limitedBy });
      },
    });
    scheduler.wake(channelId, null);
    await waitFor('the first run', () => open.length === 1 && scheduler.active().length === 0);
    scheduler.wake(channelId, null);
    await waitFor('the second claim', () => claims === 2);
    open[0]?.end();
    await waitFor('the end of the first run', () => open.length === 0);
    gate.open();
    await waitFor('the third claim', () => claims === 3 && scheduler.active().length === 0);
  });

  it('rests until its rate allows more, and a wake-up does not shorten that', async () => {
    const channelId = randomUUID();
    const at: number[] = [];
    const { scheduler } = createWorld({
      claim: async () => ({ ...EMPTY, hasLimits: true }),
      async claimWithin() {
        at.push(performance.now());
        const limitedBy = at.length === 1 ? ({ limit: 'rate', inMs: 300 } as const) : null;
        return found(channelId, 1, { hasLimits: true, limitedBy });
      },
    });
    scheduler.wake(channelId, null);
    await waitFor('the first claim', () => at.length === 1);
    scheduler.wake(channelId, null);
    await waitFor('the second claim', () => at.length === 2);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(295);
    await scheduler.stop();
  });

  it('is left to the poll if its rate allows nothing for long, and wake-ups are followed by few claims', async () => {
    const channelId = randomUUID();
    let claims = 0;
    const { scheduler } = createWorld({
      claim: async () => ({ ...EMPTY, hasLimits: true }),
      async claimWithin() {
        claims += 1;
        return { ...EMPTY, hasLimits: true, limitedBy: { limit: 'rate', inMs: 50_000 } };
      },
    });
    scheduler.wake(channelId, null);
    await waitFor('the first claim', () => claims === 1);
    for (let wakeUps = 0; wakeUps < 100; wakeUps += 1) scheduler.wake(channelId, null);
    await waitFor('the channel to be idle', () => scheduler.active().length === 0);
    expect(claims).toBe(2);
  });

  it('is left to another process that is faster several times in a row', async () => {
    let claims = 0;
    const { scheduler } = createWorld({
      claim: async () => ({ ...EMPTY, hasLimits: true }),
      async claimWithin() {
        claims += 1;
        return 'missed';
      },
    });
    scheduler.wake(randomUUID(), null);
    await waitFor('the channel to be idle', () => claims > 0 && scheduler.active().length === 0);
    expect(claims).toBe(5);
  });
});

describe('a scheduler that stops', () => {
  it('starts the runs of the claim that is under way and nothing more, and tells another worker', async () => {
    const channelId = randomUUID();
    const gate = createGate<ChannelClaim>();
    const { scheduler, asks, open, errors, wokenElsewhere } = createWorld({ claim: () => gate.opened });
    scheduler.wake(channelId, null);
    await waitFor('the claim', () => asks.length === 1);
    scheduler.wake(channelId, null);
    const stopped = scheduler.stop();
    gate.open(found(channelId, 1));
    await stopped;
    await waitFor('another worker', () => scheduler.active().length === 0);
    expect(open).toHaveLength(1);
    scheduler.wake(channelId, null);
    await waitFor('the channel to be idle', () => scheduler.active().length === 0);
    expect([asks.length, errors, wokenElsewhere]).toEqual([1, [], [{ channelId, dueMs: null }]]);
  });
});
