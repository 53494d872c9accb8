import { describe, expect, it } from '@postrider/testing';
import { nextPause } from '../../src/sweeps/start.ts';
import { createSweeps, type Sweep } from '../../src/sweeps/sweeps.ts';

const sweeps = createSweeps({} as Parameters<typeof createSweeps>[0]);

describe('the pause of a sweep', () => {
  it('doubles while its rounds find nothing, up to its bound, and is short again after one that did', () => {
    const { replayBatches } = sweeps;
    const pauses = [250];
    for (let round = 0; round < 4; round += 1)
      pauses.push(nextPause(replayBatches, { handled: false, pausedMs: pauses.at(-1) ?? 0 }));
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 2_000]);
    expect(nextPause(replayBatches, { handled: true, pausedMs: 2_000 })).toBe(250);
  });

  it.each<Sweep>(['leases', 'ordering', 'operationalEvents', 'auditChain'])(
    'of %s is at most a second, as promised',
    (name) => {
      expect(nextPause(sweeps[name], { handled: false, pausedMs: 1_000 })).toBeLessThanOrEqual(1_000);
    },
  );

  it('of the removal of expired messages does not grow between two batches', () => {
    expect(nextPause(sweeps.expiredMessages, { handled: false, pausedMs: 250 })).toBe(250);
  });
});
