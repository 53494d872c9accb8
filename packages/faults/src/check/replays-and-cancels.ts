import { groupBy } from '@postrider/domain';
import type { Ledgers } from '../ledgers.ts';
import type { Violation } from './violation.ts';

const CREATED = 201;

/** Everything that a 201 named is stored. Another check covers that all runs have ended. */
function* checkAcknowledged({ client, database }: Ledgers): Generator<Violation> {
  const runs = new Map(database.runs.map((run) => [run.id, run]));
  for (const { messageId, answer } of client.replays) {
    if (answer?.status !== CREATED) continue;
    for (const runId of answer.runIds) {
      const run = runs.get(runId);
      if (run?.messageId === messageId && run.replay > 0) continue;
      yield {
        kind: 'acknowledged_replay_lost',
        subject: runId,
        detail: `is not of a replay of ${messageId}`,
      };
    }
    if (answer.runIds.length === 0) {
      yield { kind: 'acknowledged_replay_lost', subject: messageId, detail: 'the 201 named no run' };
    }
  }
}

/** One replay of the client (one key) is one replay, no matter how often it was requested. */
function* checkOnce({ client, database }: Ledgers): Generator<Violation> {
  for (const [key, requests] of groupBy(client.replays, (replay) => replay.key)) {
    const created = requests.filter(({ answer }) => answer?.status === CREATED);
    const answers = new Set(created.map(({ answer }) => answer?.runIds.join(', ')));
    if (answers.size < 2) continue;
    yield { kind: 'replay_accepted_twice', subject: key, detail: `answered ${[...answers].join(' and ')}` };
  }
  const asked = groupBy(client.replays, ({ messageId }) => messageId);
  for (const { id, replayCount } of database.messages) {
    const keys = new Set((asked.get(id) ?? []).map(({ key }) => key)).size;
    if (replayCount <= keys) continue;
    const kind = keys === 0 ? 'phantom_replay' : 'replay_accepted_twice';
    yield { kind, subject: id, detail: `${replayCount} replays, asked for with ${keys} keys` };
  }
}

/** A message has runs of each of its replays, and no others. */
function* checkRunsOfReplays({ database }: Ledgers): Generator<Violation> {
  const runs = groupBy(
    database.runs.filter(({ replay }) => replay > 0),
    ({ messageId }) => messageId,
  );
  for (const { id, replayCount } of database.messages) {
    const numbers = new Set((runs.get(id) ?? []).map(({ replay }) => replay));
    const highest = Math.max(0, ...numbers);
    if (numbers.size === replayCount && highest === replayCount) continue;
    const detail = `${replayCount} replays, runs of ${[...numbers].sort().join(', ') || 'none'}`;
    yield { kind: 'replay_runs_differ', subject: id, detail };
  }
}

/** Compares the clients' replays with the database. */
export function* checkReplays(ledgers: Ledgers): Generator<Violation> {
  yield* checkAcknowledged(ledgers);
  yield* checkOnce(ledgers);
  yield* checkRunsOfReplays(ledgers);
}

const OK = 200;

/**
 * Compares the clients' cancels with the database. The check of sends covers that nothing was sent.
 */
export function* checkCancels({ client, database }: Ledgers): Generator<Violation> {
  const asked = groupBy(client.cancels, ({ runId }) => runId);
  const runs = new Map(database.runs.map((run) => [run.id, run]));
  for (const [runId, requests] of asked) {
    const found = runs.get(runId)?.status;
    const isConfirmed = requests.some(({ status }) => status === OK);
    if (isConfirmed && found !== 'cancelled') {
      yield { kind: 'cancel_lost', subject: runId, detail: `the run is ${found ?? 'absent'}` };
    }
    const last = requests.findLast(({ status }) => status !== null && status < 500)?.status;
    if (found === 'cancelled' && last !== undefined && last !== OK) {
      yield { kind: 'cancel_denied', subject: runId, detail: `the last answer was ${last}` };
    }
  }
  for (const { id, status } of database.runs) {
    if (status !== 'cancelled' || asked.has(id)) continue;
    yield { kind: 'phantom_cancel', subject: id, detail: 'no client requested it' };
  }
}
