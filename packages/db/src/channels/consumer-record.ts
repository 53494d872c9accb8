import type { ConsumerRecord, ConsumerUsage } from '@postrider/domain';
import { Prisma, type Queryable } from '../client.ts';
import { type Page, type PageRequest, pageOf } from '../pages.ts';
import { defineStatement } from '../statement.ts';

/** The id of a consumer and the UUID of its environment. */
export interface ConsumerKey {
  readonly environmentId: string;
  readonly id: string;
}

/** SQL of the columns of {@link ConsumerRecord}. */
export const CONSUMER_COLUMNS = Prisma.raw(`
  consumer.environment_id AS "environmentId", consumer.id, consumer.name, attributes, contact_email AS "contactEmail", enabled,
  events_per_month AS "eventsPerMonth", events_per_second AS "eventsPerSecond", max_channels AS "maxChannels",
  channel_kinds AS "channelKinds", consumer.created_at AS "createdAt", consumer.updated_at AS "updatedAt"`);

/** The consumer with this id; null if it does not exist or is deleted. */
export async function readConsumer(
  db: Queryable,
  { environmentId, id }: ConsumerKey,
): Promise<ConsumerRecord | null> {
  const [row = null] = await db.$queryRaw<ConsumerRecord[]>`
    SELECT ${CONSUMER_COLUMNS} FROM consumers consumer
     WHERE environment_id = ${environmentId}::uuid AND id = ${id} AND deleted_at IS NULL`;
  return row;
}

/** When a consumer was created: what is older belonged to a deleted one with its id. Now, if it does not exist. */
export async function consumerSince(db: Queryable, key: ConsumerKey): Promise<Date> {
  return (await readConsumer(db, key))?.createdAt ?? new Date();
}

/** Like {@link readConsumer}, and prevents changes and deletion until the transaction ends. */
export async function lockConsumer(tx: Queryable, key: ConsumerKey): Promise<ConsumerRecord | null> {
  await tx.$queryRaw`
    SELECT FROM consumers WHERE environment_id = ${key.environmentId}::uuid AND id = ${key.id} FOR NO KEY UPDATE`;
  return readConsumer(tx, key);
}

/**
 * What a consumer has used of its limits: events of this month by the database's clock, and channels; and its events by month, as far as
 * they are kept. The months before it was created belonged to a deleted one with its id.
 */
export async function readConsumerUsage(
  db: Queryable,
  { environmentId, id }: ConsumerKey,
): Promise<ConsumerUsage> {
  const [row] = await db.$queryRaw<ConsumerUsage[]>`
    SELECT COALESCE((SELECT consumer_events FROM consumer_usage
                      WHERE environment_id = ${environmentId}::uuid AND consumer_id = ${id}
                        AND period_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date), 0)::float8 AS events,
           (SELECT count(*)::int FROM channels
             WHERE environment_id = ${environmentId}::uuid AND consumer_id = ${id} AND deleted_at IS NULL) AS channels,
           (SELECT COALESCE(json_agg(json_build_object('periodStart', period_start, 'events', consumer_events)
                                     ORDER BY period_start DESC), '[]')
              FROM consumer_usage
             WHERE environment_id = ${environmentId}::uuid AND consumer_id = ${id}
               AND period_start >= (SELECT date_trunc('month', created_at AT TIME ZONE 'UTC')::date FROM consumers
                                     WHERE environment_id = ${environmentId}::uuid AND id = ${id})) AS months`;
  return row ?? { events: 0, channels: 0, months: [] };
}

/** The most consumers whose names a search compares; it finds ids without such a limit. */
const MAX_NAMES = 1_000;

/** The last text, by bytes, that begins with `start`. Ids are ASCII. */
const lastWith = (start: string) => `${start}\u{10ffff}`;

interface Listed
  extends Readonly<Record<'environmentId' | 'after' | 'search' | 'lastId' | 'name' | 'lastName', string>> {
  readonly rows: number;
}

const defineList = (found: string) =>
  defineStatement<Listed, ConsumerRecord>({
    text: `
    SELECT ${CONSUMER_COLUMNS.sql} FROM (${found}) AS found
      JOIN consumers consumer ON consumer.environment_id = :environmentId::uuid AND consumer.id = found.id
     ORDER BY consumer.id COLLATE "C" LIMIT :rows`,
  });
const readAll = defineList(`
        SELECT id FROM consumers
         WHERE environment_id = :environmentId::uuid AND deleted_at IS NULL AND id COLLATE "C" > :after
         ORDER BY id COLLATE "C" LIMIT :rows`);
const readNamed = defineList(`
        (SELECT id FROM consumers
          WHERE environment_id = :environmentId::uuid AND deleted_at IS NULL AND id COLLATE "C" > :after
            AND id COLLATE "C" >= :search AND id COLLATE "C" <= :lastId
          ORDER BY id COLLATE "C" LIMIT :rows)
        UNION
        (SELECT named.id FROM (
           SELECT id FROM consumers
            WHERE environment_id = :environmentId::uuid AND deleted_at IS NULL AND folded_name IS NOT NULL
              AND folded_name >= :name AND folded_name <= :lastName
            ORDER BY folded_name, id COLLATE "C" LIMIT ${MAX_NAMES}) AS named
          WHERE named.id COLLATE "C" > :after ORDER BY named.id COLLATE "C" LIMIT :rows)`);

/** The consumers of an environment by their ids; with `search` those whose id or name begins with it, names in any case. */
export async function listConsumers(
  db: Queryable,
  {
    environmentId,
    search,
    after,
    limit,
  }: PageRequest & { readonly environmentId: string; readonly search?: string | undefined },
): Promise<Page<ConsumerRecord>> {
  const start = search ?? '';
  const name = start.toLowerCase();
  const bounds = { search: start, lastId: lastWith(start), name, lastName: lastWith(name) };
  const asked = { environmentId, after: after ?? '', rows: limit + 1, ...bounds };
  const rows = await (search === undefined ? readAll : readNamed)(db, asked);
  return pageOf(rows, limit, ({ id }) => id);
}
