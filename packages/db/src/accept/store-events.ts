import { addressOf, type JsonObject, periodOf } from '@postrider/domain';
import { type AnyClient, databaseErrorCodes } from '../client.ts';
import { environmentScope } from '../scope/environment-scope.ts';
import { IDEMPOTENCY_RETENTION_HOURS } from './idempotency.ts';
import { QuotaExceededError } from './quota.ts';
import type { CreatedRun, IdempotencyClaim } from './types.ts';

/** An event with its message, its runs and the answer that they make. */
export interface EventToStore {
  readonly tenantId: string;
  readonly idempotency: IdempotencyClaim;
  readonly messageId: string;
  readonly eventKey: string;
  readonly recipient: JsonObject;
  readonly payload: JsonObject;
  readonly scheduleAt: Date | null;
  readonly requestId: string | null;
  readonly traceId: string;
  readonly traceparent: string | null;
  readonly runs: readonly CreatedRun[];
  readonly responseStatus: number;
  /** JSON in UTF-8. */
  readonly responseBody: Uint8Array;
}

/** What a batch has stored. */
export interface StoredEvents {
  /** The messages whose keys were free. */
  readonly messages: ReadonlySet<string>;
  /** Events used in the period by each tenant of these messages, these among them. */
  readonly used: Readonly<Record<string, number>>;
}

/**
 * How long after its time the statement that stores an event may begin. The erasure of a recipient looks for events up
 * to its own time for longer than this, the longest statement and its commit take.
 */
export const STORED_WITHIN_SECONDS = 5;

/** Its one row; the last two are null where nothing was stored. */
interface StoredRow {
  readonly timely: boolean;
  readonly messages: string[] | null;
  readonly used: Record<string, number> | null;
}

/** No tenant of the statement is named: a batch is run again in parts until one is left. */
const SOME_TENANT = '';

/** SQLSTATE of NULL in a column that takes none, and the column that says so when a plan does not hold a charge. */
const NOT_NULL_VIOLATION = '23502';
const CHARGED_COLUMN = 'events_used';

/** The same bytes, not copied. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

/** One JSON text for the whole batch: an array per column would have every payload escaped a second time. */
function toRow({ idempotency, messageId, ...event }: EventToStore) {
  return {
    tenant_id: event.tenantId,
    environment_id: idempotency.environmentId,
    operation: idempotency.operation,
    key: idempotency.key,
    fingerprint: asBuffer(idempotency.fingerprint).toString('hex'),
    response_status: event.responseStatus,
    response_body: asBuffer(event.responseBody).toString('utf8'),
    message_id: messageId,
    event_key: event.eventKey,
    recipient: event.recipient,
    recipient_email: addressOf(event.recipient),
    payload: event.payload,
    schedule_at: event.scheduleAt,
    request_id: event.requestId,
    trace_id: event.traceId,
    traceparent: event.traceparent,
    runs: event.runs.map((run) => ({
      id: run.id,
      channel_id: run.channel.id,
      channel_kind: run.channel.kind,
      template_version_id: run.templateVersionId,
      status: run.status,
      max_attempts: run.maxAttempts,
      scheduled_at: run.scheduledAt,
    })),
  };
}

function isQuotaRefusal(error: unknown): boolean {
  return (
    databaseErrorCodes(error).includes(NOT_NULL_VIOLATION) &&
    error instanceof Error &&
    error.message.includes(CHARGED_COLUMN)
  );
}

/**
 * Stores events, dated `now`, in one statement, which is a transaction of its own: one round trip and one
 * commit for the batch. Stores the messages whose keys are free (new, or older than 24 hours by the database's
 * clock), runs, usage and all, and nothing of the others. Null, and nothing is stored, when `now` is too long ago:
 * whoever comes after an event by its time must not find it later. All or nothing: throws
 * {@link QuotaExceededError} when the plan of any tenant does not hold its part.
 *
 * Its steps come after each other because each reads a count of the one before: rows are locked in one order
 * (keys, environments, tenants, each in the order of ids), so that two batches cannot deadlock, and a tenant's
 * row, on which everybody else of the tenant waits, comes last. A charge that the plan does not hold has no
 * value, which the column refuses; a function that raises would be a stored procedure.
 */
export async function storeEvents(
  db: AnyClient,
  events: readonly EventToStore[],
  { now, lockTimeoutMs }: { now: Date; lockTimeoutMs: number },
): Promise<StoredEvents | null> {
  const period = periodOf(now).start;
  try {
    const [row] = await db.$queryRaw<StoredRow[]>`
      WITH bounds AS MATERIALIZED (
        SELECT set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true) AS lock_timeout,
               clock_timestamp() - ${now}::timestamptz < make_interval(secs => ${STORED_WITHIN_SECONDS}) AS timely
      ), event AS MATERIALIZED (
        SELECT event.*
          FROM bounds
         CROSS JOIN json_to_recordset(${JSON.stringify(events.map(toRow))}::json) AS event (
           tenant_id uuid, environment_id uuid, operation text, key uuid, fingerprint text, response_status int,
           response_body text, message_id uuid, event_key text, recipient jsonb, recipient_email text, payload jsonb,
           schedule_at timestamptz, request_id text, trace_id text, traceparent text, runs json)
         WHERE bounds.lock_timeout IS NOT NULL AND bounds.timely
      ), stored AS (
        INSERT INTO idempotency_records AS stored
          (environment_id, operation, key, fingerprint, response_status, response_body, created_at, expires_at)
        SELECT environment_id, operation, key, decode(fingerprint, 'hex'), response_status,
               convert_to(response_body, 'UTF8'), now(),
               now() + make_interval(hours => ${IDEMPOTENCY_RETENTION_HOURS}::int)
          FROM event
         ORDER BY environment_id, operation, key
        ON CONFLICT (environment_id, operation, key) DO UPDATE
          SET fingerprint = EXCLUDED.fingerprint, response_status = EXCLUDED.response_status,
              response_body = EXCLUDED.response_body, created_at = EXCLUDED.created_at,
              expires_at = EXCLUDED.expires_at
          WHERE stored.expires_at <= now()
        RETURNING environment_id, operation, key
      ), winner AS MATERIALIZED (
        SELECT event.* FROM event JOIN stored USING (environment_id, operation, key)
      ), message AS (
        INSERT INTO messages (environment_id, id, event_key, recipient, recipient_email, payload, schedule_at,
                              request_id, trace_id, created_at)
        SELECT environment_id, message_id, event_key, recipient, recipient_email, payload, schedule_at,
               request_id, trace_id, ${now}::timestamptz
          FROM winner
        RETURNING 1
      ), run AS (
        INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, template_version_id,
                                   status, max_attempts, scheduled_at, due_at, created_at, traceparent)
        SELECT run.id, environment_id, message_id, channel_id, channel_kind, template_version_id, status, max_attempts,
               scheduled_at, COALESCE(scheduled_at, ${now}::timestamptz), ${now}::timestamptz, traceparent
          FROM winner
         CROSS JOIN json_to_recordset(winner.runs) AS run (
           id uuid, channel_id uuid, channel_kind text, template_version_id uuid, status text, max_attempts int,
           scheduled_at timestamptz)
         WHERE (SELECT count(*) FROM message) > 0
        RETURNING 1
      ), environment AS (
        INSERT INTO environment_usage AS usage (environment_id, period_start, events_used)
        SELECT environment_id, ${period}::date, count(*)
          FROM winner
         WHERE (SELECT count(*) FROM run) > 0
         GROUP BY environment_id
         ORDER BY environment_id
        ON CONFLICT (environment_id, period_start)
          DO UPDATE SET events_used = usage.events_used + EXCLUDED.events_used
        RETURNING 1
      ), charge AS MATERIALIZED (
        SELECT tenant_id, count(*) AS events
          FROM winner WHERE (SELECT count(*) FROM environment) > 0
         GROUP BY tenant_id
      ), charged AS (
        INSERT INTO tenant_usage AS usage (tenant_id, period_start, events_used)
        SELECT tenant_id, ${period}::date,
               CASE WHEN plans.events_per_month IS NULL OR events <= plans.events_per_month THEN events END
          FROM charge
          JOIN tenants ON tenants.id = tenant_id
          JOIN plans ON plans.code = tenants.plan_code
         ORDER BY tenant_id
        ON CONFLICT (tenant_id, period_start) DO UPDATE SET events_used = CASE
          WHEN COALESCE(
            usage.events_used + EXCLUDED.events_used <= (
              SELECT events_per_month FROM tenants JOIN plans ON plans.code = plan_code
               WHERE tenants.id = usage.tenant_id), true)
          THEN usage.events_used + EXCLUDED.events_used END
        RETURNING tenant_id, events_used
      )
      SELECT timely, (SELECT array_agg(message_id) FROM winner) AS messages,
             (SELECT json_object_agg(tenant_id, events_used) FROM charged) AS used
        FROM bounds ${environmentScope(events.map(({ idempotency }) => idempotency.environmentId))}`;
    return row?.timely ? { messages: new Set(row.messages), used: row.used ?? {} } : null;
  } catch (error) {
    if (isQuotaRefusal(error)) throw new QuotaExceededError(SOME_TENANT);
    throw error;
  }
}
