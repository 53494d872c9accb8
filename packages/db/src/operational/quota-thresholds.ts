import { type OperationalEventType, QUOTA_THRESHOLDS } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { defineStatement } from '../statement.ts';

const QUOTA: OperationalEventType = 'quota.threshold';
/** How many hours after its end a month is still reported, because its last events may have reached a threshold. */
const ENDED_WITHIN_HOURS = 1;

/**
 * Starts with the tenants that have operational channels, so its cost does not depend on the number of tenants. A month that has
 * ended is left out if the plan has changed since, because that plan was not its limit.
 */
const report = defineStatement<{ readonly hours: number }, never>({
  text: `
    WITH taking AS MATERIALIZED (
      SELECT DISTINCT ON (tenant_id) tenant_id, environments.id AS environment_id
        FROM (SELECT DISTINCT environment_id AS id FROM channels WHERE operational AND deleted_at IS NULL) operational
        JOIN environments USING (id)
       ORDER BY tenant_id, environments.id
    ), months AS MATERIALIZED (
      SELECT DISTINCT date_trunc('month', now() AT TIME ZONE 'UTC')::date AS current,
             unnest(ARRAY[date_trunc('month', now() AT TIME ZONE 'UTC'),
                          date_trunc('month', now() AT TIME ZONE 'UTC' - make_interval(hours => :hours::int))])::date AS period_start
    )
    INSERT INTO operational_events (environment_id, type, dedupe_key, payload)
    SELECT taking.environment_id, '${QUOTA}', report.dedupe_key,
           jsonb_build_object('tenant_id', tenants.id, 'threshold', threshold,
             'events_per_month', plans.events_per_month, 'period_start', usage.period_start)
      FROM taking
      JOIN tenants ON tenants.id = taking.tenant_id
      JOIN plans ON plans.code = tenants.plan_code
     CROSS JOIN months
      JOIN tenant_usage usage ON usage.tenant_id = tenants.id AND usage.period_start = months.period_start
     CROSS JOIN unnest('{${QUOTA_THRESHOLDS.join()}}'::int[]) AS threshold
     CROSS JOIN LATERAL (
       SELECT 'quota/' || tenants.id || '/' || usage.period_start || '/' || threshold AS dedupe_key) AS report
     WHERE plans.events_per_month > 0 AND usage.events_used * 100 >= plans.events_per_month::int8 * threshold
       AND (usage.period_start = months.current
            OR GREATEST(plans.updated_at, tenants.updated_at) < months.current::timestamp AT TIME ZONE 'UTC')
       AND NOT EXISTS (SELECT FROM operational_events known WHERE known.dedupe_key = report.dedupe_key)
     ORDER BY report.dedupe_key
    ON CONFLICT (dedupe_key) DO NOTHING`,
});

/**
 * Reports which thresholds of their quota the tenants with operational channels have reached by their present plan, each
 * once a month.
 * @param hours how many hours after its end a month is still reported
 */
export async function reportQuotaThresholds(db: Queryable, hours = ENDED_WITHIN_HOURS): Promise<void> {
  await report(db, { hours });
}
