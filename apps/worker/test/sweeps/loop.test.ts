import { waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { startLoop } from '../../src/sweeps/loop.ts';

const options = { intervalMs: 1, jitter: () => 0, onError: () => undefined };

describe('a loop', () => {
  it('never runs two rounds at once', async () => {
    let inside = 0;
    let most = 0;
    let rounds = 0;
    const loop = startLoop({
      ...options,
      async round() {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((resolve) => setTimeout(resolve, 5));
        inside -= 1;
        rounds += 1;
      },
    });
    await waitFor('some rounds', () => rounds >= 5);
    await loop.stop();
    expect(most).toBe(1);
  });

  it('continues after a failed round, and reports it', async () => {
    const errors: unknown[] = [];
    const loop = startLoop({
      ...options,
      round: () => Promise.reject(new Error('no')),
      onError: (error) => errors.push(error),
    });
    await waitFor('two failures', () => errors.length >= 2);
    await loop.stop();
    expect(errors[0]).toMatchObject({ message: 'no' });
  });

  it('waits for the current round when it is stopped, and starts no other', async () => {
    let begun = 0;
    let ended = 0;
    const loop = startLoop({
      ...options,
      async round() {
        begun += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
        ended += 1;
      },
    });
    await waitFor('a round', () => begun === 1);
    await loop.stop();
    expect([begun, ended]).toEqual([1, 1]);
  });
});
