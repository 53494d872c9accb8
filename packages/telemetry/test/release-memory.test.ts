import { describe, expect, it } from '@postrider/testing';
import { createReleaseDecision, RELEASE_LIMITS, releaseMemory } from '../src/release-memory.ts';

const MIB = 1_048_576;
const quiet = (mib: number) => ({ residentBytes: mib * MIB, utilization: 0.1 });
const busy = (mib: number) => ({ residentBytes: mib * MIB, utilization: 0.9 });

describe('memory is released', () => {
  it('once after a burst, when the process is quiet again', () => {
    const decide = createReleaseDecision();
    expect([quiet(180), busy(300), busy(350), quiet(350), quiet(350)].map(decide)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(Array.from({ length: 500 }, () => quiet(200)).map(decide)).not.toContain(true);
  });

  it('not if the process has grown little or slowly', () => {
    const decide = createReleaseDecision();
    decide(busy(180));
    expect(Array.from({ length: 60 }, (_, at) => quiet(180 + at)).map(decide)).not.toContain(true);
    const slow = createReleaseDecision();
    expect(Array.from({ length: 500 }, (_, at) => quiet(180 + at)).map(slow)).not.toContain(true);
  });

  it('not under load', () => {
    const decide = createReleaseDecision();
    decide(quiet(180));
    const alternating = Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? busy(500) : quiet(500)));
    expect(alternating.map(decide)).not.toContain(true);
  });

  it('not again if a release leaves much memory in use', () => {
    const decide = createReleaseDecision();
    decide(quiet(180));
    const looks = Array.from({ length: 500 }, (_, at) => (at % 10 === 0 ? busy(500) : quiet(500)));
    expect(looks.map(decide).filter(Boolean)).toHaveLength(1);
  });

  it('rarely under intermittent load', () => {
    const decide = createReleaseDecision();
    const wave = Array.from({ length: 2 * RELEASE_LIMITS.refillSamples }).flatMap(() => [
      quiet(180),
      busy(300),
      quiet(300),
      quiet(300),
    ]);
    const { releases } = RELEASE_LIMITS;
    expect(wave.map(decide).filter(Boolean).length).toBeLessThanOrEqual(releases + 8);
  });

  it('by a garbage collection', async () => {
    let kept: object | null = { large: new Array(1_000_000).fill(0) };
    const garbage = new WeakRef(kept);
    kept = null;
    await releaseMemory();
    expect(garbage.deref()).toBeUndefined();
  });
});
