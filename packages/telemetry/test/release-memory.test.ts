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
    const later = Array.from({ length: 2 * RELEASE_LIMITS.restLooks }, () => quiet(200)).map(decide);
    expect(later).not.toContain(true);
  });

  it('not of a process that has grown little', () => {
    const decide = createReleaseDecision();
    expect(Array.from({ length: 50 }, (_, at) => quiet(180 + at)).map(decide)).not.toContain(true);
  });

  it('not under load', () => {
    const decide = createReleaseDecision();
    decide(quiet(180));
    const alternating = Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? busy(500) : quiet(500)));
    expect(alternating.map(decide)).not.toContain(true);
  });

  it('not again and again where a release leaves much in use', () => {
    const decide = createReleaseDecision();
    decide(quiet(180));
    const looks = Array.from({ length: 200 }, () => quiet(500)).map(decide);
    expect(looks.filter(Boolean)).toHaveLength(1);
  });

  it('by collecting what is not in use any more', async () => {
    let kept: object | null = { large: new Array(1_000_000).fill(0) };
    const garbage = new WeakRef(kept);
    kept = null;
    await releaseMemory();
    expect(garbage.deref()).toBeUndefined();
  });
});
