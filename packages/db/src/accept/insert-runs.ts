import { addressOf, type IdSource, type JsonObject } from '@postrider/domain';
import type { AnyClient, Queryable } from '../client.ts';
import type { CreatedRun, PlannedRun, RunToEnqueue } from './types.ts';

/** A message's runs, ready to be inserted. */
export interface RunsToInsert {
  readonly environmentId: string;
  readonly messageId: string;
  /** 0 for the runs that the event makes, n for those of the n-th replay. */
  readonly replay: number;
  /** Of the request that makes them; null when nobody traces it. */
  readonly traceparent: string | null;
  readonly runs: readonly CreatedRun[];
}

export interface MessageToInsert {
  readonly environmentId: string;
  readonly messageId: string;
  readonly eventKey: string;
  readonly recipient: JsonObject;
  readonly payload: JsonObject;
  readonly scheduleAt: Date | null;
  readonly requestId: string | null;
  readonly traceId: string;
  /** Whether it only tries a channel, and counts nowhere. */
  readonly test: boolean;
}

/**
 * Opens an accepting transaction: bounds its waits for locks and returns the database's time, in whole
 * milliseconds, that everything in the transaction is dated with. Process clocks decide nothing.
 */
export async function beginAccepting(tx: AnyClient, lockTimeoutMs: number): Promise<Date> {
  const [row] = await tx.$queryRaw<{ now: Date }[]>`
    SELECT set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true), date_trunc('milliseconds', now()) AS now`;
  if (!row) throw new Error('Postgres did not tell the time');
  return row.now;
}

/**
 * Turns plans into runs: `scheduled` where the time is still ahead at `now`, else `queued` and due at once.
 */
export function createRuns(
  planned: readonly PlannedRun[],
  { newId, scheduleAt, now }: { newId: IdSource; scheduleAt: Date | null; now: Date },
): CreatedRun[] {
  const ahead = scheduleAt !== null && scheduleAt > now;
  return planned.map((run) => ({
    ...run,
    id: newId(),
    status: ahead ? 'scheduled' : 'queued',
    scheduledAt: ahead ? scheduleAt : null,
  }));
}

/** What the queue is told of new runs after the commit. */
export function runsToEnqueue(runs: readonly CreatedRun[], now: Date): RunToEnqueue[] {
  return runs.map((run) => ({
    runId: run.id,
    channelKind: run.channel.kind,
    attempt: 1,
    delayMs: run.scheduledAt ? run.scheduledAt.getTime() - now.getTime() : 0,
  }));
}

/** Inserts messages of any environments in one statement. */
export async function insertMessages(
  tx: Queryable,
  messages: readonly MessageToInsert[],
  now: Date,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO messages (environment_id, id, event_key, recipient, recipient_email, payload, schedule_at, request_id,
                          trace_id, test, created_at)
    SELECT environment_id, id, event_key, recipient::jsonb, recipient_email, payload::jsonb, schedule_at,
           request_id, trace_id, test, ${now}::timestamptz
      FROM unnest(
        ${messages.map((message) => message.environmentId)}::uuid[],
        ${messages.map((message) => message.messageId)}::uuid[],
        ${messages.map((message) => message.eventKey)}::text[],
        ${messages.map((message) => JSON.stringify(message.recipient))}::text[],
        ${messages.map((message) => addressOf(message.recipient))}::text[],
        ${messages.map((message) => JSON.stringify(message.payload))}::text[],
        ${messages.map((message) => message.scheduleAt?.toISOString() ?? null)}::timestamptz[],
        ${messages.map((message) => message.requestId)}::text[],
        ${messages.map((message) => message.traceId)}::text[],
        ${messages.map((message) => message.test)}::bool[]
      ) AS message (environment_id, id, event_key, recipient, recipient_email, payload, schedule_at, request_id,
                  trace_id, test)`;
}

/** Inserts the runs of any messages in one statement. */
export async function insertRuns(tx: Queryable, batches: readonly RunsToInsert[], now: Date): Promise<void> {
  const rows = batches.flatMap(({ runs, ...message }) => runs.map((run) => ({ ...message, run })));
  await tx.$executeRaw`
    INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, template_version_id, replay,
                               status, max_attempts, scheduled_at, due_at, created_at, traceparent)
    SELECT id, environment_id, message_id, channel_id, channel_kind, template_version_id, replay, status, max_attempts,
           scheduled_at, COALESCE(scheduled_at, ${now}::timestamptz), ${now}::timestamptz, traceparent
      FROM unnest(
        ${rows.map(({ run }) => run.id)}::uuid[],
        ${rows.map((row) => row.environmentId)}::uuid[],
        ${rows.map((row) => row.messageId)}::uuid[],
        ${rows.map(({ run }) => run.channel.id)}::uuid[],
        ${rows.map(({ run }) => run.channel.kind)}::text[],
        ${rows.map(({ run }) => run.templateVersionId)}::uuid[],
        ${rows.map((row) => row.replay)}::int[],
        ${rows.map(({ run }) => run.status)}::text[],
        ${rows.map(({ run }) => run.maxAttempts)}::int[],
        ${rows.map(({ run }) => run.scheduledAt?.toISOString() ?? null)}::timestamptz[],
        ${rows.map((row) => row.traceparent)}::text[]
      ) AS run (id, environment_id, message_id, channel_id, channel_kind, template_version_id, replay, status,
                max_attempts, scheduled_at, traceparent)`;
}
