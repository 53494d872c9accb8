import {
  type IdSource,
  MAX_CHANNELS_PER_CONSUMER,
  MAX_CHANNELS_PER_ENVIRONMENT,
  type RunStatus,
  reject,
} from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { type DeliveryRunRecord, readDeliveries, readRun } from '../read/deliveries.ts';
import { CANCELLABLE, HELD_UNTIL } from '../run-statuses.ts';
import { cancelRunsOfMessage, cancelScheduledRun } from '../statements/end-waiting-runs.ts';
import type { RunWakeUp } from './runs.ts';

interface MessageKey {
  readonly environmentId: string;
  readonly messageId: string;
}

/** The result of changing a message: a page of its runs after the change, and the ids of the changed ones. */
export interface ChangedRuns {
  readonly runs: readonly DeliveryRunRecord[];
  readonly changed: ReadonlySet<string>;
}

async function afterChange(
  tx: Queryable,
  key: MessageKey,
  ids: readonly string[],
): Promise<ChangedRuns | null> {
  const page = await readDeliveries(tx, key);
  return page && { runs: page.rows, changed: new Set(ids) };
}

/**
 * Cancels a `scheduled` run and records the attempt `scheduled_cancelled`, in the caller's transaction. Returns the run as the
 * transaction leaves it, and whether it is cancelled now. The conditional update decides the race with a worker's claim:
 * exactly one of the two wins (docs/specification.md, "Delivery run states").
 * @throws RefusedError if there is no such run
 */
export async function cancelRun(
  tx: Queryable,
  {
    newId,
    environmentId,
    runId,
  }: { readonly newId: IdSource; readonly environmentId: string; readonly runId: string },
): Promise<{ readonly isCancelled: boolean; readonly run: DeliveryRunRecord }> {
  const isCancelled = await cancelScheduledRun(tx, newId, { environmentId, id: runId });
  const run = (await readRun(tx, { environmentId, runId })) ?? reject('delivery_run_not_found');
  return { isCancelled, run };
}

/** Runs of one event, one for each channel of its environment and its consumer; those of replays are never `scheduled`. */
const MAX_RUNS = MAX_CHANNELS_PER_ENVIRONMENT + MAX_CHANNELS_PER_CONSUMER;

/**
 * Cancels every `scheduled` run of a message, in the caller's transaction. Null if there is no such message. For each
 * run the row decides the race with a worker's claim, as for a single run. Runs are locked in the order of their ids.
 */
export async function cancelMessage(
  tx: Queryable,
  { newId, ...key }: MessageKey & { readonly newId: IdSource },
): Promise<ChangedRuns | null> {
  const { environmentId, messageId: id } = key;
  const cancelled = await cancelRunsOfMessage(tx, newId, { environmentId, id, limit: MAX_RUNS });
  return afterChange(tx, key, cancelled);
}

interface RescheduledRow {
  id: string;
  channel_id: string;
  channel_kind: string;
  due_in_ms: number;
  held: string | null;
}

interface Rescheduled extends ChangedRuns {
  readonly wakeUps: readonly RunWakeUp[];
}

/**
 * Gives the `scheduled` runs of a message another time, in the caller's transaction. Null if there is no such
 * message. A time that is not in the future makes them due at once. A run that a worker has claimed meanwhile is not
 * changed. If the new time is later, the old job finds no due run. A held run is no longer held
 * until it is due. A run of an ordered channel keeps the sequence that it already has.
 */
export async function rescheduleMessage(
  tx: Queryable,
  { scheduleAt, ...key }: MessageKey & { readonly scheduleAt: Date },
): Promise<Rescheduled | null> {
  // A time in the past becomes now, because a run's latency and age limit are measured from its time.
  const moved = await tx.$queryRaw<RescheduledRow[]>`
    WITH target AS (
      SELECT id, GREATEST(${scheduleAt}::timestamptz, date_trunc('milliseconds', now())) AS time FROM delivery_runs
       WHERE environment_id = ${key.environmentId}::uuid AND message_id = ${key.messageId}::uuid
         AND status IN ${CANCELLABLE} AND sequence IS NULL
       ORDER BY id LIMIT ${MAX_RUNS}::int FOR UPDATE
    ), moved AS (
      UPDATE delivery_runs run
         SET held = CASE WHEN ordering_key IS NOT NULL THEN 'ordered' END, scheduled_at = target.time,
             due_at = CASE WHEN ordering_key IS NOT NULL THEN ${HELD_UNTIL} ELSE target.time END
        FROM target WHERE run.id = target.id
      RETURNING run.id, run.channel_id, run.channel_kind, run.due_at, run.held
    ), noted AS (
      UPDATE messages SET schedule_at = ${scheduleAt}::timestamptz
       WHERE environment_id = ${key.environmentId}::uuid AND id = ${key.messageId}::uuid
         AND EXISTS (SELECT FROM moved)
    )
    SELECT id, channel_id, channel_kind, held, (extract(epoch FROM due_at - now()) * 1000)::float8 AS due_in_ms
      FROM moved`;
  const changed = await afterChange(
    tx,
    key,
    moved.map(({ id }) => id),
  );
  const wakeUps = moved
    .filter(({ held }) => held === null)
    .map((row) => ({
      runId: row.id,
      channelId: row.channel_id,
      channelKind: row.channel_kind,
      delayMs: Math.max(0, Math.ceil(row.due_in_ms)),
    }));
  return changed && { ...changed, wakeUps };
}

/** The outcome for one run of a change to its message. */
export function outcomeOf<Changed extends string>(
  { id, status }: { readonly id: string; readonly status: RunStatus },
  { changed }: ChangedRuns,
  done: Changed,
): Changed | 'already_cancelled' | 'not_waiting' {
  if (changed.has(id)) return done;
  return status === 'cancelled' ? 'already_cancelled' : 'not_waiting';
}
