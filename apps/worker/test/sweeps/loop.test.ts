import { waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { startLoop } from '../../src/sweeps/loop.ts';

describe('a loop', () => {
  it('never runs two rounds at once', async () => {
    let inside = 0;
    let most = 0;
    let rounds = 0;
    const loop = startLoop(0, async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside -= 1;
      rounds += 1;
      return 1;
    });
    await waitFor('some rounds', () => rounds >= 5);
    await loop.stop();
    expect(most).toBe(1);
  });

  it('pauses for as long as the round before says, and tells the next one', async () => {
    const paused: number[] = [];
    const loop = startLoop(1, async (pausedMs) => {
      paused.push(pausedMs);
      return pausedMs + 1;
    });
    await waitFor('some rounds', () => paused.length >= 3);
    await loop.stop();
    expect(paused.slice(0, 3)).toEqual([1, 2, 3]);
  });

  it('waits for the current round when it is stopped, and starts no other', async () => {
    let begun = 0;
    let ended = 0;
    const loop = startLoop(0, async () => {
      begun += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      ended += 1;
      return 1;
    });
    await waitFor('a round', () => begun === 1);
    await loop.stop();
    expect([begun, ended]).toEqual([1, 1]);
  });
});
