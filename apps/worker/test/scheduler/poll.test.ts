import { waitFor } from '@postrider/rig';
import { expect, it } from '@postrider/testing';
import { startPoll } from '../../src/scheduler/poll.ts';

it('a round finds what is due before the next, also if rounds take long and their pauses are longer', async () => {
  let now = 0;
  const aheads: number[] = [];
  const errors: unknown[] = [];
  const { stop } = startPoll({
    async poll({ aheadMs }) {
      aheads.push(aheadMs);
      now += 120;
      return [];
    },
    scheduler: { wake: () => undefined, active: () => [] },
    isConnected: () => true,
    onLate: () => undefined,
    onError: (error) => errors.push(error),
    jitter: () => 0,
    monotonicMs: () => now,
  });
  await waitFor('two rounds', () => aheads.length >= 2);
  await stop();
  expect([aheads.slice(0, 2), errors]).toEqual([[750, 1_200], []]);
});
