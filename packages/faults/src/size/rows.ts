/**
 * SQL that fills an installation. Each statement inserts the rows of the messages `$1` to `$2`; `made` is a table of one row
 * with what they have in common. Ids are UUIDv7 of the rows' times, as those of the service.
 */

const HEX_TIME = (ms: string) => `lpad(to_hex((${ms})::bigint), 12, '0')`;
const idOf = (mark: string, ms: string, i = 'i') =>
  `(${HEX_TIME(ms)} || '7000${mark}' || lpad(to_hex(${i}), 12, '0'))::uuid`;

/** The time of message `i`: evenly over the days before now. */
const MS = 'first_ms + i * step_ms';
const AT = `to_timestamp((${MS}) / 1000.0)`;
const MESSAGE_ID = idOf('a000', MS);
/** Six of ten messages are of one environment. */
const PLACE = 'CASE WHEN i % 10 < 6 THEN 1 ELSE 2 + i % (cardinality(environments) - 1) END';
const ENVIRONMENT = `environments[${PLACE}]`;

/** The addresses of one recipient, who is erased, and of many others. */
const EMAIL = `CASE WHEN i % 150 = 0 THEN 'erased@example.com' ELSE 'user' || i % 50000 || '@example.com' END`;

const MESSAGES = `
  INSERT INTO messages (environment_id, id, event_key, recipient, recipient_email, payload, trace_id, request_id, test,
                        replay_count, ordering_key, created_at)
  SELECT ${ENVIRONMENT}, ${MESSAGE_ID}, 'order.e' || i % 50, jsonb_build_object('email', ${EMAIL}, 'id', 'u-' || i % 50000), ${EMAIL},
         jsonb_build_object('order', i, 'lines', repeat('x', 200)), md5(i::text), 'request-' || i, i % 5000 = 11,
         CASE WHEN i % 30 = 9 THEN 1 ELSE 0 END, CASE WHEN i % 1000 = 6 THEN 'customer ' || i % 7 END, ${AT}
    FROM made, generate_series($1::int, $2::int) AS i`;

/** Every tenth message has a business id. */
const KEYS = `
  INSERT INTO message_keys (environment_id, message_id, name, value)
  SELECT ${ENVIRONMENT}, ${MESSAGE_ID}, '/order', 'order ' || i FROM made, generate_series($1::int, $2::int) AS i WHERE i % 10 = 0`;

/**
 * A run on the webhook channel and one on the email channel of each message, one by a replay for every 30th. A few wait: due,
 * scheduled, between attempts, held by a paused channel, for the limits of a channel.
 */
const RUNS = `
  INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, template_version_id, replay, status,
                             max_attempts, attempt_count, fence, scheduled_at, due_at, started_at, completed_at, created_at,
                             last_error_code, held, ordering_key, sequence)
  SELECT ${idOf('b000', MS, 'i * 4 + run')}, environment_id, ${MESSAGE_ID}, channel_id,
         CASE WHEN channel = 2 THEN 'email' ELSE 'webhook' END, CASE WHEN channel = 2 THEN template_id END,
         CASE WHEN run = 3 THEN 1 ELSE 0 END, status, 3, attempts, attempts,
         CASE status WHEN 'scheduled' THEN due_at END, due_at, CASE WHEN attempts > 0 THEN created_at END,
         CASE WHEN status IN ('succeeded', 'failed') THEN created_at + interval '1 second' END, created_at,
         CASE WHEN status = 'failed' OR attempts = 2 THEN CASE WHEN channel = 2 THEN 'smtp_permanent_rejection' ELSE 'webhook_http_error' END END,
         CASE WHEN channel = 3 THEN 'paused' END, ordering_key, sequence
    FROM made CROSS JOIN generate_series($1::int, $2::int) AS i CROSS JOIN generate_series(1, 3) AS run
   CROSS JOIN LATERAL (
     SELECT ${ENVIRONMENT} AS environment_id, ${PLACE} AS place, ${AT} AS created_at,
            CASE WHEN run = 2 THEN 2 WHEN run = 3 THEN 1 WHEN i % 500 = 4 THEN 3 WHEN i % 1000 = 5 THEN 4
                 WHEN i % 1000 = 6 THEN 5 ELSE 1 END AS channel) AS base
   CROSS JOIN LATERAL (
     SELECT channels[(place - 1) * 5 + channel] AS channel_id, templates[place] AS template_id,
            CASE WHEN channel = 3 OR channel = 4 THEN 'queued' WHEN channel = 5 THEN 'succeeded'
                 WHEN run = 1 AND i % 2000 = 1 THEN 'queued' WHEN run = 1 AND i % 1000 = 2 THEN 'scheduled'
                 WHEN run = 1 AND i % 1000 = 3 THEN 'retrying' WHEN i % 50 = 7 THEN 'failed' ELSE 'succeeded' END AS status,
            CASE WHEN channel = 5 THEN 'customer ' || i % 7 END AS ordering_key,
            CASE WHEN channel = 5 THEN i / 1000 + 1 END AS sequence) AS state
   CROSS JOIN LATERAL (
     SELECT CASE WHEN status IN ('queued', 'scheduled') THEN 0 WHEN i % 25 = 7 THEN 2 ELSE 1 END AS attempts,
            CASE WHEN channel = 3 THEN '9999-12-31T00:00:00Z'::timestamptz
                 WHEN status IN ('scheduled', 'retrying') THEN now() + make_interval(hours => 2 + i % 200) ELSE created_at END AS due_at
            ) AS rest
   WHERE run < 3 OR i % 30 = 9`;

const ATTEMPTS = `
  INSERT INTO attempts (run_id, number, id, fence, status, error_code, error_message, retryable, started_at, completed_at,
                        duration_ms, response_status, provider_message_id)
  SELECT run.id, number, overlay(run.id::text PLACING 'd00' || number FROM 20 FOR 4)::uuid, number, outcome,
         CASE outcome WHEN 'failed' THEN COALESCE(last_error_code, 'webhook_http_error') END,
         CASE outcome WHEN 'failed' THEN 'The receiver refused it.' END, CASE outcome WHEN 'failed' THEN true END,
         run.created_at + make_interval(secs => number - 1), run.created_at + make_interval(secs => number), 40, 200,
         CASE WHEN channel_kind = 'email' THEN 'mail-' || run.id END
    FROM made CROSS JOIN generate_series($1::int, $2::int) AS i
    JOIN delivery_runs run ON run.environment_id = ${ENVIRONMENT} AND run.message_id = ${MESSAGE_ID}
   CROSS JOIN generate_series(1, run.attempt_count) AS number
   CROSS JOIN LATERAL (
     SELECT CASE WHEN run.status = 'succeeded' AND number = run.attempt_count THEN 'succeeded' ELSE 'failed' END AS outcome) AS state`;

/** Stored responses are kept for a day. */
const RESPONSES = `
  INSERT INTO idempotency_records (environment_id, operation, key, fingerprint, response_status, response_body, created_at, expires_at)
  SELECT ${ENVIRONMENT}, 'events.create', ${idOf('c000', MS)}, decode(md5(i::text) || md5(i::text), 'hex'), 201,
         convert_to(repeat('{"delivery_runs": []}', 15), 'UTF8'), ${AT}, ${AT} + interval '1 day'
    FROM made, generate_series($1::int, $2::int) AS i WHERE ${AT} > now() - interval '1 day'`;

/** Half by minute over two days, half by hour over 400; two of three figures are of the large environment. */
const FIGURES = `
  INSERT INTO stats (environment_id, span_seconds, start, channel_id, sender, event_key, error_code, latency_bucket, accepted,
                     delivered, failed, attempts, complained)
  SELECT environments[place], span, to_timestamp(floor((extract(epoch FROM now()) - back) / span) * span),
         channels[(place - 1) * 5 + 1 + i % 2], CASE WHEN i % 2 = 0 THEN '' WHEN i % 6 = 1 THEN 'backup' ELSE 'smtp' END,
         'order.e' || i / 2 % 50,
         CASE WHEN i % 40 = 5 THEN 'webhook_http_error' WHEN i % 400 = 7 THEN 'template_render_failed' ELSE '' END, i / 100 % 30, 3,
         CASE WHEN i % 40 = 5 THEN 0 ELSE 2 END, CASE WHEN i % 40 = 5 THEN 1 ELSE 0 END, 4,
         CASE WHEN i % 50 = 1 THEN 1 ELSE 0 END
    FROM made CROSS JOIN generate_series($1::int, $2::int) AS i
   CROSS JOIN LATERAL (
     SELECT CASE WHEN i / 3000 % 2 = 0 THEN 60 ELSE 3600 END AS span,
            CASE WHEN i % 3 < 2 THEN 1 ELSE 2 + i % (cardinality(environments) - 1) END AS place) AS base
   CROSS JOIN LATERAL (
     SELECT CASE span WHEN 60 THEN (i::int8 * 172000 / messages) ELSE (i::int8 * 34500000 / messages) END AS back) AS age
   WHERE i % 30 <> 0
  ON CONFLICT DO NOTHING`;

const AUDIT = `
  INSERT INTO audit_log (id, actor, action, resource_type, resource_id, tenant_id, environment_id, after, created_at)
  SELECT ${idOf('e000', MS)}, CASE WHEN i % 20000 = 0 THEN 'ada' ELSE 'admin' END,
         CASE WHEN i % 15000 = 0 THEN 'plan.created' WHEN i % 20 = 10 THEN 'token.issued' ELSE 'channel.updated' END,
         CASE WHEN i % 15000 = 0 THEN 'plan' WHEN i % 20 = 10 THEN 'token' ELSE 'channel' END, 'resource-' || i % 1000,
         tenants[${PLACE}], ${ENVIRONMENT}, jsonb_build_object('name', 'hook ' || i), ${AT}
    FROM made, generate_series($1::int, $2::int) AS i WHERE i % 10 = 0`;

const FEEDBACK = `
  INSERT INTO run_feedback (run_id, event_digest, environment_id, type, permanent, at, received_at)
  SELECT ${idOf('b000', MS, 'i * 4 + 2')}, sha256(i::text::bytea), ${ENVIRONMENT}, CASE WHEN i % 60 = 20 THEN 'bounced' ELSE 'delivered' END,
         i % 60 = 20, ${AT}, ${AT}
    FROM made, generate_series($1::int, $2::int) AS i WHERE i % 20 = 0`;

const SUPPRESSIONS = `
  INSERT INTO suppressions (id, environment_id, address_hash, scope, reason, source, created_at)
  SELECT ${idOf('f000', MS)}, ${ENVIRONMENT}, sha256(('user' || i)::bytea), 'all', 'bounced', 'manual', ${AT}
    FROM made, generate_series($1::int, $2::int) AS i WHERE i % 30 = 0`;

const REPLAYS = `
  INSERT INTO replay_batches (id, environment_id, status, filter, channel_ids, messages_per_second, matched, matched_is_lower_bound,
                              replayed, created_at, started_at, completed_at)
  SELECT ${idOf('9000', MS)}, environments[1], 'completed',
         CASE WHEN i % 3000 = 0 THEN jsonb_build_object('recipient_email', 'user' || i || '@example.com') ELSE '{"event_key": "order.e1"}' END,
         '{}', 50, 10, false, 10, ${AT}, ${AT}, ${AT} + interval '1 minute'
    FROM made, generate_series($1::int, $2::int) AS i WHERE i % 1500 = 0`;

const OPERATIONAL = `
  INSERT INTO operational_events (environment_id, type, dedupe_key, payload, created_at, dispatched_at)
  SELECT ${ENVIRONMENT}, 'run.exhausted', 'run/' || i, '{}', ${AT}, ${AT}
    FROM made, generate_series($1::int, $2::int) AS i WHERE i % 100 = 0`;

/** The statements of a slice, in the order of their tables' foreign keys. */
export const OF_SLICE: readonly string[] = [
  MESSAGES,
  KEYS,
  RUNS,
  ATTEMPTS,
  RESPONSES,
  FIGURES,
  AUDIT,
  FEEDBACK,
  SUPPRESSIONS,
  REPLAYS,
  OPERATIONAL,
];

/** What is counted of the rows, and the places of ordered keys. */
export const AFTER_SLICES: readonly string[] = [
  `INSERT INTO environment_usage (environment_id, period_start, events_used)
   SELECT environment_id, date_trunc('month', now() AT TIME ZONE 'UTC')::date, count(*) FROM messages
    WHERE created_at >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' GROUP BY 1
   ON CONFLICT DO NOTHING`,
  `INSERT INTO tenant_usage (tenant_id, period_start, events_used)
   SELECT tenant_id, period_start, sum(events_used) FROM environment_usage JOIN environments ON id = environment_id GROUP BY 1, 2
   ON CONFLICT DO NOTHING`,
  `INSERT INTO delivery_usage (environment_id, period_start, channel_kind, pending, succeeded, failed, cancelled)
   SELECT environment_id, date_trunc('month', created_at AT TIME ZONE 'UTC')::date, channel_kind,
          count(*) FILTER (WHERE completed_at IS NULL), count(*) FILTER (WHERE status = 'succeeded'),
          count(*) FILTER (WHERE status = 'failed'), 0
     FROM delivery_runs GROUP BY 1, 2, 3 ON CONFLICT DO NOTHING`,
  `INSERT INTO ordering_keys (channel_id, key, environment_id, last_sequence, turn, blocked_at, used_at)
   SELECT channel_id, ordering_key, environment_id, max(sequence), max(sequence) + 1, NULL, now()
     FROM delivery_runs WHERE sequence IS NOT NULL GROUP BY 1, 2, 3 ON CONFLICT DO NOTHING`,
  `INSERT INTO stats_event_keys (environment_id, event_key, used_on)
   SELECT environment, 'order.e' || n, CURRENT_DATE FROM made, unnest(environments) AS environment, generate_series(0, 49) AS n`,
  `INSERT INTO stream_pauses (environment_id, stream, paused_at, delivered, complained)
   SELECT environment, 'news', now(), 5000, 20 FROM made, unnest(environments) AS environment`,
];

/** Tenants with an environment and a channel each, whose only runs are scheduled. */
export const SMALL_TENANTS = `
  WITH small AS (
    INSERT INTO tenants (id, name, plan_code)
    SELECT gen_random_uuid(), 'Small ' || n, (SELECT plan_code FROM tenants LIMIT 1) FROM generate_series(1, $1::int) AS n RETURNING id
  ), environment AS (
    INSERT INTO environments (id, tenant_id, name) SELECT gen_random_uuid(), id, 'production' FROM small RETURNING id
  )
  INSERT INTO channels (id, environment_id, kind, name, config, retry)
  SELECT gen_random_uuid(), environment.id, kind, name, config, retry
    FROM environment, (SELECT * FROM channels WHERE kind = 'webhook' LIMIT 1) AS example`;

export const RUNS_OF_SMALL_TENANTS = `
  WITH made_run AS (
    SELECT channel.environment_id, channel.id AS channel_id, ${idOf('a001', 'extract(epoch FROM now()) * 1000', 'row_number() OVER ()')} AS message_id,
           ${idOf('b001', 'extract(epoch FROM now()) * 1000', 'row_number() OVER ()')} AS run_id
      FROM channels channel JOIN environments ON environments.id = channel.environment_id JOIN tenants ON tenants.id = tenant_id
     WHERE tenants.name LIKE 'Small %'
  ), message AS (
    INSERT INTO messages (environment_id, id, event_key, recipient, payload, trace_id, created_at)
    SELECT environment_id, message_id, 'order.e1', '{}', '{}', '0', now() FROM made_run
  )
  INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, status, max_attempts, scheduled_at, due_at, created_at)
  SELECT run_id, environment_id, message_id, channel_id, 'webhook', 'scheduled', 3, now() + interval '10 days',
         now() + interval '10 days', now()
    FROM made_run`;
