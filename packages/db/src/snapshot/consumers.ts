import type { KindFacts } from '@postrider/domain';
import type { ConsumerKey } from '../channels/consumer-record.ts';
import { type AnyClient, isDatabaseUnreachable } from '../client.ts';
import { defineStatement } from '../statement.ts';
import { type ChannelRow, type ChannelSnapshot, toChannelSnapshots } from './load.ts';

/** A consumer with its enabled channels; none if it is disabled. */
interface LoadedConsumer extends ConsumerKey {
  readonly enabled: boolean;
  /** JSON. */
  readonly attributes: string;
  readonly eventsPerMonth: number | null;
  readonly eventsPerSecond: number | null;
  /** Events of the current month by the database's clock; 0 without a limit of them. */
  readonly eventsUsed: number;
  readonly channelKinds: readonly string[] | null;
  readonly channels: readonly ChannelRow[];
}

/** Reads consumers with their channels, in any order, without those that do not exist or are deleted. */
const readConsumers = defineStatement<readonly ConsumerKey[], LoadedConsumer>({
  text: `
    SELECT consumer.environment_id AS "environmentId", consumer.id, consumer.enabled, attributes::text AS attributes,
           events_per_month AS "eventsPerMonth", events_per_second AS "eventsPerSecond", channel_kinds AS "channelKinds",
           COALESCE((SELECT consumer_events FROM consumer_usage
                      WHERE events_per_month IS NOT NULL AND environment_id = consumer.environment_id AND consumer_id = consumer.id
                        AND period_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date), 0)::float8 AS "eventsUsed",
           (SELECT COALESCE(json_agg(channel ORDER BY channel.id), '[]')
              FROM (SELECT id, kind, name, event_keys AS "eventKeys", retry, filter, paused, ordering FROM channels
                     WHERE environment_id = consumer.environment_id AND consumer_id = consumer.id
                       AND channels.enabled AND deleted_at IS NULL) channel
             WHERE consumer.enabled) AS channels
      FROM (SELECT unnest((SELECT :environmentId::uuid[])) AS environment_id, unnest(:id::text[]) AS id) asked
      JOIN consumers consumer ON consumer.environment_id = asked.environment_id AND consumer.id = asked.id
     WHERE consumer.deleted_at IS NULL`,
  environments: (keys) => keys.map(({ environmentId }) => environmentId),
});

/** What the acceptance of an event needs to know about its consumer. Only the accepting transaction knows its usage exactly. */
export interface ConsumerSnapshot extends Omit<LoadedConsumer, 'channels'> {
  readonly channels: readonly ChannelSnapshot[];
  /** An estimate of its size in memory, in bytes. */
  readonly bytes: number;
}

const BYTES = { consumer: 1_000, channel: 1_000, filterCharacter: 20 };

const sizeOf = ({ attributes, channels }: LoadedConsumer): number =>
  channels.reduce(
    (total, { filter }) =>
      total + BYTES.channel + (filter === null ? 0 : JSON.stringify(filter).length * BYTES.filterCharacter),
    BYTES.consumer + 2 * attributes.length,
  );

const keyOf = ({ environmentId, id }: ConsumerKey) => `${environmentId} ${id}`;

/** Loads consumers with their channels, in the order of `keys`; null for those that do not exist or are deleted. */
export async function loadConsumers(
  db: AnyClient,
  keys: readonly ConsumerKey[],
  kinds: readonly KindFacts[],
): Promise<(ConsumerSnapshot | null)[]> {
  const rows = await readConsumers(db, keys);
  const found = new Map(
    rows.map((row) => [
      keyOf(row),
      { ...row, channels: toChannelSnapshots(row.channels, kinds), bytes: sizeOf(row) },
    ]),
  );
  return keys.map((key) => found.get(keyOf(key)) ?? null);
}

/** Loads share queries, of two connections at most: a caller chooses the ids. */
export const CONSUMER_BATCHES = {
  maxItems: 256,
  maxInFlight: 2,
  // A row that this release cannot read makes the load of its consumer fail, not that of others.
  isItemError: (error: unknown) => !isDatabaseUnreachable(error),
};
