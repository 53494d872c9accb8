import { Client } from 'pg';
import {
  createFixture,
  createTestDatabase,
  type Fixture,
  type TestDatabase,
} from '../../src/testing/index.ts';
import { WEBHOOK } from '../support.ts';

/** The tables that grow with accepted events, or with what operators do. */
export const LARGE_TABLES = [
  ...['messages', 'delivery_runs', 'attempts', 'idempotency_records'],
  ...['stats', 'audit_log', 'replay_batches'],
];
const MESSAGES = 100_000;
/** The rows of each other table. */
const ROWS = 20_000;
/** The provider's id of every 20th message. */
export const SHARED_MESSAGE_ID = 'shared';
const CHANNELS = ['one', 'two', 'three'].map((name) => ({ ...WEBHOOK, name }));

export interface GrownDatabase extends TestDatabase {
  readonly environments: readonly Fixture[];
}

/** A UUIDv7 of the `i`-th millisecond, which `mark` tells apart from those of other tables. */
const idOf = (mark: string) =>
  `(lpad(to_hex(first_at + i), 12, '0') || '7000${mark}' || lpad(to_hex(i), 12, '0'))::uuid`;

/** Most have succeeded; some 1,500 wait, a third of them due, and 200 are held, half of them for too long. */
const STATUS = `CASE
  WHEN i % 500 = 5 THEN 'running' WHEN i % 100 = 1 THEN 'failed' WHEN i % 200 = 2 THEN 'queued'
  WHEN i % 200 = 3 THEN 'scheduled' WHEN i % 200 = 4 THEN 'retrying' ELSE 'succeeded' END`;
const LEASE = `CASE WHEN i % 1000 = 5 THEN '-1 minute' ELSE '1 hour' END::interval`;

/** Statements that read the one row of `made`, see {@link fill}. */
const FILL = [
  `INSERT INTO messages
     (environment_id, id, event_key, recipient, recipient_email, payload, trace_id, created_at)
   SELECT environments[1 + i % cardinality(environments)], ${idOf('a000')}, 'order.shipped', '{}',
          'user' || i % 5000 || '@example.com', '{}', '0', to_timestamp((first_at + i) / 1000.0)
     FROM made, generate_series(1, ${MESSAGES}) AS i`,
  `INSERT INTO delivery_runs
     (id, environment_id, message_id, channel_id, channel_kind, status, max_attempts, attempt_count, fence,
      lease_until, scheduled_at, due_at, completed_at, created_at, last_error_code)
   SELECT ${idOf('b000')}, environments[1 + i % cardinality(environments)], ${idOf('a000')},
          channels[1 + i % cardinality(channels)], 'webhook', status, 3, opened, opened,
          CASE status WHEN 'running' THEN now() + ${LEASE} END,
          CASE status WHEN 'scheduled' THEN now() + interval '1 hour' END,
          now() + CASE WHEN status IN ('scheduled', 'retrying') THEN '1 hour' ELSE '-1 hour' END::interval,
          CASE WHEN status IN ('succeeded', 'failed') THEN now() END,
          to_timestamp((first_at + i) / 1000.0), CASE WHEN status IN ('failed', 'retrying') THEN 'webhook_http_error' END
     FROM made, (SELECT i, status, CASE WHEN status IN ('queued', 'scheduled') THEN 0 ELSE 1 END AS opened
                   FROM (SELECT i, ${STATUS} AS status FROM generate_series(1, ${MESSAGES}) AS i) AS numbered
                ) AS counted`,
  `INSERT INTO attempts (run_id, number, id, fence, status, error_code, started_at, completed_at, provider_message_id)
   SELECT id, 1, replace(id::text, '7000-b000', '7000-d000')::uuid, 1,
          CASE WHEN status IN ('running', 'succeeded') THEN status ELSE 'failed' END,
          CASE WHEN status IN ('failed', 'retrying') THEN 'webhook_http_error' END, created_at,
          CASE WHEN status <> 'running' THEN created_at END,
          CASE WHEN (extract(epoch FROM created_at) * 1000)::int8 % 20 = 0 THEN '${SHARED_MESSAGE_ID}' ELSE id::text END
     FROM delivery_runs
    WHERE attempt_count = 1`,
  `INSERT INTO idempotency_records
     (environment_id, operation, key, fingerprint, response_status, response_body, created_at, expires_at)
   SELECT environments[1 + i % cardinality(environments)], 'events.create', ${idOf('c000')},
          decode(repeat('00', 32), 'hex'), 201, '{}', now(),
          now() + CASE WHEN i % 20 = 0 THEN '-1 minute' ELSE '12 hours' END::interval
     FROM made, generate_series(1, ${MESSAGES}) AS i`,
  // Held runs of the third channel of each environment, whose probe is due: 1,500 each, which a read of its health counts.
  `INSERT INTO delivery_runs
     (id, environment_id, message_id, channel_id, channel_kind, replay, held, status, max_attempts, due_at, created_at)
   SELECT ${idOf('b100')}, environments[1 + i % cardinality(environments)], ${idOf('a000')}, channels[7 + i % 3], 'webhook', 100,
          'paused', 'queued', 3, '9999-12-31T00:00:00Z', to_timestamp((first_at + i) / 1000.0)
     FROM made, generate_series(1, 4_500) AS i`,
  `INSERT INTO channel_health (channel_id, environment_id, state, reason, failing_since, failures, next_probe_at)
   SELECT channel, environment_id, CASE WHEN place > 6 THEN 'paused' ELSE 'failing' END, 'failures', now(), 50, now()
     FROM made, unnest(channels) WITH ORDINALITY AS of (channel, place) JOIN channels ON channels.id = channel`,
  // By minute and by hour, none of them old.
  `INSERT INTO stats (environment_id, span_seconds, start, channel_id, event_key, error_code, latency_bucket, accepted,
                      delivered, failed, attempts)
   SELECT environments[1 + i % cardinality(environments)], CASE WHEN i % 2 = 0 THEN 60 ELSE 3600 END,
          date_trunc('hour', now()) - make_interval(mins => CASE WHEN i % 2 = 0 THEN i / 16 ELSE i * 30 END),
          channels[1 + i % cardinality(channels)], 'order.e' || i % 16, '', 0, 1, 1, 0, 1
     FROM made, generate_series(1, ${ROWS}) AS i`,
  // Over 40 days, and so are their ids. One of a hundred is by another operator, about another thing.
  `INSERT INTO audit_log (id, actor, action, resource_type, resource_id, created_at)
   SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7000e000' || lpad(to_hex(i), 12, '0'))::uuid,
          CASE WHEN i < 200 THEN 'ada' ELSE 'admin' END, CASE WHEN i < 200 THEN 'plan.created' ELSE 'channel.updated' END,
          CASE WHEN i < 200 THEN 'plan' ELSE 'channel' END, 'resource', at
     FROM generate_series(1, ${ROWS}) AS i
    CROSS JOIN LATERAL (SELECT now() - interval '40 days' * (1 - i / ${ROWS}.0) AS at) AS time`,
  `INSERT INTO replay_batches (id, environment_id, status, filter, channel_ids, messages_per_second, matched,
                               matched_is_lower_bound, replayed, created_at, completed_at)
   SELECT ${idOf('9000')}, environments[1], 'completed',
          CASE WHEN i % 2 = 0 THEN jsonb_build_object('recipient_email', 'user' || i || '@example.com') ELSE '{}' END,
          '{}', 50, 1, false, 1, now() - interval '1 day', now()
     FROM made, generate_series(1, ${ROWS}) AS i`,
];

async function createEnvironments(database: TestDatabase, count: number): Promise<Fixture[]> {
  const environments: Fixture[] = [];
  while (environments.length < count) {
    environments.push(await createFixture(database.db, { channels: CHANNELS }));
  }
  return environments;
}

/** Foreign keys and triggers would double the time, and say nothing: the rows are made to fit. */
async function fill(client: Client, environments: readonly Fixture[]): Promise<void> {
  await client.query("SET session_replication_role = 'replica'");
  const environmentIds = environments.map(({ environmentId }) => environmentId);
  // In this order the n-th channel is of the environment that is the n-th modulo their number.
  const channelIds = CHANNELS.flatMap((_, place) => environments.map(({ channels }) => channels[place]?.id));
  await client.query(`CREATE TEMPORARY TABLE made AS
    SELECT ${Date.now() - MESSAGES}::bigint AS first_at, '{${environmentIds}}'::uuid[] AS environments,
           '{${channelIds}}'::uuid[] AS channels`);
  for (const statement of FILL) await client.query(statement);
  await client.query(`VACUUM (ANALYZE) ${[...LARGE_TABLES, 'channel_health'].join(', ')}`);
}

/**
 * A database with 100,000 messages of three environments, as many runs and idempotency records, and an
 * attempt of each run that was ever taken. Its client has one connection.
 */
export async function createGrownDatabase(): Promise<GrownDatabase> {
  const database = await createTestDatabase({ poolSize: 1 });
  const environments = await createEnvironments(database, 3);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await fill(client, environments);
  } finally {
    await client.end();
  }
  return { ...database, environments };
}
