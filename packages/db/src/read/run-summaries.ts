import {
  deriveMessageStatus,
  groupBy,
  type MessageStatus,
  type RunFeedback,
  type RunStatus,
  type RunSummary,
} from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { feedbackBytes, readFeedback } from './feedback.ts';

/** A run as shown in a message record. */
export interface RunOfMessage extends RunSummary {
  /** Null if there is no feedback. */
  readonly feedback: RunFeedback | null;
}

export interface RunsOfMessage {
  /** Derived from all runs, including those that are not shown. */
  readonly status: MessageStatus;
  /** The newest {@link MAX_SHOWN_RUNS}, oldest first. */
  readonly runs: readonly RunOfMessage[];
  /** Whether the message has older runs than these. */
  readonly hasMoreRuns: boolean;
}

/** The most runs in a message record, because a message can be replayed any number of times. */
const MAX_SHOWN_RUNS = 100;

/** Approximate size of a run's summary as JSON, without the reason of its feedback. */
const RUN_BYTES = 400;

/** SQL for the size of a message's runs in its record, for a statement on `messages`. */
export const MESSAGE_RUNS_BYTES = `(
    SELECT COALESCE(sum(${RUN_BYTES} + ${feedbackBytes('run.id')}), 0)
      FROM (SELECT id FROM delivery_runs
             WHERE environment_id = :environmentId::uuid AND message_id = messages.id
             LIMIT ${MAX_SHOWN_RUNS}) AS run)`;

interface Row {
  readonly id: string;
  readonly messageId: string;
  readonly channelId: string;
  readonly channelKind: string;
  readonly channelName: string;
  readonly replay: number;
  readonly status: RunStatus;
  readonly scheduledAt: Date | null;
}

interface MessagesOfEnvironment {
  readonly environmentId: string;
  readonly messageIds: readonly string[];
}

/** The newest runs of each message, one more than is shown. */
function readNewest(db: Queryable, { environmentId, messageIds }: MessagesOfEnvironment): Promise<Row[]> {
  return db.$queryRaw<Row[]>`
    SELECT run.id, asked.id AS "messageId", run.channel_id AS "channelId", run.channel_kind AS "channelKind",
           channels.name AS "channelName", run.replay, run.status, run.scheduled_at AS "scheduledAt"
      FROM unnest(${messageIds}::uuid[]) AS asked (id)
     CROSS JOIN LATERAL (
           SELECT * FROM delivery_runs
            WHERE environment_id = ${environmentId}::uuid AND message_id = asked.id
            ORDER BY replay DESC, id DESC LIMIT ${MAX_SHOWN_RUNS + 1}::int) AS run
      JOIN channels ON channels.id = run.channel_id
     ORDER BY run.replay DESC, run.id DESC`;
}

/** The newest run of each channel, from which the status of a message is derived. */
function readDeciding(db: Queryable, { environmentId, messageIds }: MessagesOfEnvironment) {
  return db.$queryRaw<{ messageId: string; channelId: string; replay: number; status: RunStatus }[]>`
    SELECT DISTINCT ON (message_id, channel_id)
           message_id AS "messageId", channel_id AS "channelId", replay, status
      FROM delivery_runs
     WHERE environment_id = ${environmentId}::uuid AND message_id = ANY (${messageIds}::uuid[])
     ORDER BY message_id, channel_id, replay DESC`;
}

const toSummary = ({ id, channelId, channelKind, channelName, status, scheduledAt }: Row): RunSummary => ({
  id,
  channel: { id: channelId, kind: channelKind, name: channelName },
  status,
  scheduledAt,
});

const messageIdOf = ({ messageId }: { readonly messageId: string }) => messageId;

/** Reads the runs of messages of one environment, by message id: at most 100 per message. */
export async function readRunsOfMessages(
  db: Queryable,
  asked: MessagesOfEnvironment,
): Promise<(messageId: string) => RunsOfMessage> {
  const newest = groupBy(asked.messageIds.length === 0 ? [] : await readNewest(db, asked), messageIdOf);
  const cut = [...newest].filter(([, rows]) => rows.length > MAX_SHOWN_RUNS).map(([id]) => id);
  const deciding = groupBy(
    cut.length === 0 ? [] : await readDeciding(db, { ...asked, messageIds: cut }),
    messageIdOf,
  );
  const shown = [...newest.values()].flatMap((rows) => rows.slice(0, MAX_SHOWN_RUNS).map(({ id }) => id));
  const feedback = await readFeedback(db, shown);
  return (messageId) => {
    const rows = newest.get(messageId) ?? [];
    return {
      status: deriveMessageStatus(deciding.get(messageId) ?? rows),
      runs: rows
        .slice(0, MAX_SHOWN_RUNS)
        .reverse()
        .map((row) => ({ ...toSummary(row), feedback: feedback.get(row.id) ?? null })),
      hasMoreRuns: rows.length > MAX_SHOWN_RUNS,
    };
  };
}
