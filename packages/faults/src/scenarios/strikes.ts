import { SLOW_MS } from '@postrider/rig';
import type { ClientExchange, LedgerAttempt, Ledgers } from '../ledgers.ts';
import type { Stretch } from './outage.ts';

/** The faults of a network that scenarios choose from; the order is part of what a seed means. */
export const NETWORK_FAULTS = ['stall', 'reset', 'half_open', 'slow'] as const;
export type NetworkFault = (typeof NETWORK_FAULTS)[number];

/** A fault of the network, before the receivers or before Postgres, and how long it was set. */
export interface Strike extends Stretch {
  readonly place: 'receivers' | 'postgres';
  readonly fault: NetworkFault;
}

/** A request and its answer, or two statements, each held back once. */
const SLOWED_MS = 2 * SLOW_MS;

const tookMs = ({ startedAt, completedAt }: LedgerAttempt) => (completedAt ?? startedAt) - startedAt;

/** What an attempt that felt a fault looks like. */
const ATTEMPT_FELT: Readonly<Record<NetworkFault, (attempt: LedgerAttempt) => boolean>> = {
  stall: ({ errorCode }) => errorCode === 'webhook_timeout',
  half_open: ({ errorCode }) => errorCode === 'webhook_timeout',
  reset: ({ errorCode }) => errorCode === 'webhook_connection_failed',
  slow: (attempt) => attempt.status === 'succeeded' && tookMs(attempt) >= SLOWED_MS,
};

const isDone = (status: number | null) => status === 201 || status === 200;

/** What an answer of an API that felt a fault looks like: Postgres is out of reach, or it had to wait. */
const ANSWER_FELT: Readonly<Record<NetworkFault, (exchange: ClientExchange, strike: Strike) => boolean>> = {
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

function countFelt(strike: Strike, { client, database }: Pick<Ledgers, 'client' | 'database'>): number {
  if (strike.place === 'postgres') {
    return client.exchanges.filter(
      (exchange) => wasSentIn(exchange, strike) && ANSWER_FELT[strike.fault](exchange, strike),
    ).length;
  }
  return database.runs
    .flatMap(({ attempts }) => attempts)
    .filter((attempt) => wasTriedIn(attempt, strike) && ATTEMPT_FELT[strike.fault](attempt)).length;
}

/** What proves nothing of a strike: those that no attempt, or no request, felt. */
export function unfelt(strikes: readonly Strike[], ledgers: Pick<Ledgers, 'client' | 'database'>): string[] {
  return strikes
    .filter((strike) => countFelt(strike, ledgers) === 0)
    .map(({ fault, place }) => `${fault} before ${place} was felt`);
}
