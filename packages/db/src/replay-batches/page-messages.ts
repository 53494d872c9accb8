import {
  type JsonObject,
  type KindFacts,
  type ReplayBatchRecord,
  type ReplaySkipReason,
  recipientFieldMissing,
  SERVICE_KINDS,
} from '@postrider/domain';
import { IDEMPOTENCY_WAIT_MS } from '../accept/idempotency.ts';
import { store } from '../accept/ingest.ts';
import {
  channelsFor,
  draftRuns,
  type PlanIssue,
  type PlannedRun,
  planRuns,
  type RunWakeUp,
  wakeUpsOf,
} from '../accept/runs.ts';
import { Prisma, type Queryable } from '../client.ts';
import type { Message } from '../generated/client.ts';
import { matchingChannels } from '../read/message-match.ts';
import { type ConsumerSnapshot, loadConsumers } from '../snapshot/consumers.ts';
import { type ChannelSnapshot, type EnvironmentSnapshot, UnknownFilterError } from '../snapshot/load.ts';
import type { Page } from './page-bounds.ts';

/**
 * Locks messages and returns those that still exist, in the order of `ids`. They are locked in the order of their
 * ids, like erasure and retention do, so that they cannot deadlock. The lock is as strong as the update that counts a
 * replay, so it is never upgraded.
 */
export async function lockMessages(
  tx: Queryable,
  { environmentId, ids }: { readonly environmentId: string; readonly ids: readonly string[] },
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM messages WHERE environment_id = ${environmentId}::uuid AND id = ANY(${ids}::uuid[])
     ORDER BY id FOR NO KEY UPDATE`;
  const locked = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => locked.has(id));
}

/** The plan for one matching message. */
export type PlannedMessage =
  | { readonly id: string; readonly outcome: 'replay'; readonly runs: readonly PlannedRun[] }
  | { readonly id: string; readonly outcome: 'skip'; readonly reason: ReplaySkipReason };

type MessageToPlan = Pick<Message, 'id' | 'eventKey' | 'test' | 'operational' | 'erasedAt' | 'consumerId'> & {
  readonly recipient: JsonObject;
  readonly payload: JsonObject;
};

function skipReasonOf(issue: PlanIssue): ReplaySkipReason {
  return issue.code === 'recipient_field_missing' ? recipientFieldMissing(issue.field) : issue.code;
}

function planMessage(
  snapshot: EnvironmentSnapshot,
  message: MessageToPlan,
  {
    consumer,
    isWanted,
  }: { consumer: ConsumerSnapshot | null; isWanted: (channel: ChannelSnapshot) => boolean },
): PlannedMessage {
  const { id, eventKey, test, operational, erasedAt } = message;
  if (test || operational) return { id, outcome: 'skip', reason: 'test_message' };
  if (erasedAt) return { id, outcome: 'skip', reason: 'message_erased' };
  const channels = channelsFor(snapshot, consumer, eventKey).filter(isWanted);
  if (channels.length === 0) return { id, outcome: 'skip', reason: 'no_matching_channel' };
  try {
    const { runs, skipped, issues } = planRuns(snapshot, message, consumer, channels);
    const [issue] = issues;
    if (issue) return { id, outcome: 'skip', reason: skipReasonOf(issue) };
    return runs.length > 0
      ? { id, outcome: 'replay', runs }
      : { id, outcome: 'skip', reason: skipped[0]?.reason ?? 'no_matching_channel' };
  } catch (error) {
    if (error instanceof UnknownFilterError) return { id, outcome: 'skip', reason: 'unknown_filter' };
    throw error;
  }
}

/**
 * Plans the replay of each message, in the order of `ids`, by the rules of a single replay: with the current channels
 * and templates. If the filter has conditions on runs, only channels whose runs match are used: a replay of failures
 * on one channel must not deliver to the others again.
 */
export async function planMessages(
  tx: Queryable,
  snapshot: EnvironmentSnapshot,
  batch: ReplayBatchRecord,
  ids: readonly string[],
  kinds: readonly KindFacts[] = SERVICE_KINDS,
): Promise<PlannedMessage[]> {
  const { environmentId } = batch;
  const named = await tx.$queryRaw<{ consumer_id: string }[]>`
    SELECT DISTINCT consumer_id FROM messages
     WHERE environment_id = ${environmentId}::uuid AND id = ANY(${ids}::uuid[]) AND consumer_id IS NOT NULL`;
  const keys = named.map((row) => ({ environmentId, id: row.consumer_id }));
  const loaded = keys.length === 0 ? [] : await loadConsumers(tx, keys, kinds);
  const consumers = new Map(
    loaded.flatMap((consumer) => (consumer ? [[consumer.id, consumer] as const] : [])),
  );
  const channels = [snapshot, ...consumers.values()].flatMap((owner) => owner.channels);
  // Payloads that no filter needs are not read.
  const payload = channels.some(({ filter }) => filter !== null)
    ? Prisma.raw('payload')
    : Prisma.raw("'{}'::jsonb AS payload");
  const rows = await tx.$queryRaw<MessageToPlan[]>`
    SELECT id, event_key AS "eventKey", recipient, ${payload}, test, operational, erased_at AS "erasedAt",
           consumer_id AS "consumerId"
      FROM messages WHERE environment_id = ${batch.environmentId}::uuid AND id = ANY(${ids}::uuid[])
     ORDER BY id DESC`;
  const matching = await matchingChannels(tx, batch, ids);
  return rows.map((row) =>
    planMessage(snapshot, row, {
      consumer: (row.consumerId === null ? null : consumers.get(row.consumerId)) ?? null,
      isWanted: ({ id }) =>
        (batch.channelIds?.includes(id) ?? true) &&
        (matching === null || matching.get(row.id)?.has(id) === true),
    }),
  );
}

/**
 * Creates the runs of a page whose messages are locked, and counts them against the quota, and the limit of the consumer whose
 * bulk replay it is, as its last step, because the tenant's row stays locked until the commit.
 */
export async function insertPage(
  tx: Queryable,
  {
    tenantId,
    batch: { environmentId, consumerId: replayedBy },
    now,
  }: { tenantId: string; batch: ReplayBatchRecord; now: Date },
  { replays }: Page,
): Promise<RunWakeUp[]> {
  if (replays.length === 0) return [];
  const numbered = await tx.$queryRaw<{ id: string; replay: number }[]>`
    UPDATE messages SET replay_count = replay_count + 1
     WHERE environment_id = ${environmentId}::uuid AND id = ANY(${replays.map(({ id }) => id)}::uuid[])
    RETURNING id, replay_count AS replay`;
  const numbers = new Map(numbered.map(({ id, replay }) => [id, replay]));
  const creations = replays.map(({ id, runs }) => {
    const replay = numbers.get(id);
    if (replay === undefined) throw new Error(`message ${id} was replayed without a lock`);
    return { ...draftRuns(runs, { now, messageId: id }), tenantId, environmentId, replayedBy, replay };
  });
  await store(tx, creations, { as: 'replays', lockTimeoutMs: IDEMPOTENCY_WAIT_MS });
  return creations.flatMap((creation) => wakeUpsOf(creation));
}
