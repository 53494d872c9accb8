import { quantile } from '@postrider/rig';
import type { ClientCancel, ClientLedger, ClientRequest, LedgerRun, Ledgers } from '../ledgers.ts';
import type { Context, Figures } from './scenario.ts';

const CREATED = 201;
const OK = 200;

export const isCreated = ({ answer }: Pick<ClientRequest, 'answer'>): boolean => answer?.status === CREATED;

/** Whether a cancel succeeded, or was too late because its run had started. */
export const isSettled = ({ status, code }: ClientCancel): boolean =>
  status === OK || code === 'delivery_run_not_cancellable';

/** Counts the events and replays that did not get a 201, and the cancels that were not settled. */
export function countFailed({ requests, replays, cancels }: ClientLedger): number {
  const notCreated = [...requests, ...replays].filter((request) => !isCreated(request)).length;
  const notDone = cancels.filter((cancel) => !isSettled(cancel)).length;
  return notCreated + notDone;
}

/** The number of sends beyond the first of each run. */
export function countExtraSends({ receivers }: Pick<Ledgers, 'receivers'>): number {
  return receivers.length - new Set(receivers.map(({ runId }) => runId)).size;
}

/** The longest wait for an answer, in whole milliseconds. */
export function slowestOf({ exchanges }: Pick<ClientLedger, 'exchanges'>): number {
  return Math.round(exchanges.reduce((slowest, { tookMs }) => Math.max(slowest, tookMs), 0));
}

/** Attempts that were open when their worker was lost. */
export function countLost({ database }: Pick<Ledgers, 'database'>): number {
  return database.runs
    .flatMap(({ attempts }) => attempts)
    .filter(({ errorCode }) => errorCode === 'worker_lost').length;
}

/** How often processes of the service ended by themselves. */
export function countOwnExits({ stack }: Pick<Context, 'stack'>): number {
  return [...stack.apis, ...stack.workers].reduce((sum, service) => sum + service.ownExits(), 0);
}

/** How late scheduled runs started, by the database's clock. */
export function lateness(runs: readonly LedgerRun[]): Figures {
  const late = runs
    .flatMap(({ scheduledAt, attempts }) =>
      scheduledAt !== null && attempts[0] ? [attempts[0].startedAt - scheduledAt] : [],
    )
    .sort((a, b) => a - b);
  return {
    scheduled_runs: late.length,
    earliest_ms: late[0] ?? 0,
    median_lateness_ms: quantile(late, 0.5),
    longest_lateness_ms: late.at(-1) ?? 0,
  };
}
