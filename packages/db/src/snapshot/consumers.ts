import type { KindFacts } from '@postrider/domain';
import type { ConsumerKey } from '../channels/consumer-record.ts';
import { type AnyClient, isDatabaseUnreachable } from '../client.ts';
import { type LoadedConsumer, readConsumers } from '../statements/consumers.ts';
import { type ChannelSnapshot, toChannelSnapshots } from './load.ts';

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
  // A filter of a newer release makes the load of its consumer fail, not that of others.
  isItemError: (error: unknown) => !isDatabaseUnreachable(error),
};
