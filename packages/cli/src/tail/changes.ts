import type { Attempt, DeliveryRun, DeliveryRunSummary, Message } from '@postrider/client';

/** One line of `tail`: a new run or an ended attempt. */
export interface Change {
  /** When it happened, by the service's clock. */
  readonly at: string;
  readonly message_id: string;
  readonly event_key: string;
  readonly delivery_run_id: string;
  readonly channel: DeliveryRun['channel'];
  /** The status of the run when it was created, or its current one. */
  readonly status: DeliveryRun['status'];
  readonly attempt: Pick<
    Attempt,
    'number' | 'status' | 'error_code' | 'error_message' | 'duration_ms'
  > | null;
  readonly next_attempt_at: string | null;
}

const TERMINAL: readonly DeliveryRunSummary['status'][] = ['succeeded', 'failed', 'cancelled'];

/** Whether all runs have ended. */
export function isOver(runs: readonly Pick<DeliveryRun, 'status'>[]): boolean {
  return runs.every(({ status }) => TERMINAL.includes(status));
}

/**
 * Whether an ended attempt was still open when its run was read, because the service reads runs before their attempts.
 * The next poll reports it with the run's new status.
 */
function isAhead({ status, attempt_count }: DeliveryRun, number: number): boolean {
  return number > attempt_count || (number === attempt_count && status === 'running');
}

function* changesOf(message: Message, run: DeliveryRun): Generator<[string, Change]> {
  const about = {
    message_id: message.id,
    event_key: message.event_key,
    delivery_run_id: run.id,
    channel: run.channel,
  };
  const initial = run.scheduled_at === null ? 'queued' : 'scheduled';
  yield [
    run.id,
    { at: run.created_at, ...about, status: initial, attempt: null, next_attempt_at: run.scheduled_at },
  ];
  for (const { id, completed_at, number, status, error_code, error_message, duration_ms } of run.attempts) {
    if (completed_at === null || isAhead(run, number)) continue;
    const isLast = number === run.attempt_count;
    yield [
      id,
      {
        at: completed_at,
        ...about,
        status: isLast ? run.status : 'retrying',
        attempt: { number, status, error_code, error_message, duration_ms },
        next_attempt_at: isLast ? run.next_attempt_at : null,
      },
    ];
  }
}

/** Returns changes of a message's runs that are not in `reported` yet, in order, and adds them to `reported`. */
export function unreported(message: Message, runs: readonly DeliveryRun[], reported: Set<string>): Change[] {
  const changes: Change[] = [];
  for (const run of runs) {
    for (const [id, change] of changesOf(message, run)) {
      if (reported.has(id)) continue;
      reported.add(id);
      changes.push(change);
    }
  }
  return changes.sort((a, b) => a.at.localeCompare(b.at));
}
