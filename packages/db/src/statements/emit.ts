import {
  type AttemptErrorCode,
  type JsonObject,
  type OperationalEventType,
  QUOTA_THRESHOLDS,
} from '@postrider/domain';
import { Prisma, type Queryable } from '../client.ts';

/** SQL: whether an environment has an operational channel; `environment` is SQL of its UUID. */
export const hasOperationalChannel = (environment: Prisma.Sql) => Prisma.sql`EXISTS (
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

/**
 * Reports a change in the transaction that makes it, so that both commit or neither does. A sweep sends it. Writes
 * nothing if the environment has no operational channel.
 */
export async function emitOperational(
  tx: Queryable,
  { environmentId, type, payload, dedupeKey }: OperationalEvent,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO operational_events (environment_id, type, dedupe_key, payload)
    SELECT ${environmentId}::uuid, ${type}, ${dedupeKey}, ${JSON.stringify(payload)}::jsonb
     WHERE ${hasOperationalChannel(Prisma.sql`${environmentId}::uuid`)}
    ON CONFLICT (dedupe_key) DO NOTHING`;
}

const RUN_EXHAUSTED: OperationalEventType = 'run.exhausted';
const RENDER_FAILED: OperationalEventType = 'template.render_failed';
/** Error codes of runs that end because of a change by an operator or a recipient. */
const STOPPED: readonly AttemptErrorCode[] = [
  'channel_disabled',
  'recipient_suppressed',
  'scheduled_cancelled',
];
const QUOTA: OperationalEventType = 'quota.threshold';

/**
 * The step that reports attempts of `moved` that ended their runs as failed, and once a day the event keys of a
 * channel whose template failed. Tests, operational messages, and runs that someone stopped on purpose are not reported.
 */
export const REPORT_CLOSED: Prisma.Sql = Prisma.sql`reported AS (
      INSERT INTO operational_events (environment_id, type, dedupe_key, payload)
      SELECT counted_environment_id, report.type, report.dedupe_key, jsonb_build_object(
               'delivery_run_id', moved.run_id, 'message_id', counted_message_id, 'channel_id', counted_channel_id,
               'event_key', message.event_key, 'attempts', moved.number, 'error_code', moved.error_code)
        FROM moved
        JOIN messages message
          ON message.environment_id = counted_environment_id AND message.id = counted_message_id
       CROSS JOIN LATERAL (
         SELECT ${RUN_EXHAUSTED}::text AS type, 'run/' || moved.run_id AS dedupe_key
          UNION ALL
         SELECT ${RENDER_FAILED}::text, 'render/' || counted_channel_id || '/' || message.event_key || '/' || CURRENT_DATE
          WHERE moved.error_code = 'template_render_failed') AS report
       WHERE moved.next_status = 'failed' AND moved.error_code <> ALL (${STOPPED}::text[]) AND NOT message.test AND message.operational IS NULL
         AND ${hasOperationalChannel(Prisma.sql`counted_environment_id`)}
       ORDER BY report.dedupe_key
      ON CONFLICT (dedupe_key) DO NOTHING
    )`;

/** How long after a change of a plan or a tenant its quota is checked again, by the clock of the process that changed it. */
const CHANGED_SECONDS = 3_600;

/** Reports which quota thresholds tenants have reached, each once a month. */
async function reportUsedQuota(db: Queryable, which: Prisma.Sql): Promise<void> {
  await db.$executeRaw`
    INSERT INTO operational_events (environment_id, type, dedupe_key, payload)
    SELECT taking.id, ${QUOTA}::text, report.dedupe_key,
           jsonb_build_object('tenant_id', tenants.id, 'threshold', threshold,
             'events_per_month', plans.events_per_month, 'period_start', usage.period_start)
      FROM plans
      JOIN tenants ON tenants.plan_code = plans.code
      JOIN tenant_usage usage ON usage.tenant_id = tenants.id
       AND usage.period_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date
     CROSS JOIN LATERAL (
       SELECT id FROM environments
        WHERE environments.tenant_id = tenants.id AND ${hasOperationalChannel(Prisma.sql`environments.id`)}
        ORDER BY id LIMIT 1) AS taking
     CROSS JOIN unnest(${[...QUOTA_THRESHOLDS]}::int[]) AS threshold
     CROSS JOIN LATERAL (
       SELECT 'quota/' || tenants.id || '/' || usage.period_start || '/' || threshold AS dedupe_key) AS report
     WHERE ${which} AND plans.events_per_month > 0
       AND usage.events_used * 100 >= plans.events_per_month::int8 * threshold
     ORDER BY report.dedupe_key
    ON CONFLICT (dedupe_key) DO NOTHING`;
}

/**
 * Reports which thresholds of a new quota the tenants of `of` have already reached. Call it in the transaction that
 * changes a plan, or gives a tenant another one: later charges only report thresholds that they pass themselves.
 */
export function reportLoweredQuota(
  tx: Queryable,
  of: { readonly planCode: string } | { readonly tenantId: string },
): Promise<void> {
  return reportUsedQuota(
    tx,
    'tenantId' in of
      ? Prisma.sql`tenants.id = ${of.tenantId}::uuid`
      : Prisma.sql`plans.code = ${of.planCode}`,
  );
}

/**
 * Reports the same for tenants whose plan changed recently. If an acceptance runs at the same time as the change, it
 * sees the old plan, and the change does not see its usage, so both miss a threshold that they reach together.
 * To prevent this, each acceptance would have to lock its plan, which all of its tenants share.
 */
export const reportChangedQuota = (db: Queryable): Promise<void> =>
  reportUsedQuota(
    db,
    Prisma.sql`GREATEST(plans.updated_at, tenants.updated_at) >= now() - make_interval(secs => ${CHANGED_SECONDS}::int)`,
  );
