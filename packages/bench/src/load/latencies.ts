import { build } from 'hdr-histogram-js';

/** Latencies in milliseconds. */
export interface Latencies {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

export interface LatencyRecorder {
  /** Milliseconds; less than nothing counts as nothing. */
  record(ms: number): void;
  summary(): Latencies;
}

/** Microseconds: ten minutes is more than any wait here. */
const HIGHEST = 600_000_000;

const toMs = (microseconds: number) => microseconds / 1_000;

/** A recorder of constant size (HdrHistogram, three significant digits, microseconds). */
export function createLatencyRecorder(): LatencyRecorder {
  const histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: HIGHEST,
    numberOfSignificantValueDigits: 3,
  });
  return {
    record(ms) {
      histogram.recordValue(Math.min(HIGHEST, Math.max(0, Math.round(ms * 1_000))));
    },
    summary: () => ({
      count: histogram.totalCount,
      p50: toMs(histogram.getValueAtPercentile(50)),
      p95: toMs(histogram.getValueAtPercentile(95)),
      p99: toMs(histogram.getValueAtPercentile(99)),
      max: toMs(histogram.totalCount === 0 ? 0 : histogram.maxValue),
    }),
  };
}
