import { periodOf, SELF_SERVICE_LIMITS } from '@postrider/domain';
import { BatcherOverloadedError } from '../batcher.ts';
import { type AnyClient, type Database, databaseErrorCodes, type Queryable } from '../client.ts';
import { defineStatement } from '../statement.ts';
import type { EventToAccept } from './ingest.ts';

export interface QuotaExceeded {
  readonly outcome: 'quota_exceeded';
  readonly limit: number;
  readonly used: number;
  readonly resetsAt: Date;
  /** The consumer whose limit it is; left out if it is the plan's. */
  readonly consumerId?: string;
}

/** The tenant's usage in the current period by the database's clock; `limit` is null if the plan is unlimited. */
interface QuotaState {
  readonly limit: number | null;
  readonly used: number;
  readonly resetsAt: Date;
}

/** Reads the tenant's quota. Throws if the tenant does not exist. */
export async function readQuota(db: AnyClient, tenantId: string): Promise<QuotaState> {
  const [row] = await db.$queryRaw<{ limit: number | null; used: bigint; now: Date }[]>`
    SELECT plans.events_per_month AS limit, COALESCE(usage.events_used, 0)::bigint AS used, now() AS now
      FROM tenants
      JOIN plans ON plans.code = tenants.plan_code
      LEFT JOIN tenant_usage usage
        ON usage.tenant_id = tenants.id AND usage.period_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date
     WHERE tenants.id = ${tenantId}::uuid`;
  if (!row) throw new Error(`tenant ${tenantId} does not exist`);
  return { limit: row.limit, used: Number(row.used), resetsAt: periodOf(row.now).end };
}

interface ConsumerOfEnvironment {
  readonly environmentId: string;
  readonly consumerId: string;
}

const consumerQuota = defineStatement<
  ConsumerOfEnvironment,
  { limit: number | null; used: bigint; now: Date }
>({
  text: `
    SELECT events_per_month AS limit, COALESCE(usage.consumer_events, 0)::int8 AS used, now() AS now
      FROM consumers consumer
      LEFT JOIN consumer_usage usage
        ON usage.environment_id = consumer.environment_id AND usage.consumer_id = consumer.id
       AND usage.period_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date
     WHERE consumer.environment_id = :environmentId::uuid AND consumer.id = :consumerId`,
  environments: ({ environmentId }) => [environmentId],
});

/** Like {@link readQuota}, of a consumer; unlimited if it does not exist. */
export async function readConsumerQuota(
  db: AnyClient,
  environmentId: string,
  consumerId: string,
): Promise<QuotaState> {
  const [row] = await consumerQuota(db, { environmentId, consumerId });
  const { limit, used, now } = row ?? { limit: null, used: 0, now: new Date() };
  return { limit, used: Number(used), resetsAt: periodOf(now).end };
}

/** The refusal of an event by the limit of its consumer. Throws if the consumer has no limit, because that has changed. */
export async function readConsumerRefusal(
  db: AnyClient,
  environmentId: string,
  consumerId: string,
): Promise<QuotaExceeded> {
  const { limit, ...state } = await readConsumerQuota(db, environmentId, consumerId);
  if (limit === null) throw new BatcherOverloadedError();
  return { outcome: 'quota_exceeded', limit, ...state, consumerId };
}

/** How many messages the callers of a consumer have replayed today (UTC), by the database's clock, and when that day ends. */
export async function readReplaysOfDay(
  tx: Queryable,
  { environmentId, consumerId }: ConsumerOfEnvironment,
): Promise<{ readonly limit: number; readonly used: number; readonly secondsLeft: number }> {
  const [row] = await tx.$queryRaw<{ used: number; seconds_left: number }[]>`
    SELECT COALESCE((SELECT replays_of_day FROM consumer_usage
                      WHERE environment_id = ${environmentId}::uuid AND consumer_id = ${consumerId}
                        AND period_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date
                        AND replayed_on = (now() AT TIME ZONE 'UTC')::date), 0) AS used,
           ceil(extract(epoch FROM date_trunc('day', now() AT TIME ZONE 'UTC') + interval '1 day' - now() AT TIME ZONE 'UTC'))::int
             AS seconds_left`;
  const { used, seconds_left: secondsLeft } = row ?? { used: 0, seconds_left: 1 };
  return { limit: SELF_SERVICE_LIMITS.replaysOfConsumer.count, used, secondsLeft };
}

/** Thrown inside the transaction to roll it back: a tenant's plan does not allow the charge. */
export class QuotaExceededError extends Error {
  readonly tenantId: string;

  constructor(tenantId: string) {
    super(`the event quota of tenant ${tenantId} does not allow this charge`);
    this.tenantId = tenantId;
  }
}

/**
 * Thrown inside the transaction to roll it back: the limit of a consumer does not allow the charge. The error does not name
 * the consumer: the caller repeats the events one by one.
 */
export class ConsumerQuotaExceededError extends Error {
  constructor() {
    super('the event limit of a consumer does not allow this charge');
  }
}

/** Thrown inside the transaction to roll it back: a consumer cannot replay as many messages on this day. */
export class ReplaysExceededError extends Error {
  constructor() {
    super('the limit of replays of a consumer does not allow this charge');
  }
}

/** A charge that is not allowed evaluates to NULL, which one of these NOT NULL columns refuses with this SQLSTATE. */
const NOT_NULL_VIOLATION = '23502';
const REFUSED_BY: Readonly<Record<string, (tenantId: string) => Error>> = {
  events_used: (tenantId) => new QuotaExceededError(tenantId),
  consumer_events: () => new ConsumerQuotaExceededError(),
  replays_of_day: () => new ReplaysExceededError(),
};

/** The error of the limit that refused a charge; any other error unchanged. */
export function refusedCharge(error: unknown, tenantId: string): unknown {
  if (!(error instanceof Error) || !databaseErrorCodes(error).includes(NOT_NULL_VIOLATION)) return error;
  const column = Object.keys(REFUSED_BY).find((name) => error.message.includes(name));
  return REFUSED_BY[column ?? '']?.(tenantId) ?? error;
}

/** The refusal by the plan of a tenant. Throws any other error again. */
export async function explainRefusal(
  db: AnyClient,
  tenantId: string,
  error: unknown,
): Promise<QuotaExceeded> {
  if (!(error instanceof QuotaExceededError)) throw error;
  const { limit, used, resetsAt } = await readQuota(db, tenantId);
  // The month or the plan has changed since, so the next try may succeed.
  if (limit === null || used < limit) throw new BatcherOverloadedError();
  return { outcome: 'quota_exceeded', limit, used, resetsAt };
}

/** The refusal of an event by its consumer's limit. Throws any other error again. */
export async function explainConsumerRefusal(
  db: Database,
  { environmentId, message: { consumerId } }: EventToAccept,
  error: unknown,
): Promise<QuotaExceeded> {
  if (!(error instanceof ConsumerQuotaExceededError) || consumerId === null) throw error;
  return readConsumerRefusal(db, environmentId, consumerId);
}
