import { randomBytes, randomUUID } from 'node:crypto';
import { monotonicMs } from '@postrider/rig';
import { Client } from 'pg';
import { createEventBodies, type EventShape } from '../load/event-body.ts';

interface Commits {
  readonly databaseUrl: string;
  readonly tenantId: string;
  readonly environmentId: string;
  readonly channelId: string;
  readonly event: EventShape;
  readonly durationMs: number;
  /** Events per transaction: the service's largest batch. */
  readonly batch: number;
}

/** The approximate size of the service's answer. */
const ANSWER_BYTES = 400;
const HASH_BYTES = 32;

const STATEMENTS = {
  answers: `
    INSERT INTO idempotency_records (environment_id, operation, key, fingerprint, response_status, response_body,
                                     created_at, expires_at)
    SELECT $1, 'events.create', key, $3, 201, $4, now(), now() + interval '24 hours' FROM unnest($2::uuid[]) AS key`,
  messages: `
    INSERT INTO messages (environment_id, id, event_key, recipient, recipient_email, payload, trace_id, created_at)
    SELECT $1, id, 'order.paid', recipient::jsonb, recipient::jsonb ->> 'email', payload::jsonb, $5, now()
      FROM unnest($2::uuid[], $3::text[], $4::text[]) AS message (id, recipient, payload)`,
  runs: `
    INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, status, max_attempts, due_at,
                               created_at)
    SELECT id, $1, message_id, $4, 'webhook', 'queued', 5, now(), now()
      FROM unnest($2::uuid[], $3::uuid[]) AS run (id, message_id)`,
  environmentUsage: `
    INSERT INTO environment_usage AS usage VALUES ($1, date_trunc('month', now())::date, $2)
    ON CONFLICT (environment_id, period_start) DO UPDATE SET events_used = usage.events_used + $2`,
  tenantUsage: `
    INSERT INTO tenant_usage AS usage VALUES ($1, date_trunc('month', now())::date, $2)
    ON CONFLICT (tenant_id, period_start) DO UPDATE SET events_used = usage.events_used + $2`,
} as const;

async function commitBatch(client: Client, load: Commits, bodies: readonly string[]): Promise<void> {
  const { tenantId, environmentId, channelId } = load;
  const execute = (name: keyof typeof STATEMENTS, values: readonly unknown[]) =>
    client.query({ name, text: STATEMENTS[name], values: [...values] });
  const ids = bodies.map(() => randomUUID());
  const events = bodies.map((body) => JSON.parse(body));
  const recipients = events.map(({ recipient }) => JSON.stringify(recipient));
  const payloads = events.map(({ payload }) => JSON.stringify(payload));
  const keys = bodies.map(() => randomUUID());
  await client.query('BEGIN');
  await execute('answers', [environmentId, keys, randomBytes(HASH_BYTES), Buffer.alloc(ANSWER_BYTES, 'a')]);
  await execute('messages', [environmentId, ids, recipients, payloads, '0'.repeat(HASH_BYTES)]);
  await execute('runs', [environmentId, bodies.map(() => randomUUID()), ids, channelId]);
  await execute('environmentUsage', [environmentId, bodies.length]);
  await execute('tenantUsage', [tenantId, bodies.length]);
  await client.query('COMMIT');
}

/** Commits the rows that the service would write for events, and returns events per second. */
async function run(load: Commits): Promise<number> {
  const bodyOf = createEventBodies(load.event);
  const client = new Client({ connectionString: load.databaseUrl });
  await client.connect();
  let events = 0;
  const beganAtMs = monotonicMs();
  while (monotonicMs() - beganAtMs < load.durationMs) {
    await commitBatch(
      client,
      load,
      Array.from({ length: load.batch }, (_, index) => bodyOf(events + index)),
    );
    events += load.batch;
  }
  const seconds = (monotonicMs() - beganAtMs) / 1_000;
  await client.end();
  return events / seconds;
}

/** The questions that the commit-only process answers. */
export const handlers = { run };
export type SqlFloor = typeof handlers;
