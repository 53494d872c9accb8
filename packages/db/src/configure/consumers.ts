import { isDeepStrictEqual } from 'node:util';
import {
  type ConsumerRecord,
  type ConsumerSettings,
  consumerForAudit,
  LRUCache,
  NEW_CONSUMER,
  presentConsumer,
  SELF_SERVICE_LIMITS,
} from '@postrider/domain';
import { recordChannel, toChannelRecord } from '../channels/channel-record.ts';
import { CONSUMER_COLUMNS, type ConsumerKey, lockConsumer } from '../channels/consumer-record.ts';
import type { Database, Queryable } from '../client.ts';
import { OPEN_BATCH } from '../run-statuses.ts';
import { endRunsOfChannel } from '../statements/end-waiting-runs.ts';
import { auditRecorderOf, type ConfigureDeps } from '../transactions/audit.ts';
import { limitConsumers } from '../transactions/self-service-limits.ts';
import { changeInEnvironments, inTransaction } from '../transactions/transaction.ts';
import type { WithKinds } from './channels.ts';

const record = auditRecorderOf(
  ({ id, environmentId }: ConsumerRecord) => ({ resourceId: id, environmentId }),
  consumerForAudit,
);

/**
 * Writes the settings of a consumer, which becomes a new one if it was deleted. Null, and nothing is written, if it exists and
 * `onlyNew` is true.
 */
async function store(
  tx: Queryable,
  { environmentId, id }: ConsumerKey,
  settings: ConsumerSettings,
  { onlyNew }: { readonly onlyNew: boolean },
): Promise<ConsumerRecord | null> {
  const { name, attributes, contactEmail, enabled, channelKinds } = settings;
  const { eventsPerMonth, eventsPerSecond, maxChannels } = settings;
  const [row = null] = await tx.$queryRaw<ConsumerRecord[]>`
    INSERT INTO consumers AS consumer (environment_id, id, name, attributes, contact_email, enabled, events_per_month,
                                       events_per_second, max_channels, channel_kinds)
    VALUES (${environmentId}::uuid, ${id}, ${name}, ${JSON.stringify(attributes)}::jsonb, ${contactEmail}, ${enabled},
            ${eventsPerMonth}::int, ${eventsPerSecond}::int, ${maxChannels}::int, ${channelKinds && [...channelKinds]}::text[])
    ON CONFLICT (environment_id, id) DO UPDATE
      SET name = EXCLUDED.name, attributes = EXCLUDED.attributes, contact_email = EXCLUDED.contact_email,
          enabled = EXCLUDED.enabled, events_per_month = EXCLUDED.events_per_month,
          events_per_second = EXCLUDED.events_per_second, max_channels = EXCLUDED.max_channels,
          channel_kinds = EXCLUDED.channel_kinds, updated_at = now(), deleted_at = NULL,
          created_at = CASE WHEN consumer.deleted_at IS NULL THEN consumer.created_at ELSE now() END
    WHERE consumer.deleted_at IS NOT NULL OR NOT ${onlyNew}::bool
    RETURNING ${CONSUMER_COLUMNS}`;
  return row;
}

const settingsOf = (consumer: ConsumerRecord) => {
  const { created_at: _created, updated_at: _updated, ...settings } = presentConsumer(consumer);
  return settings;
};

/** Creates or replaces a consumer; null if there is no such environment. Writes nothing if nothing differs. */
export async function putConsumer(
  deps: ConfigureDeps,
  key: ConsumerKey,
  settings: ConsumerSettings,
): Promise<ConsumerRecord | null> {
  return inTransaction(deps, async (tx) => {
    if ((await tx.environment.count({ where: { id: key.environmentId } })) === 0) return null;
    const current = await lockConsumer(tx, key);
    if (current && isDeepStrictEqual(settingsOf(current), settingsOf({ ...current, ...settings })))
      return current;
    if (!current) await limitConsumers(tx, { ...deps, ...key });
    const stored = await store(tx, key, settings, { onlyNew: false });
    if (!stored) throw new Error('PostgreSQL stored no consumer');
    const action = current ? 'consumer.updated' : 'consumer.created';
    await record(tx, deps, { action, before: current, after: stored });
    return stored;
  });
}

/** How many environments a process remembers, see {@link createNamedConsumers}. */
const MAX_REMEMBERED = 1_000;
/** Which part of the free rows of an environment a process takes before it counts again. */
const PART = 20;
/** Remembered instead of a number when there is no room. Counting 100,000 consumers takes 17 ms, too much for each event. */
const FULL = -1;
const FULL_MS = 10_000;

/**
 * Returns the creation of consumers that events name. It resolves with false, and creates nothing, if the environment has `most`
 * consumers, with deleted ones. Processes do not see what others add since they counted, so there can be a few more. The audit log
 * has no entry: there can be as many as events.
 */
export function createNamedConsumers(
  db: Database,
  most: number = SELF_SERVICE_LIMITS.consumers,
): (key: ConsumerKey) => Promise<boolean> {
  const free = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  return (key) =>
    changeInEnvironments(db, [key.environmentId], async (tx) => {
      if (await lockConsumer(tx, key)) return true;
      const known = free.get(key.environmentId) ?? 0;
      if (known === FULL) return false;
      const left = known > 0 ? known : Math.ceil((most - (await countConsumers(tx, key, most))) / PART);
      if (left <= 0) {
        free.set(key.environmentId, FULL, { ttl: FULL_MS });
        return false;
      }
      free.set(key.environmentId, left - 1);
      await store(tx, key, NEW_CONSUMER, { onlyNew: true });
      return true;
    });
}

/** How many consumers the environment has, with deleted ones; `most` if there are more. */
async function countConsumers(tx: Queryable, { environmentId }: ConsumerKey, most: number): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count
      FROM (SELECT FROM consumers WHERE environment_id = ${environmentId}::uuid LIMIT ${most}) AS stored`;
  return row?.count ?? 0;
}

/** Ends the tokens, links, sessions and bulk replays of a consumer: a new one with its id has none of them. */
async function endAccess(tx: Queryable, { environmentId, id }: ConsumerKey): Promise<void> {
  // Links before tokens, in the order of the sweep that removes both.
  await tx.$executeRaw`
    UPDATE portal_links SET link_expires_at = clock_timestamp()
     WHERE environment_id = ${environmentId}::uuid AND consumer_id = ${id} AND used_at IS NULL`;
  await tx.$executeRaw`
    UPDATE tokens SET revoked_at = clock_timestamp()
     WHERE environment_id = ${environmentId}::uuid AND consumer_id = ${id} AND revoked_at IS NULL`;
  await tx.$executeRaw`
    UPDATE replay_batches SET status = 'cancelled', reason = NULL, retry_at = NULL, completed_at = now()
     WHERE environment_id = ${environmentId}::uuid AND consumer_id = ${id} AND status IN ${OPEN_BATCH}`;
}

/** Runs that the deletion itself ends, which takes about 50 ms. A sweep ends the others. */
const RUNS_AT_ONCE = 500;

/**
 * Deletes a consumer, its channels, tokens and sessions: from the commit on no run of these is claimed. Runs that wait become `failed` with
 * an attempt `channel_disabled`, the first {@link RUNS_AT_ONCE} here and the others by the sweep of deleted channels. Runs
 * of other channels for its events are not touched. Returns whether it existed.
 */
export async function deleteConsumer(deps: ConfigureDeps & WithKinds, key: ConsumerKey): Promise<boolean> {
  const { environmentId, id } = key;
  return inTransaction(deps, async (tx) => {
    const current = await lockConsumer(tx, key);
    if (!current) return false;
    await tx.$executeRaw`
      UPDATE consumers
         SET deleted_at = now(), updated_at = now(), name = NULL, attributes = '{}', contact_email = NULL
       WHERE environment_id = ${environmentId}::uuid AND id = ${id}`;
    const rows = await tx.channel.findMany({
      where: { environmentId, consumerId: id, deletedAt: null },
      orderBy: { id: 'asc' },
    });
    await endAccess(tx, key);
    await tx.$executeRaw`
      UPDATE channels SET deleted_at = now(), updated_at = now(), revision = revision + 1
       WHERE environment_id = ${environmentId}::uuid AND consumer_id = ${id} AND deleted_at IS NULL`;
    let left = RUNS_AT_ONCE;
    for (const row of rows) {
      if (left > 0)
        left -= (await endRunsOfChannel(tx, deps.newId, { channelId: row.id, limit: left })).length;
      const before = toChannelRecord(row);
      await recordChannel(tx, deps, { action: 'channel.deleted', before, after: null });
    }
    await record(tx, deps, { action: 'consumer.deleted', before: current, after: null });
    return true;
  });
}
