import { setTimeout as pause } from 'node:timers/promises';
import type { SessionCommand } from '../command.ts';
import { unavailability } from '../failure.ts';
import { type Change, follow } from '../follow.ts';
import { type Style, status } from '../output/style.ts';
import { plain, time } from '../output/text.ts';
import type { Session } from '../session.ts';
import { wholeNumber } from '../values.ts';

const DEFAULT_INTERVAL_MS = 1_000;
const MIN_INTERVAL_MS = 200;

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

async function tail(
  session: Session,
  { since, intervalMs }: { since?: string; intervalMs: number },
): Promise<void> {
  const { io, call } = session;
  const { messages } = session.environment();
  const interval = Math.max(intervalMs, MIN_INTERVAL_MS);
  const deps = {
    messages,
    call,
    now: Date.now,
    pause: () => pause(interval, undefined, { signal: io.signal }),
    onFailure: (error: unknown) => session.note(`${unavailability(session, error)} Trying again …`),
  };
  session.note('Following the deliveries; Ctrl-C ends.');
  try {
    for await (const change of follow(deps, since)) session.showLine(change, line);
  } catch (error) {
    if (!io.signal.aborted) throw error;
  }
}

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
      'start with messages accepted at this time, such as 2026-11-21T09:00:00Z; by default now',
    )
    .option('--interval-ms <n>', 'the polling interval, at least 200', wholeNumber, DEFAULT_INTERVAL_MS)
    .examples({
      'postrider tail': 'Watch.',
      'postrider tail --environment env_01…': 'Watch as an operator, without using the tenant’s rate limit.',
      'postrider tail --json | jq -r \'select(.status=="failed") | .message_id\'': 'React to failures.',
    })
    .runs(tail);
}
