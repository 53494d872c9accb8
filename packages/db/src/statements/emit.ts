import { type JsonObject, type OperationalEventType, QUOTA_THRESHOLDS } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { defineStatement } from './statement.ts';

/** SQL: whether an environment has an operational channel; `environment` is SQL of its UUID. */
export const hasOperationalChannel = (environment: string) => `EXISTS (
  SELECT FROM channels operational
   WHERE operational.environment_id = ${environment} AND operational.operational AND operational.deleted_at IS NULL)`;

/** An operational event. Payload fields whose names end in `_id` hold UUIDs. */
export interface OperationalEvent {
  readonly environmentId: string;
  readonly type: OperationalEventType;
  readonly payload: JsonObject;
  /** Identifies the change: only the first event with a key is stored. Unique in the installation. */
  readonly dedupeKey: string;
}

const emit = defineStatement<OperationalEvent, never>({
  text: `
    INSERT INTO operational_events (environment_id, type, dedupe_key, payload)
    SELECT :environment::uuid, :type, :dedupe_key, :payload::jsonb WHERE ${hasOperationalChannel(':environment::uuid')}
    ON CONFLICT (dedupe_key) DO NOTHING`,
  parameters: {
    environment: ({ environmentId }) => environmentId,
    type: ({ type }) => type,
    dedupe_key: ({ dedupeKey }) => dedupeKey,
    payload: ({ payload }) => JSON.stringify(payload),
  },
});

/**
 * Reports a change in the transaction that makes it, so that both commit or neither does. A sweep sends it. Writes
 * nothing if the environment has no operational channel.
 */
export async function emitOperational(tx: Queryable, event: OperationalEvent): Promise<void> {
  await emit(tx, event);
}

const QUOTA: OperationalEventType = 'quota.threshold';

/** Reports which quota thresholds tenants have reached, each once a month. */
const reportUsedQuota = (which: string) => `
  INSERT INTO operational_events (environment_id, type, dedupe_key, payload)
  SELECT taking.id, '${QUOTA}', report.dedupe_key,
         jsonb_build_object('tenant_id', tenants.id, 'threshold', threshold,
           'events_per_month', plans.events_per_month, 'period_start', usage.period_start)
    FROM plans
    JOIN tenants ON tenants.plan_code = plans.code
    JOIN tenant_usage usage ON usage.tenant_id = tenants.id
     AND usage.period_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date
   CROSS JOIN LATERAL (
     SELECT id FROM environments
      WHERE environments.tenant_id = tenants.id AND ${hasOperationalChannel('environments.id')}
      ORDER BY id LIMIT 1) AS taking
   CROSS JOIN unnest('{${QUOTA_THRESHOLDS.join()}}'::int[]) AS threshold
   CROSS JOIN LATERAL (
     SELECT 'quota/' || tenants.id || '/' || usage.period_start || '/' || threshold AS dedupe_key) AS report
   WHERE ${which} AND plans.events_per_month > 0
     AND usage.events_used * 100 >= plans.events_per_month::int8 * threshold
   ORDER BY report.dedupe_key
  ON CONFLICT (dedupe_key) DO NOTHING`;

const reportTenant = defineStatement<string, never>({
  text: reportUsedQuota('tenants.id = :id::uuid'),
  parameters: { id: (id) => id },
});
const reportPlan = defineStatement<string, never>({
  text: reportUsedQuota('plans.code = :code'),
  parameters: { code: (code) => code },
});
/** How long after a change of a plan or a tenant its quota is checked again, by the clock of the process that changed it. */
const CHANGED_SECONDS = 3_600;
const reportChanged = defineStatement<null, never>({
  text: reportUsedQuota(
    `GREATEST(plans.updated_at, tenants.updated_at) >= now() - interval '${CHANGED_SECONDS} s'`,
  ),
  parameters: {},
});

/**
 * Reports which thresholds of a new quota the tenants of `of` have already reached. Call it in the transaction that
 * changes a plan, or gives a tenant another one: later charges only report thresholds that they pass themselves.
 */
export async function reportLoweredQuota(
  tx: Queryable,
  of: { readonly planCode: string } | { readonly tenantId: string },
): Promise<void> {
  await ('tenantId' in of ? reportTenant(tx, of.tenantId) : reportPlan(tx, of.planCode));
}

/**
 * Reports the same for tenants whose plan changed recently. If an acceptance runs at the same time as the change, it
 * sees the old plan, and the change does not see its usage, so both miss a threshold that they reach together.
 * To prevent this, each acceptance would have to lock its plan, which all of its tenants share.
 */
export async function reportChangedQuota(db: Queryable): Promise<void> {
  await reportChanged(db, null);
}
