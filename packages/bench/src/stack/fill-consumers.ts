import {
  createSecretBox,
  createUuidV7Source,
  createWebhookSecret,
  DEFAULT_RETRY_POLICY,
} from '@postrider/domain';
import { consumerIdOf, EVENT_KEY } from '../load/event-body.ts';
import { withClient } from './databases.ts';
import type { Addresses, LoadTenant } from './tenants.ts';

/** Channels of each consumer. The first takes the event. */
export const CHANNELS_PER_CONSUMER = 3;
/** Consumers per statement. */
const CHUNK = 5_000;

const INSERT_CONSUMERS = `
  INSERT INTO consumers (environment_id, id, attributes)
  SELECT $1, id, '{"tier":"gold"}' FROM unnest($2::text[]) AS id`;
const INSERT_CHANNELS = `
  INSERT INTO channels (environment_id, id, consumer_id, kind, name, event_keys, config, retry, sealed_secret)
  SELECT $1, id, consumer_id, 'webhook', 'hook', ARRAY[event_key], jsonb_build_object('url', $6::text), $7::jsonb, secret
    FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) AS row (id, consumer_id, event_key, secret)`;

/** Gives each tenant consumers with three webhooks, whose secrets are encrypted with `key`. */
export async function fillWithConsumers(
  databaseUrl: string,
  tenants: readonly LoadTenant[],
  consumers: number,
  { key, addresses: { hookUrl } }: { readonly key: Buffer; readonly addresses: Addresses },
): Promise<void> {
  const box = createSecretBox([{ id: 'bench', key }]);
  const newId = createUuidV7Source();
  await withClient(databaseUrl, async (client) => {
    // Skips the checks of foreign keys and the notices, which would take most of the time.
    await client.query("SET session_replication_role = 'replica'");
    for (const { environmentId } of tenants) {
      for (let first = 0; first < consumers; first += CHUNK) {
        const ids = Array.from({ length: Math.min(CHUNK, consumers - first) }, (_, index) =>
          consumerIdOf(first + index),
        );
        await client.query(INSERT_CONSUMERS, [environmentId, ids]);
        const channels = ids.flatMap((consumerId) =>
          Array.from({ length: CHANNELS_PER_CONSUMER }, (_, index) => {
            const id = newId();
            const eventKey = index === 0 ? EVENT_KEY : 'order.other';
            return { id, consumerId, eventKey, secret: box.encrypt(createWebhookSecret(), id) };
          }),
        );
        await client.query(INSERT_CHANNELS, [
          environmentId,
          channels.map(({ id }) => id),
          channels.map(({ consumerId }) => consumerId),
          channels.map(({ eventKey }) => eventKey),
          channels.map(({ secret }) => secret),
          hookUrl,
          DEFAULT_RETRY_POLICY,
        ]);
      }
    }
    // Only these: PostgreSQL plans for the other tables, which are empty, as for a new installation. It would plan for tables that
    // were vacuumed while they were empty as if they stayed empty.
    await client.query('VACUUM ANALYZE consumers, channels');
    await client.query('CHECKPOINT');
  });
}
