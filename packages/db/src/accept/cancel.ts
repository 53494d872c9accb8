import type { IdSource, RunStatus } from '@postrider/domain';
import { createBatcher } from '../batcher.ts';
import type { Database } from '../client.ts';
import { type DeliveryRunRecord, readRun } from '../read/deliveries.ts';
import { changeInEnvironments } from '../scope/in-environments.ts';
import {
  findAnswers,
  IDEMPOTENCY_WAIT_MS,
  IdempotencyKeyHeldError,
  idempotencyScope,
  storeAnswers,
} from './idempotency.ts';
import { beginAccepting } from './insert-runs.ts';
import { TRANSACTION_LANES } from './lanes.ts';
import type { IdempotencyClaim, IdempotencyRefusal, Respond } from './types.ts';

export interface CancelRequest {
  readonly environmentId: string;
  readonly runId: string;
  readonly idempotency: IdempotencyClaim | null;
  readonly responseStatus: number;
  readonly respond: Respond<DeliveryRunRecord>;
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
      const cancelled = await tx.$executeRaw`
        WITH run AS (
          UPDATE delivery_runs
             SET status = 'cancelled', completed_at = now(), attempt_count = attempt_count + 1
           WHERE id = ${runId}::uuid AND environment_id = ${environmentId}::uuid AND status = 'scheduled'
          RETURNING id, attempt_count, fence
        )
        INSERT INTO attempts (run_id, number, id, fence, status, error_code, error_message, retryable, started_at,
                              completed_at, duration_ms)
        SELECT id, attempt_count, ${newId()}::uuid, fence, 'cancelled', 'scheduled_cancelled',
               'The run was cancelled before its time.', false, now(), now(), 0
          FROM run`;
      const run = await readRun(tx, { environmentId, runId });
      if (!run) throw new CancelRefused({ outcome: 'run_not_found' });
      const body = request.respond(run);
      if (cancelled === 0) {
        const [answer] = request.idempotency ? await findAnswers(tx, [request.idempotency]) : [];
        throw new CancelRefused(
          answer ? { outcome: 'duplicate' } : { outcome: 'not_cancellable', status: run.status },
        );
      }
      if (request.idempotency) {
        const answer = { ...request.idempotency, responseStatus: request.responseStatus, responseBody: body };
        const stored = await storeAnswers(tx, [answer]);
        if (!stored.has(idempotencyScope(answer))) throw new CancelRefused({ outcome: 'duplicate' });
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
