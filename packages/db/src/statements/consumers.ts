import type { ConsumerKey } from '../channels/consumer-record.ts';
import type { ChannelRow } from '../snapshot/load.ts';
import { defineStatement } from '../statement.ts';

/** A consumer with its enabled channels; none if it is disabled. */
export interface LoadedConsumer extends ConsumerKey {
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
export const readConsumers = defineStatement<readonly ConsumerKey[], LoadedConsumer>({
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
