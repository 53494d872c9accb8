import { groupBy } from '@postrider/domain';
import type { Ledgers } from '../ledgers.ts';

/** The figures of a fault run, for reports. */
export interface LedgerSummary {
  readonly requests: number;
  readonly unanswered: number;
  /** How many answers there were, by status. */
  readonly answers: Readonly<Record<string, number>>;
  readonly acknowledgedEvents: number;
  readonly messages: number;
  /** How many replays a 201 acknowledged; repetitions with one key count once. */
  readonly acknowledgedReplays: number;
  readonly cancelledRuns: number;
  readonly runs: Readonly<Record<string, number>>;
  readonly sends: number;
  /** Sends that a receiver had already accepted: the duplicates that it has to drop. */
  readonly duplicates: number;
  readonly unknownAttempts: number;
}

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Record<string, number> {
  return Object.fromEntries([...groupBy(items, keyOf)].sort().map(([key, group]) => [key, group.length]));
}

/** Counts what the ledgers hold. */
export function summarise({ client, receivers, database }: Ledgers): LedgerSummary {
  const answered = client.requests.flatMap(({ answer }) => (answer ? [answer] : []));
  const accepted = groupBy(
    receivers.filter(({ answer }) => answer === 'accepted'),
    ({ runId }) => runId,
  );
  const acknowledged = new Set(answered.flatMap(({ messageId }) => messageId ?? []));
  return {
    requests: client.requests.length,
    unanswered: client.requests.length - answered.length,
    answers: countBy(answered, ({ status }) => String(status)),
    acknowledgedEvents: acknowledged.size,
    messages: database.messages.length,
    acknowledgedReplays: new Set(
      client.replays.filter(({ answer }) => answer?.status === 201).map(({ key }) => key),
    ).size,
    cancelledRuns: database.runs.filter(({ status }) => status === 'cancelled').length,
    runs: countBy(database.runs, ({ status }) => status),
    sends: receivers.length,
    duplicates: [...accepted.values()].reduce((sum, group) => sum + group.length - 1, 0),
    unknownAttempts: database.runs
      .flatMap(({ attempts }) => attempts)
      .filter(({ status }) => status === 'unknown').length,
  };
}
