/** Statuses of a delivery run and the only ways from one to another: docs/specification.md, "Delivery run states". */
export const RUN_TRANSITIONS = {
  scheduled: ['running', 'cancelled', 'failed'],
  queued: ['running', 'failed'],
  running: ['succeeded', 'retrying', 'failed'],
  retrying: ['running', 'failed'],
  succeeded: [],
  failed: [],
  cancelled: [],
} as const;

export type RunStatus = keyof typeof RUN_TRANSITIONS;

/** The statuses that a run in status `S` may take next; `never` for a terminal one. */
export type NextRunStatus<S extends RunStatus> = (typeof RUN_TRANSITIONS)[S][number];

/** The statuses that lead nowhere. */
export type TerminalRunStatus = {
  [S in RunStatus]: [NextRunStatus<S>] extends [never] ? S : never;
}[RunStatus];

export const RUN_STATUSES = Object.keys(RUN_TRANSITIONS) as readonly RunStatus[];

/** Whether a run in this status is at its end. */
export function isTerminal(status: RunStatus): status is TerminalRunStatus {
  return RUN_TRANSITIONS[status].length === 0;
}

/** The statuses from which a run may become `to`. Empty for `scheduled` and `queued`, in which runs begin. */
export function statusesThatMayBecome(to: RunStatus): readonly RunStatus[] {
  return RUN_STATUSES.filter((from) => (RUN_TRANSITIONS[from] as readonly RunStatus[]).includes(to));
}

export const TERMINAL_RUN_STATUSES: readonly TerminalRunStatus[] = RUN_STATUSES.filter(isTerminal);

/** Statuses of an open run that has had an attempt: runs do not begin in them. */
export const STARTED_RUN_STATUSES = RUN_STATUSES.filter(
  (status) => !isTerminal(status) && statusesThatMayBecome(status).length > 0,
);

/** Statuses in which no attempt is open and a worker may claim the run. */
export const WAITING_RUN_STATUSES = statusesThatMayBecome('running');

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
 * What the message's status needs of a run; `replay` is 0 for the event's own run and n for the nth replay's.
 */
export type RunOfMessage = { channelId: string; replay: number; status: RunStatus };

/**
 * The status of a message from all of its runs, in any order: docs/specification.md, "Message status". Per
 * channel the run of the newest replay counts. Runs that failed and runs that were cancelled, none succeeded,
 * make `failed`. A message without runs is `unrouted`: no channel took its event.
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
