import {
  type ChannelKind,
  deriveMessageStatus,
  type MessageStatus,
  type RunFeedback,
  type RunStatus,
} from '@postrider/domain';
import { Prisma, type Queryable } from '../client.ts';
import { feedbackBytes, readFeedback } from '../feedback/read.ts';

export interface RunSummary {
  readonly id: string;
  readonly channel: { readonly id: string; readonly kind: ChannelKind; readonly name: string };
  readonly status: RunStatus;
  readonly scheduledAt: Date | null;
}

/** A run as a message record shows it. */
export interface RunOfMessage extends RunSummary {
  /** Null when nobody reported anything. */
  readonly feedback: RunFeedback | null;
}

/** What a message record shows of its runs. */
export interface RunsOfMessage {
  /** Derived from all runs, also from those that are not shown. */
  readonly status: MessageStatus;
  /** The newest {@link MAX_SHOWN_RUNS}, oldest first. */
  readonly runs: readonly RunOfMessage[];
  /** Whether the message has older runs than these. */
  readonly hasMoreRuns: boolean;
}

/** Runs that a message record shows: a message can be replayed without end. */
export const MAX_SHOWN_RUNS = 100;

/** About what a run's summary has as JSON, without the reason of its feedback. */
const RUN_BYTES = 400;

/** The bytes that a message record has of its runs, as SQL in a statement on `messages`. */
export function runBytes(environmentId: string): Prisma.Sql {
  return Prisma.sql`(
    SELECT COALESCE(sum(${RUN_BYTES}::int + ${feedbackBytes(Prisma.sql`run.id`)}), 0)
      FROM (SELECT id FROM delivery_runs
             WHERE environment_id = ${environmentId}::uuid AND message_id = messages.id
             LIMIT ${MAX_SHOWN_RUNS}::int) AS run)`;
}

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

interface Place {
  readonly environmentId: string;
  readonly messageIds: readonly string[];
}

/** One more of each message than is shown, newest first. */
function readNewest(db: Queryable, { environmentId, messageIds }: Place): Promise<Row[]> {
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

/** The newest run of each channel of these messages, which decides their status. */
function readDeciding(db: Queryable, { environmentId, messageIds }: Place) {
  return db.$queryRaw<{ messageId: string; channelId: string; replay: number; status: RunStatus }[]>`
    SELECT DISTINCT ON (message_id, channel_id)
           message_id AS "messageId", channel_id AS "channelId", replay, status
      FROM delivery_runs
     WHERE environment_id = ${environmentId}::uuid AND message_id = ANY (${messageIds}::uuid[])
     ORDER BY message_id, channel_id, replay DESC`;
}

/** The rows by message, in their order. */
function byMessage<Of extends { readonly messageId: string }>(rows: readonly Of[]): Map<string, Of[]> {
  const groups = new Map<string, Of[]>();
  for (const row of rows) {
    const group = groups.get(row.messageId);
    if (group) group.push(row);
    else groups.set(row.messageId, [row]);
  }
  return groups;
}

const toSummary = ({ id, channelId, channelKind, channelName, status, scheduledAt }: Row): RunSummary => ({
  id,
  channel: { id: channelId, kind: channelKind as ChannelKind, name: channelName },
  status,
  scheduledAt,
});

/** Reads the runs of messages of one environment, by message id: at most 100 rows of each, however many it has. */
export async function readRunsOfMessages(
  db: Queryable,
  place: Place,
): Promise<(messageId: string) => RunsOfMessage> {
  const newest = byMessage(place.messageIds.length === 0 ? [] : await readNewest(db, place));
  const cut = [...newest].filter(([, rows]) => rows.length > MAX_SHOWN_RUNS).map(([id]) => id);
  const deciding = byMessage(cut.length === 0 ? [] : await readDeciding(db, { ...place, messageIds: cut }));
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
