import { BatcherOverloadedError } from '../batcher.ts';
import type { AnyClient } from '../client.ts';
import { IdempotencyKeyHeldError } from './idempotency.ts';
import { QuotaExceededError, readQuota } from './quota.ts';
import type { IdempotencyRefusal, QuotaExceeded } from './types.ts';

/**
 * Turns what rolled an accepting transaction back into its outcome; throws `error` again when it is no
 * refusal.
 */
export async function explainRefusal(
  db: AnyClient,
  tenantId: string,
  error: unknown,
): Promise<QuotaExceeded | IdempotencyRefusal> {
  if (error instanceof IdempotencyKeyHeldError) return { outcome: 'in_progress' };
  if (!(error instanceof QuotaExceededError)) throw error;
  const { limit, used, resetsAt } = await readQuota(db, tenantId);
  // The month, or the plan, has changed since: the next try may well succeed.
  if (limit === null || used < limit) throw new BatcherOverloadedError();
  return { outcome: 'quota_exceeded', limit, used, resetsAt };
}
