import { describe, expect, it } from '@jest/globals';
import { createLatencyRecorder } from '../src/load/latencies.ts';

describe('latencies', () => {
  it('are known to a thousandth, whatever their number', () => {
    const recorder = createLatencyRecorder();
    for (let ms = 1; ms <= 1_000; ms += 1) recorder.record(ms);
    const { count, p50, p95, p99, max } = recorder.summary();
    expect(count).toBe(1_000);
    expect(Math.abs(p50 / 500 - 1)).toBeLessThan(0.002);
    expect(Math.abs(p95 / 950 - 1)).toBeLessThan(0.002);
    expect(Math.abs(p99 / 990 - 1)).toBeLessThan(0.002);
    expect(Math.abs(max / 1_000 - 1)).toBeLessThan(0.002);
  });

  it('count what came before its time as nothing, and never lose what is beyond all bounds', () => {
    const recorder = createLatencyRecorder();
    recorder.record(-3);
    recorder.record(1e9);
    expect(recorder.summary()).toMatchObject({ count: 2, p50: 0 });
    expect(recorder.summary().max).toBeGreaterThan(599_000);
  });

  it('of nothing are nothing', () => {
    expect(createLatencyRecorder().summary()).toEqual({ count: 0, p50: 0, p95: 0, p99: 0, max: 0 });
  });
});
