import { build } from 'hdr-histogram-js';

/** Percentiles of latencies, in milliseconds. */
interface Latencies {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

interface LatencyRecorder {
  /** Records a latency in milliseconds; a negative one counts as 0. */
  record(ms: number): void;
  summary(): Latencies;
}

/** The highest value in microseconds: ten minutes is more than any wait here. */
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

/** The outcome of a load. */
export interface LoadResult {
  /** The number of the first event; the others follow. */
  readonly firstReference: number;
  readonly sent: number;
  /** How many answers there were, by status. */
  readonly answers: Readonly<Record<string, number>>;
  /** Requests that timed out or whose connection broke. */
  readonly unanswered: number;
  /** Events accepted (201) within the measured window, and its length. */
  readonly accepted: number;
  readonly seconds: number;
  /** The latencies of these events, from the time when they were due to be sent to the complete response. */
  readonly latencies: Latencies;
  /** When the first event was due to be sent: milliseconds of the monotonic clock. */
  readonly beganAtMs: number;
  /** When each event's 201 arrived, in the order of the references; NaN for any other answer. */
  readonly acceptedAtMs: Float64Array;
}

export interface Tally {
  /** Records the answer to the event with this index, which was due to be sent at `intendedAtMs`. */
  note(answer: { index: number; status: number | null; intendedAtMs: number; nowMs: number }): void;
  result(ends: { sent: number; beganAtMs: number; endedAtMs: number }): LoadResult;
}

const ACCEPTED = 201;
const FIRST_CAPACITY = 65_536;

/** A list of times that grows as needed; NaN where none is known. */
function createTimes() {
  let times = new Float64Array(FIRST_CAPACITY).fill(Number.NaN);
  return {
    set(index: number, value: number) {
      if (index >= times.length) {
        const larger = new Float64Array(Math.max(index + 1, times.length * 2)).fill(Number.NaN);
        larger.set(times);
        times = larger;
      }
      times[index] = value;
    },
    first: (count: number) => times.slice(0, count),
  };
}

/** Counts the answers to a load. Answers before `measureFromMs` are counted, but not measured. */
export function createTally(firstReference: number, measureFromMs: number): Tally {
  const answers: Record<string, number> = {};
  const latencies = createLatencyRecorder();
  const acceptedAt = createTimes();
  let unanswered = 0;
  let accepted = 0;
  return {
    note({ index, status, intendedAtMs, nowMs }) {
      if (status === null) {
        unanswered += 1;
        return;
      }
      answers[status] = (answers[status] ?? 0) + 1;
      if (status !== ACCEPTED) return;
      acceptedAt.set(index, nowMs);
      if (nowMs < measureFromMs) return;
      accepted += 1;
      latencies.record(nowMs - intendedAtMs);
    },
    result: ({ sent, beganAtMs, endedAtMs }) => ({
      firstReference,
      sent,
      answers,
      unanswered,
      accepted,
      seconds: (endedAtMs - Math.max(beganAtMs, measureFromMs)) / 1_000,
      latencies: latencies.summary(),
      beganAtMs,
      acceptedAtMs: acceptedAt.first(sent),
    }),
  };
}
