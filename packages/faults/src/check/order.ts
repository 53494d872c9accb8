import { groupBy } from '@postrider/domain';
import type { LedgerAttempt, LedgerRun, Ledgers } from '../ledgers.ts';
import type { Violation } from './violation.ts';

type OrderedRun = LedgerRun & { readonly place: NonNullable<LedgerRun['place']> };

const isOrdered = (run: LedgerRun): run is OrderedRun => run.place !== null;

/** Attempts that may have sent something. */
const isTry = ({ status }: LedgerAttempt) => status !== 'cancelled';

/** Sequences start at 1 and have no gaps. Only replays that retry a blocked run repeat one. */
function* checkSequences(runs: readonly OrderedRun[]): Generator<Violation> {
  let last = 0;
  for (const { id, replay, place } of runs) {
    const { sequence } = place;
    if (sequence !== last + 1 && !(sequence === last && replay > 0)) {
      yield { kind: 'out_of_order', subject: id, detail: `sequence ${sequence} follows ${last}` };
    }
    last = sequence;
  }
}

/** No attempt of a run begins before all attempts of earlier runs have ended. */
function* checkAttempts(runs: readonly OrderedRun[]): Generator<Violation> {
  let before: { id: string; startedAt: number; completedAt: number } | null = null;
  for (const { id, attempts } of runs) {
    for (const attempt of attempts.filter(isTry)) {
      const { startedAt } = attempt;
      const completedAt = attempt.completedAt ?? Number.POSITIVE_INFINITY;
      if (before && before.id !== id && startedAt < before.completedAt) {
        const isTogether = completedAt > before.startedAt;
        const detail = `attempt ${attempt.number} began at ${startedAt}, ${before.id} ended at ${before.completedAt}`;
        yield { kind: isTogether ? 'two_at_once' : 'out_of_order', subject: id, detail };
      }
      if (!before || completedAt >= before.completedAt) before = { id, startedAt, completedAt };
    }
  }
}

/** Each first arrival has a higher sequence than all earlier arrivals. */
function* checkArrivals(
  runs: readonly OrderedRun[],
  arrivedAt: ReadonlyMap<string, number>,
): Generator<Violation> {
  let last = 0;
  for (const { id } of runs) {
    const place = arrivedAt.get(id);
    if (place === undefined) continue;
    if (place < last)
      yield { kind: 'out_of_order', subject: id, detail: 'arrived after a later one of its key' };
    last = Math.max(last, place);
  }
}

/** Checks that the runs of each ordering key were delivered in the order of their sequences. */
export function* checkOrder({ database, receivers }: Ledgers): Generator<Violation> {
  const ordered = database.runs.filter(isOrdered);
  const arrivedAt = new Map<string, number>();
  for (const [index, { runId }] of receivers.entries()) {
    if (!arrivedAt.has(runId)) arrivedAt.set(runId, index);
  }
  const keys = groupBy(ordered, ({ place }) => `${place.channelId} ${place.key}`);
  for (const runs of keys.values()) {
    const inOrder = [...runs].sort((a, b) => a.place.sequence - b.place.sequence || a.replay - b.replay);
    yield* checkSequences(inOrder);
    yield* checkAttempts(inOrder);
    yield* checkArrivals(inOrder, arrivedAt);
  }
}
