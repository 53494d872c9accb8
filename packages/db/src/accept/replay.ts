import { conflict, reject, retryLater } from '@postrider/domain';
import type { Database } from '../client.ts';
import { readInEnvironments } from '../transactions/transaction.ts';
import { acceptInEnvironment, IDEMPOTENCY_WAIT_MS, storeResponse } from './idempotency.ts';
import { store } from './ingest.ts';
import {
  ConsumerQuotaExceededError,
  explainRefusal,
  type QuotaExceeded,
  ReplaysExceededError,
  readConsumerRefusal,
  readReplaysOfDay,
} from './quota.ts';
import { type Creation, type RunWakeUp, wakeUpsOf } from './runs.ts';

type ReplayOutcome =
  | {
      readonly outcome: 'accepted';
      /** Events of the tenant in the period, including this one. */
      readonly eventsUsed: number;
      readonly wakeUps: readonly RunWakeUp[];
    }
  /** The time of its runs is ahead of the database's clock, see `dated`. Nothing is stored. */
  | { readonly outcome: 'untimely' }
  | QuotaExceeded;

/** Thrown inside the transaction to roll it back. */
class UntimelyError extends Error {}

/** The refusal of a message that was erased. */
export const NOTHING_TO_DELIVER = conflict('The recipient’s data was erased: there is nothing to deliver.');

/**
 * Creates immediate runs for a message, counted as 1 against the quota and the limit of the consumer that replays it, in one
 * transaction with the optional idempotency record. `replay.runs` is not empty. Replays of one message are serialised by its row, which numbers them.
 * @throws RefusedError if the message is unknown or erased, the key is not free, or the consumer has replayed enough today
 */
export async function acceptReplay(db: Database, replay: Creation): Promise<ReplayOutcome> {
  const { tenantId, environmentId, messageId, createdAt, response, replayedBy = null } = replay;
  try {
    return await acceptInEnvironment(db, environmentId, async (tx): Promise<ReplayOutcome> => {
      if (response) await storeResponse(tx, response);
      const [numbered] = await tx.$queryRaw<{ replay_count: number; is_erased: boolean }[]>`
        UPDATE messages SET replay_count = replay_count + 1
         WHERE environment_id = ${environmentId}::uuid AND id = ${messageId}::uuid
        RETURNING replay_count, erased_at IS NOT NULL AS is_erased`;
      if (!numbered) reject('message_not_found');
      if (numbered.is_erased) reject(NOTHING_TO_DELIVER);
      const creation = { ...replay, replay: numbered.replay_count, response: null };
      const stored = await store(tx, [creation], {
        as: 'replays',
        lockTimeoutMs: IDEMPOTENCY_WAIT_MS,
        newest: createdAt,
      });
      if (!stored) throw new UntimelyError();
      await replay.audit?.(tx);
      return {
        outcome: 'accepted',
        eventsUsed: stored.used?.[tenantId] ?? 0,
        wakeUps: wakeUpsOf(replay),
      };
    });
  } catch (error) {
    if (error instanceof UntimelyError) return { outcome: 'untimely' };
    if (error instanceof ConsumerQuotaExceededError && replayedBy !== null)
      return readConsumerRefusal(db, environmentId, replayedBy);
    if (error instanceof ReplaysExceededError && replayedBy !== null) {
      const { limit, secondsLeft } = await readInEnvironments(db, [environmentId], (tx) =>
        readReplaysOfDay(tx, { environmentId, consumerId: replayedBy }),
      );
      const message = `The callers of a consumer can replay ${limit.toLocaleString('en')} messages a day (UTC).`;
      reject(retryLater('rate_limited', secondsLeft, message));
    }
    return explainRefusal(db, tenantId, error);
  }
}
