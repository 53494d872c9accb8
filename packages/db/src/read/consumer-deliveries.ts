import { type RunStatus, UUID_FORM } from '@postrider/domain';
import type { ConsumerKey } from '../channels/consumer-record.ts';
import type { Queryable } from '../client.ts';
import { ABOVE_ALL_IDS } from '../first-id-at.ts';
import { fittingPage, type Page } from '../pages.ts';
import { type DeliveryRunRecord, loadRuns, RUN_SIZE } from './deliveries.ts';
import { searchInChunks } from './search-in-chunks.ts';

/** A run with its attempts and the event key of its message. */
export interface ConsumerDelivery extends DeliveryRunRecord {
  readonly eventKey: string;
}

interface DeliveriesOfConsumer {
  readonly consumer: ConsumerKey;
  /** Only runs of this channel, if it is one of the consumer. */
  readonly channelId?: string | undefined;
  readonly status?: RunStatus | undefined;
  readonly eventKey?: string | undefined;
  /** The last position of the previous page; null for the first page. */
  readonly after: string | null;
  /** At most 100. */
  readonly limit: number;
}

/** A position: the UUIDs of a message and of one of its runs. */
const POSITION = new RegExp(`^${UUID_FORM} ${UUID_FORM}$`);
export const isDeliveryPosition = (text: string): boolean => POSITION.test(text);

/** The runs that a page reads, of all channels together, for a filter that matches little. */
const MAX_EXAMINED = 5_000;
const FIRST_CHUNK = 200;
const CHUNK = 500;

interface Found {
  readonly id: string;
  readonly channelId: string;
  readonly position: string;
  readonly matches: boolean;
}

/** The channels of a consumer that are not deleted, at most `MAX_CHANNELS_PER_CONSUMER`: all whose runs it sees. */
async function channelsOf(
  db: Queryable,
  { consumer: { environmentId, id }, channelId }: Pick<DeliveriesOfConsumer, 'consumer' | 'channelId'>,
): Promise<string[]> {
  const rows = await db.channel.findMany({
    where: {
      environmentId,
      consumerId: id,
      deletedAt: null,
      ...(channelId === undefined ? {} : { id: channelId }),
    },
    select: { id: true },
  });
  return rows.map((row) => row.id);
}

/**
 * The next runs of each channel, by their messages, newest first, and whether they match. Each channel is read by its index:
 * with the environment as a condition, PostgreSQL would read the runs of all channels in the order of another index.
 */
function readChunk(
  db: Queryable,
  channelIds: readonly string[],
  { consumer: { environmentId }, after, ...filter }: Omit<DeliveriesOfConsumer, 'limit' | 'channelId'>,
  rowsOfEach: number,
): Promise<Found[]> {
  const { status = null, eventKey = null } = filter;
  const [messageId = ABOVE_ALL_IDS, runId = ABOVE_ALL_IDS] = after?.split(' ') ?? [];
  return db.$queryRaw<Found[]>`
    SELECT run.id, run.channel_id AS "channelId", run.message_id || ' ' || run.id AS position,
           (${status}::text IS NULL OR run.status = ${status})
           AND (${eventKey}::text IS NULL OR (
             SELECT bool_and(event_key = ${eventKey}) FROM messages
              WHERE environment_id = ${environmentId}::uuid AND messages.id = run.message_id)) AS matches
      FROM unnest(${[...channelIds]}::uuid[]) AS channel (id)
     CROSS JOIN LATERAL (
           SELECT id, channel_id, message_id, status FROM delivery_runs
            WHERE channel_id = channel.id
              AND message_id <= ${messageId}::uuid AND (message_id, id) < (${messageId}::uuid, ${runId}::uuid)
            ORDER BY message_id DESC, id DESC LIMIT ${rowsOfEach}::int) AS run
     ORDER BY run.message_id DESC, run.id DESC`;
}

/**
 * The rows of a chunk that precede all rows it has not read, and the channels that have more. A channel with fewer rows than were asked
 * for has no more; of the others, the one that was read least far limits what is known.
 */
function known(rows: readonly Found[], channelIds: readonly string[], rowsOfEach: number) {
  const lastOf = new Map<string, { count: number; position: string }>();
  for (const { channelId, position } of rows)
    lastOf.set(channelId, { count: (lastOf.get(channelId)?.count ?? 0) + 1, position });
  const cut = [...lastOf.values()].filter(({ count }) => count === rowsOfEach).map((last) => last.position);
  const end = cut.sort().at(-1) ?? null;
  if (end === null) return { rows, end, channelIds: [] };
  const hasMore = (id: string) => {
    const last = lastOf.get(id);
    return last !== undefined && (last.count === rowsOfEach || last.position < end);
  };
  return {
    rows: rows.filter(({ position }) => position >= end),
    end,
    channelIds: channelIds.filter(hasMore),
  };
}

const positionOf = ({ position }: Found) => position;

/** A page of the runs that match, see {@link searchInChunks}. */
function findRuns(
  db: Queryable,
  ofConsumer: readonly string[],
  query: DeliveriesOfConsumer,
): Promise<Page<Found>> {
  let channelIds = ofConsumer;
  const sizes = { first: FIRST_CHUNK, next: CHUNK, most: MAX_EXAMINED };
  return searchInChunks(query, sizes, positionOf, async ({ after, size }) => {
    const rowsOfEach = Math.max(1, Math.floor(size / channelIds.length));
    const read = await readChunk(db, channelIds, { ...query, after }, rowsOfEach);
    const { rows, end, channelIds: withMore } = known(read, channelIds, rowsOfEach);
    channelIds = withMore;
    return { found: rows.filter(({ matches }) => matches), examined: read.length, end };
  });
}

async function withEventKeys(
  db: Queryable,
  { environmentId }: ConsumerKey,
  runs: readonly DeliveryRunRecord[],
): Promise<ConsumerDelivery[]> {
  const messages = await db.message.findMany({
    where: { environmentId, id: { in: runs.map(({ messageId }) => messageId) } },
    select: { id: true, eventKey: true },
  });
  const keys = new Map(messages.map(({ id, eventKey }) => [id, eventKey]));
  return runs.map((run) => ({ ...run, eventKey: keys.get(run.messageId) ?? '' }));
}

/**
 * A page of the runs of a consumer's own channels, those of the newest messages first; see {@link searchInChunks}. Runs of deleted
 * channels, and of the environment's, are never in it.
 */
export async function listConsumerDeliveries(
  db: Queryable,
  query: DeliveriesOfConsumer,
): Promise<Page<ConsumerDelivery>> {
  const channelIds = await channelsOf(db, query);
  if (channelIds.length === 0) return { rows: [], nextAfter: null };
  const found = await findRuns(db, channelIds, query);
  const page = await fittingPage(found, (asked) => RUN_SIZE(db, asked), positionOf);
  const { environmentId } = query.consumer;
  const runs = await loadRuns(db, { environmentId, id: { in: page.rows.map(({ id }) => id) } });
  const byId = new Map(runs.map((run) => [run.id, run]));
  const inOrder = page.rows.flatMap(({ id }) => byId.get(id) ?? []);
  return { rows: await withEventKeys(db, query.consumer, inOrder), nextAfter: page.nextAfter };
}

/** A run of one of the consumer's channels; null if it has no run with this id. */
export async function readConsumerDelivery(
  db: Queryable,
  { consumer, runId }: { readonly consumer: ConsumerKey; readonly runId: string },
): Promise<ConsumerDelivery | null> {
  const { environmentId } = consumer;
  const run = await db.deliveryRun.findFirst({
    where: { id: runId, environmentId },
    select: { channelId: true },
  });
  if (!run || (await channelsOf(db, { consumer, channelId: run.channelId })).length === 0) return null;
  const runs = await loadRuns(db, { environmentId, id: runId });
  return (await withEventKeys(db, consumer, runs))[0] ?? null;
}
