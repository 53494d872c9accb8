import { type Database, databaseErrorCodes } from '../client.ts';
import { OPEN_BATCH } from '../run-statuses.ts';
import { environmentScope } from '../scope/environment-scope.ts';
import type { ReplayBatchRecord } from './batch-record.ts';

/** Pages that fail in a row until the batch is given up: some 14 minutes after the first. */
export const MAX_FAILURES = 20;
/** The wait doubles from 1 s to this. */
const LONGEST_WAIT_SECONDS = 60;

/** An SQLSTATE, which begins like no code of Prisma's but P0. */
const SQLSTATE = /^(?!P[1-9])[0-9A-Z]{5}$/;

function codeOf(error: unknown): string {
  const codes = databaseErrorCodes(error);
  return codes.find((code) => SQLSTATE.test(code)) ?? codes[0] ?? 'internal_error';
}

/**
 * Notes that the next page of a batch failed: nobody tries it again before a wait that doubles with each
 * failure, and after {@link MAX_FAILURES} in a row the batch is `failed`. Several workers that fail at the same
 * page at once count as one.
 * @param seen the batch as it was before the page
 */
export async function noteFailedPage(db: Database, seen: ReplayBatchRecord, error: unknown): Promise<void> {
  const isGivenUp = seen.failures + 1 >= MAX_FAILURES;
  const waitSeconds = Math.min(LONGEST_WAIT_SECONDS, 2 ** seen.failures);
  await db.$executeRaw`
    UPDATE replay_batches
       SET failures = failures + 1, last_error_code = ${codeOf(error)}, reason = 'page_failed',
           status = CASE WHEN ${isGivenUp} THEN 'failed' ELSE status END,
           completed_at = CASE WHEN ${isGivenUp} THEN now() END,
           retry_at = CASE WHEN NOT ${isGivenUp} THEN now() + make_interval(secs => ${waitSeconds}::int) END
     WHERE id = ${seen.id}::uuid AND status IN ${OPEN_BATCH} AND failures = ${seen.failures}
       AND position IS NOT DISTINCT FROM ${seen.position}::uuid
    ${environmentScope([seen.environmentId])}`;
}
