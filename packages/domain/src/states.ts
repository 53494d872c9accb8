/** The statuses of a delivery run and their allowed transitions (docs/specification.md, "Delivery run states"). */
const RUN_TRANSITIONS = {
  scheduled: ['running', 'cancelled', 'failed'],
  queued: ['running', 'failed'],
  running: ['succeeded', 'retrying', 'failed'],
  retrying: ['running', 'failed'],
  succeeded: [],
  failed: [],
  cancelled: [],
} as const;

export type RunStatus = keyof typeof RUN_TRANSITIONS;

/** The statuses that can follow `S`; `never` for a terminal one. */
export type NextRunStatus<S extends RunStatus> = (typeof RUN_TRANSITIONS)[S][number];

/** The statuses without a successor. */
type TerminalRunStatus = {
  [S in RunStatus]: [NextRunStatus<S>] extends [never] ? S : never;
}[RunStatus];

export const RUN_STATUSES = Object.keys(RUN_TRANSITIONS) as readonly RunStatus[];

/** Whether a run in this status has ended. */
export function isTerminal(status: RunStatus): status is TerminalRunStatus {
  return RUN_TRANSITIONS[status].length === 0;
}

/** The statuses from which a run may change to `to`. Empty for `scheduled` and `queued`, the initial statuses. */
export function statusesThatMayBecome(to: RunStatus): readonly RunStatus[] {
  return RUN_STATUSES.filter((from) => (RUN_TRANSITIONS[from] as readonly RunStatus[]).includes(to));
}

export const TERMINAL_RUN_STATUSES: readonly TerminalRunStatus[] = RUN_STATUSES.filter(isTerminal);

/** Open statuses of runs that have had an attempt: all but the initial ones. */
export const STARTED_RUN_STATUSES = RUN_STATUSES.filter(
  (status) => !isTerminal(status) && statusesThatMayBecome(status).length > 0,
);

/** Statuses in which no attempt is open and a worker may claim the run. */
export const WAITING_RUN_STATUSES = statusesThatMayBecome('running');

/**
 * Why a run waits although it is due: docs/specification.md, "Channel health", "Ordering", "Limits of a channel" and "Paused
 * streams".
 */
export const RUN_HOLDS = ['channel_paused', 'ordering_key', 'channel_limits', 'stream_paused'] as const;
export type RunHold = (typeof RUN_HOLDS)[number];

/** Statuses of an attempt: docs/specification.md, "Attempt states". */
export const ATTEMPT_STATUSES = ['running', 'succeeded', 'failed', 'cancelled', 'unknown'] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];

/** Statuses of a message, derived from its runs: docs/specification.md, "Message status". */
export const MESSAGE_STATUSES = [
  'pending',
  'delivered',
  'partially_delivered',
  'failed',
  'cancelled',
  'unrouted',
] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/**
 * The fields of a run that determine the message's status. `replay` is 0 for the event's own run and n for its n-th
 * replay.
 */
export type RunOfMessage = { channelId: string; replay: number; status: RunStatus };

/**
 * Derives the status of a message from all its runs, in any order (docs/specification.md, "Message status"). For each
 * channel the run of the newest replay counts. If no run succeeded and some failed, the status is `failed`. A message
 * without runs is `unrouted`: no channel took its event.
 */
export function deriveMessageStatus(runs: readonly RunOfMessage[]): MessageStatus {
  const counted = newestPerChannel(runs).map((run) => run.status);
  if (counted.length === 0) return 'unrouted';
  if (!counted.every(isTerminal)) return 'pending';
  if (counted.every((status) => status === 'succeeded')) return 'delivered';
  if (counted.includes('succeeded')) return 'partially_delivered';
  return counted.every((status) => status === 'cancelled') ? 'cancelled' : 'failed';
}

function newestPerChannel(runs: readonly RunOfMessage[]): RunOfMessage[] {
  const newest = new Map<string, RunOfMessage>();
  for (const run of runs) {
    const known = newest.get(run.channelId);
    if (known === undefined || run.replay > known.replay) newest.set(run.channelId, run);
  }
  return [...newest.values()];
}

/**
 * A run counts the workers that were lost in a row during one of its attempts. An attempt with a stored result resets
 * the count to 0.
 *
 * A lost worker interrupts all of its open runs, so innocent runs are counted, too. With this many losses a run is
 * quarantined: it is tried alone in its own process, so that the next loss identifies the run that causes it.
 */
export const LOSSES_BEFORE_QUARANTINE = 3;

/**
 * A run ends with this many losses even if no worker saw it crash its own process. That happens if the process and the
 * worker that watched it are lost together: the cause may be the run, or a machine that was switched off. A crash that
 * the worker saw ends the run at once.
 */
export const LOSSES_BEFORE_END = 6;

/** Whether a run with this count of losses may only be tried alone. */
export function isQuarantined(lostWorkers: number): boolean {
  return lostWorkers >= LOSSES_BEFORE_QUARANTINE;
}
