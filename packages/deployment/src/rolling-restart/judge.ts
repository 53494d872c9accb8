import type { LoadResult } from './load.ts';

const atPart = (sorted: readonly number[], part: number) =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);

export interface Observed {
  readonly load: LoadResult;
  /** How often each delivery run arrived, by its id. */
  readonly sends: ReadonlyMap<string, number>;
  /** Milliseconds that each stop of a process took. */
  readonly stops: readonly number[];
  /** Requests that the proxy got no answer for. */
  readonly unanswered: number;
}

/** The figures of a rolling restart, and what of it does not hold: nothing, when nobody has noticed it. */
export function judge({ load, sends, stops, unanswered }: Observed): {
  figures: string[];
  faults: string[];
} {
  const { runIds, failures, latencies } = load;
  const sent = [...sends.values()].reduce((sum, times) => sum + times, 0);
  const lost = runIds.filter((id) => !sends.has(id)).length;
  const faults = [
    ...failures,
    ...(unanswered > 0 ? [`${unanswered} requests were answered by the proxy`] : []),
    ...(lost > 0 ? [`${lost} accepted deliveries did not arrive`] : []),
    ...(sent !== runIds.length ? [`${runIds.length} deliveries were accepted and ${sent} sent`] : []),
  ];
  const figures = [
    `${stops.length} restarts, a stop took ${Math.round(Math.max(...stops))} ms at most`,
    `${latencies.length} requests, ${failures.length} failed`,
    `p50 ${atPart(latencies, 0.5)} ms, p99 ${atPart(latencies, 0.99)} ms, longest ${atPart(latencies, 1)} ms`,
    `${runIds.length} deliveries accepted, ${lost} lost, ${sent - runIds.length + lost} sent twice`,
  ];
  return { figures, faults };
}
