import {
  type JsonObject,
  type ReplayBatchRecord,
  type ReplaySkipReason,
  recipientFieldMissing,
} from '@postrider/domain';
import { IDEMPOTENCY_WAIT_MS } from '../accept/idempotency.ts';
import { channelsFor, type PlanIssue, planRuns } from '../accept/plan-runs.ts';
import { draftRuns, runsToEnqueue } from '../accept/runs.ts';
import { STEPS, store } from '../accept/store.ts';
import type { PlannedRun, RunToEnqueue } from '../accept/types.ts';
import type { Queryable } from '../client.ts';
import { matchingChannelsStatement } from '../read/message-match.ts';
import type { ChannelSnapshot, EnvironmentSnapshot } from '../snapshot/load.ts';
import type { Page } from './page-bounds.ts';

/**
 * Locks messages for the transaction, before anything is decided about them, and returns those that are still there, in
 * the order of `ids`. In the order of their ids, as erasure and retention do, so that no two wait for each other.
 * As strong as the update that counts a replay, so that it is never made stronger.
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

/** What becomes of one message that matches. */
export type PlannedMessage =
  | { readonly id: string; readonly outcome: 'replay'; readonly runs: readonly PlannedRun[] }
  | { readonly id: string; readonly outcome: 'skip'; readonly reason: ReplaySkipReason };

interface MessageToPlan {
  readonly id: string;
  readonly eventKey: string;
  readonly recipient: JsonObject;
  readonly payload: JsonObject;
  readonly test: boolean;
  readonly operational: boolean | null;
  readonly erasedAt: Date | null;
}

/** The channels whose runs made each message match, by message; null when the filter asks nothing of runs. */
async function matchingChannels(
  tx: Queryable,
  batch: ReplayBatchRecord,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>> | null> {
  const statement = matchingChannelsStatement(batch, ids);
  if (!statement) return null;
  const channels = new Map<string, Set<string>>(ids.map((id) => [id, new Set()]));
  for (const row of await tx.$queryRaw<{ message_id: string; channel_id: string }[]>(statement)) {
    channels.get(row.message_id)?.add(row.channel_id);
  }
  return channels;
}

function skipReasonOf(issue: PlanIssue): ReplaySkipReason {
  return issue.code === 'recipient_field_missing' ? recipientFieldMissing(issue.field) : issue.code;
}

function planMessage(
  snapshot: EnvironmentSnapshot,
  { id, eventKey, recipient, payload, test, operational, erasedAt }: MessageToPlan,
  isWanted: (channel: ChannelSnapshot) => boolean,
): PlannedMessage {
  if (test || operational) return { id, outcome: 'skip', reason: 'test_message' };
  if (erasedAt) return { id, outcome: 'skip', reason: 'message_erased' };
  const channels = channelsFor(snapshot, eventKey).filter(isWanted);
  if (channels.length === 0) return { id, outcome: 'skip', reason: 'no_matching_channel' };
  const { runs, skipped, issues } = planRuns(snapshot, { eventKey, recipient, payload, channels });
  const [issue] = issues;
  if (issue) return { id, outcome: 'skip', reason: skipReasonOf(issue) };
  return runs.length > 0
    ? { id, outcome: 'replay', runs }
    : { id, outcome: 'skip', reason: skipped[0]?.reason ?? 'no_matching_channel' };
}

/**
 * Decides for each message, in the order of `ids`, by the rules of a single replay: channels and templates as they are
 * now. Where the filter asks something of runs, only the channels of the runs that fulfil it are delivered to: who
 * replays what failed on one channel does not want the others to deliver again.
 */
export async function planMessages(
  tx: Queryable,
  snapshot: EnvironmentSnapshot,
  batch: ReplayBatchRecord,
  ids: readonly string[],
): Promise<PlannedMessage[]> {
  // What no filter looks at need not be read.
  const payload = snapshot.channels.some(({ filter }) => filter !== null);
  const rows = await tx.message.findMany({
    where: { environmentId: batch.environmentId, id: { in: [...ids] } },
    select: {
      id: true,
      eventKey: true,
      recipient: true,
      payload,
      test: true,
      operational: true,
      erasedAt: true,
    },
    orderBy: { id: 'desc' },
  });
  const matching = await matchingChannels(tx, batch, ids);
  return rows.map((row) =>
    planMessage(
      snapshot,
      {
        ...row,
        recipient: row.recipient as JsonObject,
        payload: (row.payload ?? {}) as JsonObject,
      },
      ({ id }) =>
        (batch.channelIds?.includes(id) ?? true) &&
        (matching === null || matching.get(row.id)?.has(id) === true),
    ),
  );
}

/**
 * Makes the runs of a page whose messages are locked, and counts them against the quota, which is what it does last: the
 * tenant's row stays locked until the commit.
 */
export async function insertPage(
  tx: Queryable,
  { tenantId, environmentId, now }: { tenantId: string; environmentId: string; now: Date },
  { replays }: Page,
): Promise<RunToEnqueue[]> {
  if (replays.length === 0) return [];
  const numbered = await tx.$queryRaw<{ id: string; replay: number }[]>`
    UPDATE messages SET replay_count = replay_count + 1
     WHERE environment_id = ${environmentId}::uuid AND id = ANY(${replays.map(({ id }) => id)}::uuid[])
    RETURNING id, replay_count AS replay`;
  const numbers = new Map(numbered.map(({ id, replay }) => [id, replay]));
  const creations = replays.map(({ id, runs }) => {
    const replay = numbers.get(id);
    if (replay === undefined) throw new Error(`message ${id} was replayed without a lock`);
    const drafted = draftRuns(runs, { now, messageId: id });
    return { ...drafted, tenantId, environmentId, message: null, replay, traceparent: null, response: null };
  });
  await store(tx, creations, { steps: STEPS.replays, lockTimeoutMs: IDEMPOTENCY_WAIT_MS });
  return creations.flatMap((creation) => runsToEnqueue(creation));
}
