import {
  conflict,
  type MessageFilter,
  presentFilter,
  type ReplayBatchRecord,
  type ReplayPreview,
  reject,
  SELF_SERVICE_LIMITS,
} from '@postrider/domain';
import { readReplaysOfDay } from '../accept/quota.ts';
import { lockConsumer } from '../channels/consumer-record.ts';
import type { Queryable } from '../client.ts';
import { countMessages } from '../read/message-search.ts';
import { erasedHash } from '../recipient-address.ts';
import { OPEN_BATCH } from '../run-statuses.ts';
import type { ConfigureDeps } from '../transactions/audit.ts';
import { inTransaction, timeOf } from '../transactions/transaction.ts';
import { readReplayBatch, recordReplayBatch, toReplayBatch } from './batches.ts';

export interface ReplayBatchInput {
  readonly environmentId: string;
  readonly filter: MessageFilter;
  /** Null for all that take the event. */
  readonly channelIds: readonly string[] | null;
  /** The consumer that it belongs to, whose channels `channelIds` are; null for one of the environment. */
  readonly consumerId: string | null;
  /** At least 1. */
  readonly messagesPerSecond: number;
}

/**
 * Limits the messages to those before the database's current time, so that neither new events nor the replay itself
 * add any, and counts them.
 */
export async function previewReplay(
  db: Queryable,
  { environmentId, filter, ...owner }: Omit<ReplayBatchInput, 'messagesPerSecond'>,
): Promise<ReplayPreview> {
  const now = await timeOf(db);
  const createdBefore = filter.createdBefore && filter.createdBefore < now ? filter.createdBefore : now;
  const fixed = { ...filter, createdBefore };
  return {
    now,
    filter: fixed,
    ...(await countMessages(db, { environmentId, filter: fixed, ofChannels: channelsSeenBy(owner) })),
  };
}

/** The channels whose runs a bulk replay sees: those of a consumer alone, see `MessageSearch`. */
export const channelsSeenBy = ({
  consumerId,
  channelIds,
}: Pick<ReplayBatchInput, 'consumerId' | 'channelIds'>): readonly string[] | undefined =>
  consumerId === null ? undefined : (channelIds ?? []);

/** The most open bulk replays of the consumers of an environment. */
const MAX_OPEN_OF_CONSUMERS = 1_000;

async function isFullOfConsumers(tx: Queryable, environmentId: string): Promise<boolean> {
  const open = await tx.$queryRaw<unknown[]>`
    SELECT FROM replay_batches
     WHERE environment_id = ${environmentId}::uuid AND status IN ${OPEN_BATCH} AND consumer_id IS NOT NULL
     LIMIT ${MAX_OPEN_OF_CONSUMERS}`;
  return open.length >= MAX_OPEN_OF_CONSUMERS;
}

/**
 * Whether the filter names the recipient of an open erasure. If it did not when a bulk replay was created, an erasure
 * that is requested meanwhile finds the bulk replay: it stays open for longer than that transaction can.
 */
async function isBeingErased(
  tx: Queryable,
  { environmentId, filter }: Pick<ReplayBatchInput, 'environmentId' | 'filter'>,
): Promise<boolean> {
  const { recipientEmail } = filter;
  if (recipientEmail === undefined) return false;
  const recipientSha256 = erasedHash(environmentId, { recipientEmail, recipientId: null, consumerId: null });
  const open = await tx.erasure.findFirst({ where: { environmentId, recipientSha256, completedAt: null } });
  return open !== null;
}

const { count: REPLAYS_OF_DAY } = SELF_SERVICE_LIMITS.replaysOfConsumer;
const REFUSALS = {
  deleted: conflict('The consumer has been deleted.'),
  alreadyOpen: conflict('A bulk replay is still in progress: wait for it or cancel it.'),
  tooMany: conflict('Too many consumers have bulk replays in progress: try again later.'),
  tooManyToday: conflict(
    `The consumer has replayed ${REPLAYS_OF_DAY.toLocaleString('en')} messages today (UTC): try again tomorrow.`,
  ),
  beingErased: conflict('The data of this recipient is being erased: wait until the erasure has ended.'),
};

/**
 * Creates a bulk replay, which the workers carry out.
 * @throws RefusedError if the environment or the consumer has an open one, the data of the recipient in its filter is being erased,
 * or consumers replay too much
 */
export async function createReplayBatch(
  deps: ConfigureDeps,
  input: ReplayBatchInput,
): Promise<ReplayBatchRecord> {
  const { now, filter, matched, isLowerBound } = await previewReplay(deps.db, input);
  return inTransaction(deps, async (tx) => {
    const { environmentId, consumerId, channelIds } = input;
    // The lock makes a deletion of the consumer wait until it can find the bulk replay, which would be that of a later one with its id.
    if (consumerId !== null && !(await lockConsumer(tx, { environmentId, id: consumerId })))
      reject(REFUSALS.deleted);
    if (await isBeingErased(tx, input)) reject(REFUSALS.beingErased);
    if (consumerId !== null && (await isFullOfConsumers(tx, environmentId))) reject(REFUSALS.tooMany);
    if (consumerId !== null) {
      const { used, limit } = await readReplaysOfDay(tx, { environmentId, consumerId });
      if (used >= limit) reject(REFUSALS.tooManyToday);
    }
    const data = {
      id: deps.newId(),
      environmentId,
      status: 'pending',
      filter: presentFilter(filter),
      channelIds: [...(channelIds ?? [])],
      consumerId,
      messagesPerSecond: input.messagesPerSecond,
      matched,
      matchedIsLowerBound: isLowerBound,
      createdAt: now,
    };
    const [row] = await tx.replayBatch.createManyAndReturn({ data: [data], skipDuplicates: true });
    const batch = toReplayBatch(row ?? reject(REFUSALS.alreadyOpen));
    await recordReplayBatch(tx, deps, { action: 'replay_batch.created', before: null, after: batch });
    return batch;
  });
}

/**
 * Stops a bulk replay. Waits for the page in progress, after which no other follows; existing runs continue.
 * Cancelling it again returns the same result.
 * @throws RefusedError if there is none, or it has ended otherwise
 */
export async function cancelReplayBatch(deps: ConfigureDeps, id: string): Promise<ReplayBatchRecord> {
  return inTransaction(deps, async (tx) => {
    await tx.$queryRaw`SELECT FROM replay_batches WHERE id = ${id}::uuid FOR UPDATE`;
    const before = await readReplayBatch(tx, id);
    if (!before) reject('replay_batch_not_found');
    if (before.status === 'cancelled') return before;
    if (before.completedAt) reject(conflict(`The bulk replay is ${before.status}.`));
    const row = await tx.replayBatch.update({
      where: { id },
      data: { status: 'cancelled', reason: null, retryAt: null, completedAt: await timeOf(tx) },
    });
    const batch = toReplayBatch(row);
    await recordReplayBatch(tx, deps, { action: 'replay_batch.cancelled', before, after: batch });
    return batch;
  });
}

/** The enabled channels of an environment, or of a consumer; with `ids` those of them, in their order. */
export async function findUsableChannels(
  db: Queryable,
  {
    environmentId,
    consumerId,
    ids,
  }: {
    readonly environmentId: string;
    /** Null: also those of consumers. */
    readonly consumerId: string | null;
    readonly ids: readonly string[] | null;
  },
): Promise<ReadonlySet<string>> {
  const rows = await db.channel.findMany({
    where: {
      environmentId,
      ...(consumerId === null ? {} : { consumerId }),
      ...(ids === null ? {} : { id: { in: [...ids] } }),
      enabled: true,
      deletedAt: null,
    },
    select: { id: true },
  });
  const usable = new Set(rows.map(({ id }) => id));
  return ids === null ? usable : new Set(ids.filter((id) => usable.has(id)));
}
