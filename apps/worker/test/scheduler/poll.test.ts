import { waitFor } from '@postrider/rig';
import { expect, it } from '@postrider/testing';
import { startPoll } from '../../src/scheduler/poll.ts';

it.each([
  ['take long and their pauses are longer', 120, 1_200],
  ['take so long that their pauses are bounded', 3_600_000, 5_000],
])('a round finds what is due before the next, also if rounds %s', async (_how, roundMs, pauseMs) => {
  let now = 0;
  const aheads: number[] = [];
  const errors: unknown[] = [];
  const { stop } = startPoll({
    async poll({ aheadMs }) {
      aheads.push(aheadMs);
      now += roundMs;
      return [];
    },
    scheduler: { wake: () => undefined, active: () => [] },
    onLate: () => undefined,
    onError: (error) => errors.push(error),
    jitter: () => 0,
    monotonicMs: () => now,
  });
  await waitFor('two rounds', () => aheads.length >= 2);
  await stop();
  expect([aheads.slice(0, 2), errors]).toEqual([[400, pauseMs], []]);
});

it('a round counts overdue channels as missing wake-ups, unless their open attempts are limited', async () => {
  const late: number[] = [];
  const woken: string[] = [];
  const channel = (channelId: string, dueInMs: number, hasMaxInFlight: boolean) => ({
    channelId,
    dueInMs,
    hasMaxInFlight,
  });
  const { stop } = startPoll({
    poll: async () => [
      channel('overdue', -300, false),
      channel('just due', -200, false),
      channel('limited', -60_000, true),
    ],
    scheduler: { wake: (channelId) => woken.push(channelId), active: () => [] },
    onLate: (channels) => late.push(channels),
    onError: (error) => woken.push(String(error)),
    jitter: () => 0,
    monotonicMs: () => 0,
  });
  await waitFor('a round', () => woken.length >= 3);
  await stop();
  expect([late.slice(0, 1), woken.slice(0, 3)]).toEqual([[1], ['overdue', 'just due', 'limited']]);
});
