import { setTimeout as pause } from 'node:timers/promises';
import { type Attempt, type DeliveryRun, type Postrider, PostriderApiError } from '@postrider/client';
import { LRUCache } from '@postrider/domain';
import { InvalidArgumentError, Option } from 'commander';
import type { SessionCommand } from '../command.ts';
import { type FollowedChange, follow } from '../follow.ts';
import { collect } from '../io.ts';
import { type Style, status } from '../output/style.ts';
import { plain, time } from '../output/text.ts';
import { untilAvailable } from '../poll.ts';
import type { Session } from '../session.ts';
import { timestamp } from '../values.ts';

/** The most messages that are read in a second. The rest of the rate limit is left to the environment's own traffic. */
const READS_PER_SECOND = 20;
/** Runs and messages for which it remembers what was reported. */
const MAX_KNOWN = 20_000;

/** One line of `tail`: a new run or an ended attempt. */
interface Change {
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

function line({ at, message_id, event_key, channel, attempt, ...change }: Change, style: Style): string {
  const parts = [
    style.dim(time(at)),
    status(change.status.padEnd(9), style),
    `${channel.kind.padEnd(7)} ${plain(channel.name)}`,
    event_key,
    attempt === null ? null : `attempt ${attempt.number} in ${attempt.duration_ms ?? '?'} ms`,
    attempt?.error_code ? `${attempt.error_code}: ${plain(attempt.error_message ?? '')}` : null,
    change.next_attempt_at === null ? null : style.dim(`next at ${time(change.next_attempt_at)}`),
    style.dim(message_id),
  ];
  return parts.filter(Boolean).join('  ');
}

/**
 * Whether an ended attempt was still open when its run was read, because the service reads runs before their attempts.
 * The stream then reports the attempt later.
 */
function isAhead({ status, attempt_count }: DeliveryRun, number: number): boolean {
  return number > attempt_count || (number === attempt_count && status === 'running');
}

/** The number of the attempt that a change is about; 0 for the beginning of a run. */
const numberOf = ({ attempt }: Change) => attempt?.number ?? 0;

/** The beginning of a run and its ended attempts, in order. */
function changesOf(event_key: string, run: DeliveryRun): Change[] {
  const about = { message_id: run.message_id, event_key, delivery_run_id: run.id, channel: run.channel };
  const initial = run.scheduled_at === null ? 'queued' : 'scheduled';
  const beginning: Change = {
    at: run.created_at,
    ...about,
    status: initial,
    attempt: null,
    next_attempt_at: run.scheduled_at,
  };
  return [
    beginning,
    ...run.attempts.flatMap(
      ({ completed_at, number, status, error_code, error_message, duration_ms }): Change[] => {
        if (completed_at === null || isAhead(run, number)) return [];
        const isLast = number === run.attempt_count;
        return [
          {
            at: completed_at,
            ...about,
            status: isLast ? run.status : 'retrying',
            attempt: { number, status, error_code, error_message, duration_ms },
            next_attempt_at: isLast ? run.next_attempt_at : null,
          },
        ];
      },
    ),
  ];
}

/** What to report about a message. */
interface Named {
  /** Whether it was just accepted, so that everything about its runs is new. */
  isNew: boolean;
  /** The number of the first change to report, by run that existed before. */
  readonly firsts: Map<string, number>;
}

/** Creates the function that shows each change once. It reads the details, which the stream does not have. */
function createReport(session: Session, messages: Postrider['messages']) {
  const { call } = session;
  /** The number of the last reported change, by run. */
  const reported = new LRUCache<string, number>({ max: MAX_KNOWN });
  const eventKeys = new LRUCache<string, string>({ max: MAX_KNOWN });

  /** The messages that may have something to report, in order. */
  function namedIn(changes: readonly FollowedChange[]): [id: string, Named][] {
    const found = new Map<string, Named>();
    for (const { event, data } of changes) {
      const { message_id: id = '', delivery_run_id: run = '', attempt = 0, status } = data;
      const last = reported.get(run);
      const isNew = event === 'message.accepted';
      const hasEnded = event === 'attempt.finished' && attempt > (last ?? 0);
      // The lists show that a run has another status, but not its attempts.
      const hasMoved = event === 'delivery_run.updated' && status !== 'running' && last !== undefined;
      if (!isNew && !hasEnded && !hasMoved) continue;
      const named = found.get(id) ?? { isNew: false, firsts: new Map() };
      found.set(id, named);
      named.isNew ||= isNew;
      // The beginning of a run that existed before is shown with its first attempt.
      const first = attempt === 1 ? 0 : attempt;
      if (hasEnded) named.firsts.set(run, Math.min(first, named.firsts.get(run) ?? first));
    }
    return [...found];
  }

  /** Reads the runs of a message. There are none if it was removed meanwhile. */
  async function read([id, named]: [string, Named]) {
    try {
      const [event_key, runs] = await Promise.all([
        eventKeys.get(id) ?? messages.get(id, call).then((message) => message.event_key),
        collect(messages.runs(id, call)),
      ]);
      eventKeys.set(id, event_key);
      return runs.map((run) => ({ run, event_key, named }));
    } catch (error) {
      if (error instanceof PostriderApiError && error.status === 404) return [];
      throw error;
    }
  }

  /** Returns the changes of a run that were not reported yet, and marks them as reported. */
  function unreported({ run, event_key, named }: Awaited<ReturnType<typeof read>>[number]): Change[] {
    const last = reported.get(run.id);
    const first = last === undefined ? (named.isNew ? 0 : named.firsts.get(run.id)) : last + 1;
    if (first === undefined) return [];
    const changes = changesOf(event_key, run).filter((change) => numberOf(change) >= first);
    reported.set(run.id, Math.max(first - 1, ...changes.map(numberOf)));
    return changes;
  }

  return async (changes: readonly FollowedChange[]): Promise<void> => {
    const named = namedIn(changes);
    while (named.length > 0) {
      const next = named.splice(0, READS_PER_SECOND);
      const runs = await untilAvailable(session, () => Promise.all(next.map(read)));
      const found = runs.flat().flatMap(unreported);
      for (const change of found.sort((a, b) => a.at.localeCompare(b.at))) session.showLine(change, line);
      if (named.length > 0) await pause(1_000, undefined, { signal: session.io.signal });
    }
  };
}

/** Refuses `--interval-ms` with the reason. Without it, Commander would only say that the option is unknown. */
const intervalOption = () =>
  new Option('--interval-ms <n>').hideHelp().argParser(() => {
    throw new InvalidArgumentError('The service sends changes as they happen: leave the interval out.');
  });

/** `postrider tail`: follows an environment's deliveries live. */
export function addTail(program: SessionCommand): void {
  program
    .add(
      'tail',
      'follow the deliveries of an environment live, each new run and each ended attempt ' +
        'once, until Ctrl-C; with --json one JSON document per line',
    )
    .inEnvironment()
    .option(
      '--since <time>',
      'begin with those of the newest 500 messages that were accepted at this time or later, such as 2026-11-21T09:00:00Z; by default ' +
        'only what happens from now on',
      timestamp,
    )
    .addOption(intervalOption())
    .examples({
      'postrider tail': 'Watch.',
      'postrider tail --environment env_01…': 'Watch as an operator, without using the tenant’s rate limit.',
      'postrider tail --json | jq -r \'select(.status=="failed") | .message_id\'': 'React to failures.',
    })
    .runs((session, { since }: { since?: Date }) => {
      const environment = session.environment();
      return follow(session, environment, { since }, createReport(session, environment.messages));
    });
}
