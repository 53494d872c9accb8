import { type JsonObject, type ReplaySkipReason, recipientFieldMissing } from '@postrider/domain';
import { channelsFor, type PlanFault, planRuns } from '../accept/plan-runs.ts';
import type { PlannedRun } from '../accept/types.ts';
import type { Queryable } from '../client.ts';
import { matchingChannelsStatement } from '../read/message-match.ts';
import type { ChannelSnapshot, EnvironmentSnapshot } from '../snapshot/load.ts';
import type { ReplayBatchRecord } from './batch-record.ts';

/** What becomes of one message that matches. */
export type PlannedMessage =
  | { readonly id: string; readonly outcome: 'replay'; readonly runs: readonly PlannedRun[] }
  | { readonly id: string; readonly outcome: 'skip'; readonly reason: ReplaySkipReason };

interface MessageToPlan {
  readonly id: string;
  readonly eventKey: string;
  readonly recipient: JsonObject;
  readonly test: boolean;
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

function skipReasonOf(fault: PlanFault): ReplaySkipReason {
  return fault.code === 'template_not_found' ? fault.code : recipientFieldMissing(fault.field);
}

function planMessage(
  snapshot: EnvironmentSnapshot,
  { id, eventKey, recipient, test, erasedAt }: MessageToPlan,
  isWanted: (channel: ChannelSnapshot) => boolean,
): PlannedMessage {
  if (test) return { id, outcome: 'skip', reason: 'test_message' };
  if (erasedAt) return { id, outcome: 'skip', reason: 'message_erased' };
  const channels = channelsFor(snapshot, eventKey).filter(isWanted);
  if (channels.length === 0) return { id, outcome: 'skip', reason: 'no_matching_channel' };
  const { runs, faults } = planRuns(snapshot, { eventKey, recipient, channels });
  const [fault] = faults;
  return fault ? { id, outcome: 'skip', reason: skipReasonOf(fault) } : { id, outcome: 'replay', runs };
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
  const rows = await tx.message.findMany({
    where: { environmentId: batch.environmentId, id: { in: [...ids] } },
    select: { id: true, eventKey: true, recipient: true, test: true, erasedAt: true },
    orderBy: { id: 'desc' },
  });
  const matching = await matchingChannels(tx, batch, ids);
  return rows.map((row) =>
    planMessage(
      snapshot,
      { ...row, recipient: row.recipient as JsonObject },
      ({ id }) =>
        (batch.channelIds?.includes(id) ?? true) &&
        (matching === null || matching.get(row.id)?.has(id) === true),
    ),
  );
}
