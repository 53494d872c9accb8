import { SLOW_MS } from '@postrider/rig';
import type { ClientExchange, LedgerAttempt, Ledgers } from '../ledgers.ts';
import type { Stretch } from './outage.ts';

/** The network faults that scenarios choose from. A seed's choices depend on the order. */
export const NETWORK_FAULTS = ['stall', 'reset', 'half_open', 'slow'] as const;
export type NetworkFault = (typeof NETWORK_FAULTS)[number];

/** A network fault in front of the receivers or Postgres, and when it was active. */
export interface Strike extends Stretch {
  readonly place: 'receivers' | 'postgres';
  readonly fault: NetworkFault;
}

/** A delayed request and its delayed answer, or two delayed statements. */
const SLOWED_MS = 2 * SLOW_MS;

const tookMs = ({ startedAt, completedAt }: LedgerAttempt) => (completedAt ?? startedAt) - startedAt;

/** Whether a fault affected an attempt. */
const AFFECTS_ATTEMPT: Readonly<Record<NetworkFault, (attempt: LedgerAttempt) => boolean>> = {
  stall: ({ errorCode }) => errorCode === 'webhook_timeout',
  half_open: ({ errorCode }) => errorCode === 'webhook_timeout',
  reset: ({ errorCode }) => errorCode === 'webhook_connection_failed',
  slow: (attempt) => attempt.status === 'succeeded' && tookMs(attempt) >= SLOWED_MS,
};

const isDone = (status: number | null) => status === 201 || status === 200;

/** Whether a fault affected an answer of the API: Postgres was unavailable, or the API had to wait. */
const AFFECTS_ANSWER: Readonly<Record<NetworkFault, (exchange: ClientExchange, strike: Strike) => boolean>> =
  {
    stall: ({ status, sentAt, tookMs }, { to }) => status === 503 || sentAt + tookMs >= to,
    half_open: ({ status, sentAt, tookMs }, { to }) => status === 503 || sentAt + tookMs >= to,
    reset: ({ status }) => status === 503,
    slow: ({ status, tookMs }) => isDone(status) && tookMs >= SLOWED_MS,
  };

/** Whether a request waited for its answer during the strike. */
const wasSentIn = ({ sentAt, tookMs }: ClientExchange, { from, to }: Stretch) =>
  sentAt < to && sentAt + tookMs > from;

/** Whether an attempt was open during the strike. */
const wasTriedIn = ({ startedAt, completedAt }: LedgerAttempt, { from, to }: Stretch) =>
  startedAt < to && (completedAt ?? startedAt) > from;

function countAffected(strike: Strike, { client, database }: Pick<Ledgers, 'client' | 'database'>): number {
  if (strike.place === 'postgres') {
    return client.exchanges.filter(
      (exchange) => wasSentIn(exchange, strike) && AFFECTS_ANSWER[strike.fault](exchange, strike),
    ).length;
  }
  return database.runs
    .flatMap(({ attempts }) => attempts)
    .filter((attempt) => wasTriedIn(attempt, strike) && AFFECTS_ATTEMPT[strike.fault](attempt)).length;
}

/** Describes the strikes that affected no attempt, or no request, and so prove nothing. */
export function withoutEffect(
  strikes: readonly Strike[],
  ledgers: Pick<Ledgers, 'client' | 'database'>,
): string[] {
  return strikes
    .filter((strike) => countAffected(strike, ledgers) === 0)
    .map(({ fault, place }) => `${fault} before ${place} had an effect`);
}
