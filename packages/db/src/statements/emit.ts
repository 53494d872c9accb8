import {
  type JsonObject,
  type OperationalEventType,
  OUTCOME_EVENT_TYPES,
  QUOTA_THRESHOLDS,
} from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { defineStatement } from '../statement.ts';

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

/** The type of a row that is not an event: a run has ended, and its message may be complete. */
export const RUN_ENDED = 'run.ended';

/**
 * SQL: whether an event of this type is written: the environment has an operational channel and, for an outcome, has chosen it.
 * @param environment SQL of its UUID
 */
const isWanted = (environment: string, type: string) => `
  ${hasOperationalChannel(environment)} AND (${type} <> ALL ('{${OUTCOME_EVENT_TYPES.join()}}') OR EXISTS (
    SELECT FROM environments setting WHERE setting.id = ${environment} AND ${type} = ANY (setting.outcome_events)))`;

const emit = defineStatement<readonly OperationalEvent[], never>({
  text: `
    INSERT INTO operational_events (environment_id, type, dedupe_key, payload)
    SELECT event.environment_id, event.type, event.dedupe_key, event.payload
      FROM (SELECT unnest((SELECT :environmentId::uuid[])) AS environment_id, unnest(:type::text[]) AS type,
                   unnest(:dedupeKey::text[]) AS dedupe_key, unnest(:payload::jsonb[]) AS payload) AS event
     WHERE ${isWanted('event.environment_id', 'event.type')}
     ORDER BY event.dedupe_key
    ON CONFLICT (dedupe_key) DO NOTHING`,
});

/**
 * Reports changes in the transaction that makes them, so that both commit or neither does. A sweep sends them. Writes
 * nothing for an environment without an operational channel, and no outcome that it has not chosen.
 */
export async function emitOperational(tx: Queryable, ...events: readonly OperationalEvent[]): Promise<void> {
  if (events.length > 0) await emit(tx, events);
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

const reportTenant = defineStatement<{ readonly tenantId: string }, never>({
  text: reportUsedQuota('tenants.id = :tenantId::uuid'),
});
const reportPlan = defineStatement<{ readonly planCode: string }, never>({
  text: reportUsedQuota('plans.code = :planCode'),
});
/** How long after a change of a plan or a tenant its quota is checked again. */
const CHANGED_SECONDS = 3_600;
const reportChanged = defineStatement<null, never>({
  text: reportUsedQuota(
    `GREATEST(plans.updated_at, tenants.updated_at) >= now() - interval '${CHANGED_SECONDS} s'`,
  ),
});

/**
 * Reports which thresholds of a new quota the tenants of `of` have already reached. Call it in the transaction that
 * changes a plan, or gives a tenant another one: later charges only report thresholds that they pass themselves.
 */
export async function reportLoweredQuota(
  tx: Queryable,
  of: { readonly planCode: string } | { readonly tenantId: string },
): Promise<void> {
  await ('tenantId' in of ? reportTenant(tx, of) : reportPlan(tx, of));
}

/**
 * Reports the same for tenants whose plan changed recently. If an acceptance runs at the same time as the change, it
 * sees the old plan, and the change does not see its usage, so both miss a threshold that they reach together.
 * To prevent this, each acceptance would have to lock its plan, which all of its tenants share.
 */
export async function reportChangedQuota(db: Queryable): Promise<void> {
  await reportChanged(db, null);
}
