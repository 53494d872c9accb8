import type { IdSource, RunStatus } from '@postrider/domain';
import { createBatcher } from '../batcher.ts';
import type { Database } from '../client.ts';
import { closeRuns } from '../deliver/close-runs.ts';
import { type DeliveryRunRecord, readRun } from '../read/deliveries.ts';
import { CANCELLABLE } from '../run-statuses.ts';
import { changeInEnvironments } from '../scope/in-environments.ts';
import { IDEMPOTENCY_WAIT_MS, IdempotencyKeyHeldError, storeAnswer } from './idempotency.ts';
import { beginAccepting, TRANSACTION_LANES } from './runs.ts';
import type { IdempotencyClaim, IdempotencyRefusal } from './types.ts';

export interface CancelRequest {
  readonly environmentId: string;
  readonly runId: string;
  readonly idempotency: IdempotencyClaim | null;
  readonly responseStatus: number;
  /** Forms the answer, which shows the run as the transaction leaves it, and is stored by it. */
  readonly respond: (run: DeliveryRunRecord) => Uint8Array;
}

export type CancelOutcome =
  | { readonly outcome: 'cancelled'; readonly body: Uint8Array }
  | { readonly outcome: 'not_cancellable'; readonly status: RunStatus }
  | { readonly outcome: 'run_not_found' }
  | IdempotencyRefusal;

/** Rolls the transaction back with an outcome. */
class CancelRefused extends Error {
  readonly outcome: CancelOutcome;

  constructor(outcome: CancelOutcome) {
    super(outcome.outcome);
    this.outcome = outcome;
  }
}

/**
 * Cancels a run that is `scheduled` and records the attempt `scheduled_cancelled`. The conditional update on
 * the row decides the race with a worker's claim: one of the two wins, never both
 * (docs/specification.md, "Delivery run states").
 */
export async function cancelRun(
  { db, newId }: { db: Database; newId: IdSource },
  request: CancelRequest,
): Promise<CancelOutcome> {
  const { environmentId, runId } = request;
  try {
    return await changeInEnvironments(db, [environmentId], async (tx): Promise<CancelOutcome> => {
      await beginAccepting(tx, IDEMPOTENCY_WAIT_MS);
      const cancelled = await tx.$queryRaw<unknown[]>`
        WITH closing AS (
          SELECT id AS run_id, attempt_count + 1 AS number, ${newId()}::uuid AS attempt_id, fence,
                 'cancelled' AS next_status, 'cancelled' AS status, 'scheduled_cancelled' AS error_code,
                 'The run was cancelled before its time.' AS error_message, false AS retryable
            FROM delivery_runs
           WHERE id = ${runId}::uuid AND environment_id = ${environmentId}::uuid AND status IN ${CANCELLABLE}
             FOR UPDATE
        ), ${closeRuns('never-opened')}
        SELECT 1 FROM moved`;
      const run = await readRun(tx, { environmentId, runId });
      if (!run) throw new CancelRefused({ outcome: 'run_not_found' });
      const body = request.respond(run);
      if (cancelled.length === 0) {
        throw new CancelRefused({ outcome: 'not_cancellable', status: run.status });
      }
      if (request.idempotency) {
        const answer = { ...request.idempotency, responseStatus: request.responseStatus, responseBody: body };
        if (!(await storeAnswer(tx, answer))) throw new CancelRefused({ outcome: 'duplicate' });
      }
      return { outcome: 'cancelled', body };
    });
  } catch (error) {
    if (error instanceof CancelRefused) return error.outcome;
    if (error instanceof IdempotencyKeyHeldError) return { outcome: 'in_progress' };
    throw error;
  }
}

/**
 * Creates {@link cancelRun} with concurrent calls in line: each waits for its turn and not for a connection.
 */
export function createCancel(deps: {
  db: Database;
  newId: IdSource;
}): (request: CancelRequest) => Promise<CancelOutcome> {
  return createBatcher(
    (requests: readonly CancelRequest[]) => Promise.all(requests.map((request) => cancelRun(deps, request))),
    TRANSACTION_LANES,
  );
}
