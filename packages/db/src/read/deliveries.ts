import type {
  AttemptStatus,
  ChannelKind,
  RunFeedback,
  RunHold,
  RunStatus,
  SkippedCopy,
  TriedAccount,
} from '@postrider/domain';
import type { Prisma, Queryable } from '../client.ts';
import type { Attempt, DeliveryRun } from '../generated/client.ts';
import { fittingPage, jsonBytes, measureRows, type Page, pageOf } from '../pages.ts';
import { HELD_FOR_STREAM } from '../run-statuses.ts';
import { type RunQueue, readQueues } from '../statements/limited-runs.ts';
import { feedbackBytes, readFeedback } from './feedback.ts';

type AttemptRow = Omit<Attempt, 'contentSha256' | 'exchange'>;

export interface AttemptRecord
  extends Omit<
    AttemptRow,
    'runId' | 'fence' | 'status' | 'responseStatus' | 'responseExcerpt' | 'tried' | 'skippedCopies'
  > {
  readonly status: AttemptStatus;
  readonly response: { readonly statusCode: number; readonly bodyExcerpt: string | null } | null;
  /** The mail accounts tried before, in order. */
  readonly tried: readonly TriedAccount[];
  /** The copies that it did not reach. */
  readonly skippedCopies: readonly SkippedCopy[];
}

type RunTime = 'scheduledAt' | 'startedAt' | 'completedAt' | 'createdAt';

/** A run with all its attempts, oldest first. Ids are UUIDs. */
export interface DeliveryRunRecord
  extends Pick<DeliveryRun, 'id' | 'messageId' | 'replay' | 'attemptCount' | 'maxAttempts' | RunTime> {
  readonly channel: { readonly id: string; readonly kind: ChannelKind; readonly name: string };
  readonly status: RunStatus;
  readonly template: { readonly id: string; readonly version: number } | null;
  /** Its sequence within its ordering key; null if it has none, or none yet. */
  readonly sequence: number | null;
  /** What holds it although it is due; null if nothing does. */
  readonly heldBy: RunHold | null;
  /** When the next attempt is due; null unless the run is `retrying`, and while it is held. */
  readonly nextAttemptAt: Date | null;
  /** Its position if it waits for the limits of its channel; otherwise null. */
  readonly queue: RunQueue | null;
  /** Null if there is no feedback. */
  readonly feedback: RunFeedback | null;
  readonly attempts: readonly AttemptRecord[];
}

/** Whether a run waits for its channel or stream. */
const isPaused = (held: string | null) => held === 'paused' || held?.startsWith(HELD_FOR_STREAM) === true;

/** What holds a run. A scheduled run that has no sequence yet only waits for its time. */
function holdOf({ held, sequence, completedAt }: DeliveryRun): RunHold | null {
  if (completedAt !== null) return null;
  if (held === 'paused') return 'channel_paused';
  if (held?.startsWith(HELD_FOR_STREAM)) return 'stream_paused';
  return held === 'ordered' && sequence !== null ? 'ordering_key' : null;
}

function toAttempt({
  responseStatus: statusCode,
  responseExcerpt: bodyExcerpt,
  ...row
}: AttemptRow): AttemptRecord {
  return {
    ...row,
    status: row.status as AttemptStatus,
    response: statusCode === null ? null : { statusCode, bodyExcerpt },
    tried: (row.tried ?? []) as unknown as readonly TriedAccount[],
    skippedCopies: (row.skippedCopies ?? []) as unknown as readonly SkippedCopy[],
  };
}

/** The distinct values of one column, without nulls. */
function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))];
}

/**
 * The runs that match `where`, with their details. The queries run one after the other, because inside a transaction
 * they share one connection; Prisma's `include` would send them at once.
 */
export async function loadRuns(
  db: Queryable,
  where: Prisma.DeliveryRunWhereInput,
): Promise<DeliveryRunRecord[]> {
  const rows = await db.deliveryRun.findMany({ where, orderBy: [{ replay: 'asc' }, { id: 'asc' }] });
  const channels = await db.channel.findMany({
    where: { id: { in: distinct(rows.map((row) => row.channelId)) } },
    select: { id: true, name: true },
  });
  const templates = await db.templateVersion.findMany({
    where: { id: { in: distinct(rows.map((row) => row.templateVersionId)) } },
    select: { id: true, version: true },
  });
  const attempts = await db.attempt.findMany({
    where: { runId: { in: rows.map((row) => row.id) } },
    omit: { contentSha256: true, exchange: true },
    orderBy: { number: 'asc' },
  });
  const feedback = await readFeedback(
    db,
    rows.map((row) => row.id),
  );
  const queues = await readQueues(
    db,
    rows
      .filter((row) => row.completedAt === null && (row.held === null || row.held === 'released'))
      .map((row) => row.id),
  );
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  const templateOf = new Map(templates.map((template) => [template.id, template]));
  const attemptsOf = new Map(rows.map(({ id }): [string, AttemptRecord[]] => [id, []]));
  for (const attempt of attempts) attemptsOf.get(attempt.runId)?.push(toAttempt(attempt));
  return rows.map((row) => ({
    ...row,
    channel: {
      id: row.channelId,
      kind: row.channelKind as ChannelKind,
      name: names.get(row.channelId) ?? '',
    },
    status: row.status as RunStatus,
    template: templateOf.get(row.templateVersionId ?? '') ?? null,
    sequence: row.sequence === null ? null : Number(row.sequence),
    heldBy: queues.has(row.id) ? 'channel_limits' : holdOf(row),
    queue: queues.get(row.id) ?? null,
    nextAttemptAt: row.status === 'retrying' && !isPaused(row.held) ? row.dueAt : null,
    feedback: feedback.get(row.id) ?? null,
    attempts: attemptsOf.get(row.id) ?? [],
  }));
}

/** A run of an environment. Null if the environment has no run with this id. */
export async function readRun(
  db: Queryable,
  { environmentId, runId }: { environmentId: string; runId: string },
): Promise<DeliveryRunRecord | null> {
  const [run] = await loadRuns(db, { id: runId, environmentId });
  return run ?? null;
}

export interface DeliveriesQuery {
  readonly environmentId: string;
  readonly messageId: string;
  /** UUID of the last run of the previous page; null for the first page. */
  readonly after?: string | null;
  /** Runs per page, at most 100. */
  readonly limit?: number;
}

/** Runs on a page of deliveries: as many channels as an environment can have. */
export const MAX_DELIVERIES = 100;

/** The ids of the runs of a page and one more, ordered by replay and then by id. */
async function findRuns(
  db: Queryable,
  { environmentId, messageId, after = null, limit = MAX_DELIVERIES }: DeliveriesQuery,
): Promise<{ readonly id: string }[]> {
  return db.$queryRaw`
    SELECT id FROM delivery_runs
     WHERE environment_id = ${environmentId}::uuid AND message_id = ${messageId}::uuid
       AND (${after}::uuid IS NULL OR (replay, id) > (SELECT replay, id FROM delivery_runs
                                                       WHERE environment_id = ${environmentId}::uuid AND id = ${after}::uuid))
     ORDER BY replay, id LIMIT ${limit + 1}::int`;
}

/** Approximate size of a run and of an attempt as JSON, without texts of remote ends and providers. */
const RUN_BYTES = 900;
const ATTEMPT_BYTES = 400;

/** The size of a run with its attempts. A run with the most attempts and the longest excerpts fits in one page. */
export const RUN_SIZE = measureRows(
  'delivery_runs',
  `${RUN_BYTES} + ${feedbackBytes('delivery_runs.id')} + (
    SELECT COALESCE(sum(${ATTEMPT_BYTES} + ${jsonBytes('to_json(error_message)')}
                        + ${jsonBytes('to_json(response_excerpt)')} + ${jsonBytes('tried')} + ${jsonBytes('skipped_copies')}), 0)
      FROM attempts WHERE run_id = delivery_runs.id)`,
);

/**
 * A page of a message's runs, oldest first. Null if the environment has no such message. The page ends before it
 * exceeds its size limit, see {@link fittingPage}.
 */
export async function readDeliveries(
  db: Queryable,
  query: DeliveriesQuery,
): Promise<Page<DeliveryRunRecord> | null> {
  const { environmentId, messageId, limit = MAX_DELIVERIES } = query;
  const found = await findRuns(db, query);
  if (found.length === 0) {
    const hasMessage = (await db.message.count({ where: { environmentId, id: messageId } })) > 0;
    return hasMessage ? { rows: [], nextAfter: null } : null;
  }
  const page = await fittingPage(
    pageOf(found, limit, ({ id }) => id),
    (asked) => RUN_SIZE(db, asked),
  );
  const rows = await loadRuns(db, { environmentId, id: { in: page.rows.map(({ id }) => id) } });
  return { rows, nextAfter: page.nextAfter };
}
