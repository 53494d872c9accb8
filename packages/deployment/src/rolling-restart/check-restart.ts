import { type ClientLedger, quantile } from '@postrider/rig';

export interface Observed {
  readonly client: Pick<ClientLedger, 'requests' | 'exchanges'>;
  /** How often each delivery run arrived, by id. */
  readonly sends: ReadonlyMap<string, number>;
  /** How many milliseconds each process took to stop. */
  readonly stops: readonly number[];
  /** Requests for which the proxy got no answer. */
  readonly unanswered: number;
}

const ACCEPTED = 201;

/** The ids of the delivery runs that were acknowledged. */
export const acknowledgedRuns = ({ requests }: Observed['client']): string[] =>
  requests.flatMap(({ answer }) => (answer?.status === ACCEPTED ? answer.runIds : []));

/** The figures of a rolling restart, and every effect that a client or a receiver noticed. */
export function checkRestart({ client, sends, stops, unanswered }: Observed): {
  figures: string[];
  issues: string[];
} {
  const runIds = acknowledgedRuns(client);
  const failures = client.requests.filter(({ answer }) => answer?.status !== ACCEPTED);
  const latencies = client.exchanges.map(({ tookMs }) => tookMs);
  const [p50, p99, longest] = [0.5, 0.99, 1].map((part) => Math.round(quantile(latencies, part)));
  const sent = [...sends.values()].reduce((sum, times) => sum + times, 0);
  const lost = runIds.filter((id) => !sends.has(id)).length;
  const issues = [
    ...failures.map(({ answer }) =>
      answer ? `a request was answered ${answer.status}` : 'a request was not answered',
    ),
    ...(unanswered > 0 ? [`${unanswered} requests were answered by the proxy`] : []),
    ...(lost > 0 ? [`${lost} accepted deliveries did not arrive`] : []),
    ...(sent !== runIds.length ? [`${runIds.length} deliveries were accepted and ${sent} sent`] : []),
  ];
  const figures = [
    `${stops.length} restarts, a stop took ${Math.round(Math.max(...stops))} ms at most`,
    `${latencies.length} requests, ${failures.length} failed`,
    `p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms`,
    `${runIds.length} deliveries accepted, ${lost} lost, ${sent - runIds.length + lost} sent twice`,
  ];
  return { figures, issues };
}
