import { createUuidV7Source } from '@postrider/domain';
import { createBatcher } from '../batcher.ts';
import type { Database } from '../client.ts';
import { changeInEnvironments } from '../scope/in-environments.ts';
import { IDEMPOTENCY_WAIT_MS, idempotencyScope, storeAnswers } from './idempotency.ts';
import { beginAccepting, createRuns, insertRuns, runsToEnqueue } from './insert-runs.ts';
import { TRANSACTION_LANES } from './lanes.ts';
import { consumeQuota } from './quota.ts';
import { explainRefusal } from './refusal.ts';
import type {
  Accepted,
  IdempotencyClaim,
  IdempotencyRefusal,
  PlannedRun,
  QuotaExceeded,
  Respond,
  RunToEnqueue,
} from './types.ts';

export interface ReplayToAccept {
  readonly tenantId: string;
  readonly environmentId: string;
  readonly messageId: string;
  /** The runs to make, resolved anew; at least one. */
  readonly runs: readonly PlannedRun[];
  /** The `traceparent` by which others continue the request's trace; null when nobody traces it. */
  readonly traceparent: string | null;
  /** Null when the request sent no Idempotency-Key. */
  readonly idempotency: IdempotencyClaim | null;
  readonly responseStatus: number;
  readonly respond: Respond<Accepted>;
}

export type ReplayOutcome =
  | {
      readonly outcome: 'accepted';
      readonly body: Uint8Array;
      /** By the tenant in the period, this one among them. */
      readonly eventsUsed: number;
      readonly enqueue: readonly RunToEnqueue[];
    }
  | { readonly outcome: 'message_not_found' }
  | QuotaExceeded
  | IdempotencyRefusal;

/**
 * Creates immediate runs for a message, counted 1 against the quota, in one transaction with the optional
 * idempotency record. Replays of one message take turns on its row, which numbers them.
 */
export async function acceptReplay(db: Database, replay: ReplayToAccept): Promise<ReplayOutcome> {
  try {
    return await changeInEnvironments(db, [replay.environmentId], async (tx): Promise<ReplayOutcome> => {
      const now = await beginAccepting(tx, IDEMPOTENCY_WAIT_MS);
      const newId = createUuidV7Source(() => now.getTime());
      const runs = createRuns(replay.runs, { newId, scheduleAt: null, now });
      const body = replay.respond({ messageId: replay.messageId, createdAt: now, runs });
      if (replay.idempotency) {
        const answer = { ...replay.idempotency, responseStatus: replay.responseStatus, responseBody: body };
        const stored = await storeAnswers(tx, [answer]);
        if (!stored.has(idempotencyScope(answer))) return { outcome: 'duplicate' };
      }
      const numbered = await tx.$queryRaw<{ replay_count: number }[]>`
        UPDATE messages SET replay_count = replay_count + 1
         WHERE environment_id = ${replay.environmentId}::uuid AND id = ${replay.messageId}::uuid
           AND erased_at IS NULL
        RETURNING replay_count`;
      if (!numbered[0]) throw new MessageGoneError();
      await insertRuns(tx, [{ ...replay, replay: numbered[0].replay_count, runs }], now);
      const used = await consumeQuota(tx, [replay], now);
      const eventsUsed = used.get(replay.tenantId) ?? 0;
      return { outcome: 'accepted', body, eventsUsed, enqueue: runsToEnqueue(runs, now) };
    });
  } catch (error) {
    if (error instanceof MessageGoneError) return { outcome: 'message_not_found' };
    return explainRefusal(db, replay.tenantId, error);
  }
}

/** Rolls back the idempotency record that was stored for a message that is not there. */
class MessageGoneError extends Error {}

/**
 * Creates {@link acceptReplay} with concurrent calls in line: each waits for its turn and not for a
 * connection.
 */
export function createReplay(db: Database): (replay: ReplayToAccept) => Promise<ReplayOutcome> {
  return createBatcher(
    (replays: readonly ReplayToAccept[]) => Promise.all(replays.map((replay) => acceptReplay(db, replay))),
    TRANSACTION_LANES,
  );
}
