import type { AttemptStatus, RunStatus } from '@postrider/domain';

/**
 * The state table: the next status for each command and status. Other combinations are refused.
 */
export const TABLE = {
  cancel: { scheduled: 'cancelled' },
  claim: { scheduled: 'running', queued: 'running', retrying: 'running' },
  findChannelDisabled: { scheduled: 'failed', queued: 'failed', retrying: 'failed' },
  succeed: { running: 'succeeded' },
  retry: { running: 'retrying' },
  giveUp: { running: 'failed' },
} as const satisfies Record<string, Partial<Record<RunStatus, RunStatus>>>;

export type Step = keyof typeof TABLE;

/** The status of a run in `status` after `step`; null if the step is refused. */
export function after(step: Step, status: RunStatus): RunStatus | null {
  const row: Partial<Record<RunStatus, RunStatus>> = TABLE[step];
  return row[status] ?? null;
}

export interface ModelRun {
  readonly message: number;
  readonly channel: number;
  status: RunStatus;
  fence: number;
  dueAt: number;
  /** Whether the run waits for its paused channel, or for its turn after the pause. */
  isHeld: boolean;
  /** Whether it waits for the paused stream of its message. */
  isHeldForStream: boolean;
  /** Whether it was held and then released, and no worker has claimed it since. */
  isReleased: boolean;
  leaseUntil: number;
  readonly attempts: AttemptStatus[];
}

/** A claim that a worker holds; it may have lost it without knowing. */
export interface Held {
  readonly run: number;
  readonly fence: number;
  readonly attemptNumber: number;
}

/** The service as docs/specification.md describes it. Times are seconds since the sequence began. */
export interface Model {
  now: number;
  readonly runs: ModelRun[];
  /** For each message, whether it is in the stream. */
  readonly inStream: boolean[];
  isStreamPaused: boolean;
  charged: number;
  /** When each used key may be used again. */
  readonly keys: Map<number, number>;
  readonly held: Held[];
  readonly channelEnabled: boolean[];
  readonly channelPaused: boolean[];
  /** How many runs there were when each channel was last resumed. */
  readonly runsAtResume: number[];
}

/**
 * Attempts per run, events of the plan, seconds of an email attempt's lease (60 + 10) and of a key's life.
 */
export const BOUNDS = { maxAttempts: 2, events: 6, lease: 70, keyLife: 86_400, channels: 2 } as const;

export const createModel = (): Model => ({
  now: 0,
  runs: [],
  inStream: [],
  isStreamPaused: false,
  charged: 0,
  keys: new Map(),
  held: [],
  channelEnabled: Array.from({ length: BOUNDS.channels }, () => true),
  channelPaused: Array.from({ length: BOUNDS.channels }, () => false),
  runsAtResume: Array.from({ length: BOUNDS.channels }, () => 0),
});

/** Adds the runs of a message, one per enabled channel. If the channel is paused, runs that are due at once are held. */
export function addRuns(model: Model, message: number, delay: number | null): void {
  for (const [channel, enabled] of model.channelEnabled.entries()) {
    if (!enabled) continue;
    model.runs.push({
      message,
      channel,
      status: delay === null ? 'queued' : 'scheduled',
      fence: 0,
      dueAt: model.now + (delay ?? 0),
      isHeld: delay === null && (model.channelPaused[channel] ?? false),
      isHeldForStream: false,
      isReleased: false,
      leaseUntil: 0,
      attempts: [],
    });
  }
  model.charged += 1;
}

type ModelClaim = 'claimed' | 'not_due' | 'not_claimable' | 'channel_disabled' | 'held';

/** Whether a run has not ended and has no open attempt. */
export const isWaiting = ({ status }: ModelRun): boolean =>
  ['scheduled', 'queued', 'retrying'].includes(status);

/** The runs of a message that are still scheduled. */
export const scheduledRuns = (model: Model, message: number): ModelRun[] =>
  model.runs.filter((run) => run.message === message && run.status === 'scheduled');

/** Whether a claim holds the run: its channel is paused, or it is in retry since before the channel was resumed. */
function mustBeHeld(model: Model, { channel, status, isReleased }: ModelRun, index: number): boolean {
  if (model.channelPaused[channel]) return true;
  return status === 'retrying' && !isReleased && index < (model.runsAtResume[channel] ?? 0);
}

/** The runs that wait until a channel's release reaches them; those of a paused stream wait longer. */
export const heldRuns = (model: Model, channel: number): ModelRun[] =>
  model.runs.filter(
    (run) =>
      run.channel === channel &&
      (run.isHeld || (run.isHeldForStream && !model.isStreamPaused)) &&
      isWaiting(run),
  );

/** Lets a worker claim a run. */
export function claim(model: Model, index: number): ModelClaim {
  const run = runAt(model, index);
  const running = after('claim', run.status);
  if (!running) return 'not_claimable';
  if (run.isHeld || run.isHeldForStream) return 'held';
  if (run.dueAt > model.now) return 'not_due';
  if (!model.channelEnabled[run.channel]) {
    run.status = after('findChannelDisabled', run.status) ?? run.status;
    run.attempts.push('failed');
    return 'channel_disabled';
  }
  if (mustBeHeld(model, run, index)) {
    run.isHeld = true;
    return 'held';
  }
  run.isReleased = false;
  if (model.isStreamPaused && model.inStream[run.message]) {
    run.isHeldForStream = true;
    return 'held';
  }
  run.status = running;
  run.fence += 1;
  run.leaseUntil = model.now + BOUNDS.lease;
  run.attempts.push('running');
  model.held.push({ run: index, fence: run.fence, attemptNumber: run.attempts.length });
  return 'claimed';
}

/**
 * Ends the open attempt of a run and changes the run's status. At the attempt limit the run gives up instead of
 * retrying.
 */
export function end(run: ModelRun, step: 'succeed' | 'retry' | 'giveUp', attempt: AttemptStatus): void {
  const taken = step === 'retry' && run.attempts.length >= BOUNDS.maxAttempts ? 'giveUp' : step;
  run.status = after(taken, run.status) ?? run.status;
  run.attempts[run.attempts.length - 1] = attempt;
}

export const isHolder = (run: ModelRun, held: Held): boolean =>
  run.status === 'running' && run.fence === held.fence;

export function runAt(model: Model, index: number): ModelRun {
  const run = model.runs[index];
  if (!run) throw new Error(`the model has no run ${index}`);
  return run;
}
