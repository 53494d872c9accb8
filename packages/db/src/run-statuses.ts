import {
  OPEN_REPLAY_BATCH_STATUSES,
  STARTED_RUN_STATUSES,
  statusesThatMayBecome,
  TERMINAL_RUN_STATUSES,
  WAITING_RUN_STATUSES,
} from '@postrider/domain';
import { Prisma } from './client.ts';

/**
 * A list of statuses as SQL, for `status IN ${WAITING}`. The statuses are literals, not parameters, because the
 * planner only uses a partial index if it sees that the condition implies the index predicate.
 */
const listOf = (statuses: readonly string[]): Prisma.Sql =>
  Prisma.raw(`(${statuses.map((status) => `'${status}'`).join(', ')})`);

/**
 * Statuses of runs by their meaning, from the state machine in the domain package. A statement that searches for open
 * runs by an index also needs `completed_at IS NULL`, the predicate of these indexes. It means the same (a check of
 * the table): with the status in the predicate, a claim would not be a HOT update (decision 35).
 */
export const WAITING: Prisma.Sql = listOf(WAITING_RUN_STATUSES);
export const CANCELLABLE: Prisma.Sql = listOf(statusesThatMayBecome('cancelled'));
export const STARTED: Prisma.Sql = listOf(STARTED_RUN_STATUSES);
export const TERMINAL: Prisma.Sql = listOf(TERMINAL_RUN_STATUSES);

/** The statuses in which a bulk replay may replay another page. */
export const OPEN_BATCH: Prisma.Sql = listOf(OPEN_REPLAY_BATCH_STATUSES);
