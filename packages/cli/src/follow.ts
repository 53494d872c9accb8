import type { Attempt, CallOptions, DeliveryRun, Message } from '@postrider/client';
import { isTerminal } from '@postrider/domain';
import type { MessageSource } from './deliveries.ts';
import { collect } from './io.ts';

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
function unreported(message: Message, runs: readonly DeliveryRun[], reported: Set<string>): Change[] {
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

export interface FollowDeps {
  readonly messages: Omit<MessageSource, 'get'>;
  readonly call: CallOptions;
  /** Milliseconds since 1970, to schedule polls. Changes have the service's times. */
  readonly now: () => number;
  /** Waits until the next poll. */
  readonly pause: () => Promise<void>;
  /** Called after a failed poll. Throws unless there is to be another. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Messages may become visible in another order than that of their ids, so each poll goes back this far before the
 * newest. It is longer than an acceptance takes and than the clocks of API processes differ.
 */
const OVERLAP_MS = 10_000;

/** Messages whose runs are read in one poll. The rest of the rate limit is left to the environment's own traffic. */
const READS_AT_ONCE = 20;

/** A message whose next attempt is far away is still read this often, because it may be cancelled or replayed. */
const MAX_PAUSE_MS = 60_000;

interface Followed {
  readonly message: Message;
  readonly reported: Set<string>;
  /** When to poll next, in milliseconds since 1970. */
  due: number;
}

function nextPoll(runs: readonly DeliveryRun[], now: number): number {
  const times = runs.map(({ status, scheduled_at, next_attempt_at }) => {
    if (status === 'scheduled') return Date.parse(scheduled_at ?? '');
    return status === 'retrying' ? Date.parse(next_attempt_at ?? '') : now;
  });
  return Math.min(now + MAX_PAUSE_MS, ...times.filter((time) => !Number.isNaN(time)));
}

/**
 * Follows the deliveries of an environment: yields each change once, until the signal of `call` aborts. Follows
 * messages accepted after `since`, by default new ones; replays of older messages are not followed.
 */
export async function* follow(deps: FollowDeps, since?: string): AsyncGenerator<Change, never> {
  const { messages, call, now } = deps;
  const open = new Map<string, Followed>();
  /** Ids within the overlap, with their times, so that none is followed twice. */
  const seen = new Map<string, number>();
  let newest = since === undefined ? await skipExisting() : Date.parse(since);
  let from = since === undefined ? newest - OVERLAP_MS : newest;

  async function skipExisting(): Promise<number> {
    const { data } = await messages.page({ limit: 1 }, call);
    const last = Date.parse(data[0]?.created_at ?? new Date(0).toISOString());
    for await (const message of messages.all(
      { created_after: timeAt(last - OVERLAP_MS), limit: 100 },
      call,
    )) {
      seen.set(message.id, Date.parse(message.created_at));
    }
    return last;
  }

  async function addNewMessages(): Promise<void> {
    for await (const message of messages.all({ created_after: timeAt(from), limit: 100 }, call)) {
      const acceptedAt = Date.parse(message.created_at);
      newest = Math.max(newest, acceptedAt);
      if (seen.has(message.id)) continue;
      seen.set(message.id, acceptedAt);
      open.set(message.id, { message, reported: new Set(), due: 0 });
    }
    from = Math.max(from, newest - OVERLAP_MS);
    for (const [id, acceptedAt] of seen) if (acceptedAt < from) seen.delete(id);
  }

  async function poll(followed: Followed): Promise<Change[]> {
    const { message, reported } = followed;
    const runs = await collect(messages.runs(message.id, call));
    if (runs.every(({ status }) => isTerminal(status))) open.delete(message.id);
    else followed.due = nextPoll(runs, now());
    return unreported(message, runs, reported);
  }

  /** Polls due messages. Reports the changes of one even if another fails. */
  async function* pollDue(): AsyncGenerator<Change> {
    const due = [...open.values()]
      .filter((followed) => followed.due <= now())
      .sort((a, b) => a.due - b.due || a.message.id.localeCompare(b.message.id))
      .slice(0, READS_AT_ONCE);
    const results = await Promise.allSettled(due.map(poll));
    const changes = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    yield* changes.sort((a, b) => a.at.localeCompare(b.at));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  for (;;) {
    try {
      await addNewMessages();
      yield* pollDue();
    } catch (error) {
      deps.onFailure(error);
    }
    await deps.pause();
  }
}

function timeAt(ms: number): string {
  return new Date(Math.max(0, ms)).toISOString();
}
