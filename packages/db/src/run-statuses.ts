import {
  OPEN_REPLAY_BATCH_STATUSES,
  STARTED_RUN_STATUSES,
  statusesThatMayBecome,
  TERMINAL_RUN_STATUSES,
  WAITING_RUN_STATUSES,
} from '@postrider/domain';
import { Prisma } from './client.ts';

/**
 * A list of statuses as SQL, for `status IN ${WAITING}`. The statuses are literals and not parameters: the planner uses
 * a partial index only where it sees that the condition implies the predicate of the index.
 */
const listOf = (statuses: readonly string[]): Prisma.Sql =>
  Prisma.raw(`(${statuses.map((status) => `'${status}'`).join(', ')})`);

/**
 * The statuses of runs by what they mean to a statement, from the state machine in the domain. A statement that looks for
 * open runs by an index also says `completed_at IS NULL`, which is the predicate of these indexes and means the same (a
 * check of the table): with the status in it, a claim would be no HOT update (decision 35).
 */
export const WAITING: Prisma.Sql = listOf(WAITING_RUN_STATUSES);
export const CANCELLABLE: Prisma.Sql = listOf(statusesThatMayBecome('cancelled'));
export const STARTED: Prisma.Sql = listOf(STARTED_RUN_STATUSES);
export const TERMINAL: Prisma.Sql = listOf(TERMINAL_RUN_STATUSES);

/** The statuses in which a bulk replay may make another page. */
export const OPEN_BATCH: Prisma.Sql = listOf(OPEN_REPLAY_BATCH_STATUSES);
