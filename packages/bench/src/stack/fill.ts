import type { Client } from 'pg';
import { withClient } from './databases.ts';
import type { LoadTenant } from './tenants.ts';

/** Messages per transaction. */
const CHUNK = 100_000;
/** The time that the messages are spread over: as long as plans commonly keep them. */
const SPAN = "interval '30 days'";

/** A UUIDv7 of the time `at`. PostgreSQL has a function for it from version 18 on. */
const ID_AT = `(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0')
                || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`;

/** One row per message, oldest first, with ids of its time. */
const CREATE_FILL = `
  CREATE TEMPORARY TABLE fill ON COMMIT DROP AS
  SELECT at, ${ID_AT} AS message_id, ${ID_AT} AS run_id, ${ID_AT} AS attempt_id
    FROM generate_series($1::bigint, $2::bigint - 1) AS number
   CROSS JOIN LATERAL (
     SELECT clock_timestamp() - ${SPAN} * (1 - number / $3::float8) - make_interval(days => $4::int) AS at) AS age`;

/** The rows of a delivered event. */
const INSERTS: readonly string[] = [
  `INSERT INTO messages (environment_id, id, event_key, recipient, recipient_email, payload, trace_id, created_at)
   SELECT $1, message_id, 'order.paid', '{"email":"ada@example.com","name":"Ada"}', 'ada@example.com', $3,
          repeat('0', 32), at
     FROM fill CROSS JOIN (SELECT $2::uuid) AS channel`,
  `INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, status, max_attempts,
                              attempt_count, fence, due_at, started_at, completed_at, created_at)
   SELECT run_id, $1, message_id, $2, 'webhook', 'succeeded', 5, 1, 1, at, at, at, at
     FROM fill CROSS JOIN (SELECT $3::jsonb) AS payload`,
  `INSERT INTO attempts (run_id, number, id, fence, status, started_at, completed_at, duration_ms, response_status,
                         response_excerpt)
   SELECT run_id, 1, attempt_id, 1, 'succeeded', at, at, 5, 200, ''
     FROM fill CROSS JOIN (SELECT $1::uuid, $2::uuid, $3::jsonb) AS unused`,
  // Older records have been removed by a sweep.
  `INSERT INTO idempotency_records (environment_id, operation, key, fingerprint, response_status, response_body,
                                    created_at, expires_at)
   SELECT $1, 'events.create', gen_random_uuid(), decode(repeat('ab', 32), 'hex'), 201,
          decode(repeat('61', 400), 'hex'), at, at + interval '24 hours'
     FROM fill CROSS JOIN (SELECT $2::uuid, $3::jsonb) AS unused
    WHERE at > now() - interval '24 hours'`,
];

async function fillChunk(
  client: Client,
  { environmentId, channelId }: LoadTenant,
  payload: string,
): Promise<void> {
  for (const insert of INSERTS) await client.query(insert, [environmentId, channelId, payload]);
}

/**
 * Stores a number of delivered messages of a tenant, spread over the 30 days that ended `daysAgo`, and updates
 * Postgres' statistics.
 */
export async function fillWithMessages(
  databaseUrl: string,
  tenant: LoadTenant,
  messages: number,
  payload: string,
  daysAgo = 0,
): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    // Skips the checks of foreign keys, which would take most of the time: the rows refer to rows that exist.
    await client.query("SET session_replication_role = 'replica'");
    for (let first = 0; first < messages; first += CHUNK) {
      await client.query('BEGIN');
      await client.query(CREATE_FILL, [first, Math.min(messages, first + CHUNK), messages, daysAgo]);
      await fillChunk(client, tenant, payload);
      await client.query('COMMIT');
    }
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
  });
}
