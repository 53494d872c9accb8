import type { AttemptErrorCode, AttemptStatus, ChannelKind, RunStatus } from '@postrider/domain';
import type { Prisma, Queryable } from '../client.ts';
import { MAX_PAGE_BYTES } from './page-bytes.ts';

export interface AttemptRecord {
  readonly id: string;
  readonly number: number;
  readonly status: AttemptStatus;
  readonly errorCode: AttemptErrorCode | null;
  readonly errorMessage: string | null;
  readonly retryable: boolean | null;
  readonly startedAt: Date;
  readonly completedAt: Date | null;
  readonly durationMs: number | null;
  readonly response: { readonly statusCode: number; readonly bodyExcerpt: string | null } | null;
}

/** A run with all its attempts, oldest first. Ids are UUIDs. Excerpts of older attempts are left out where there are many. */
export interface DeliveryRunRecord {
  readonly id: string;
  readonly messageId: string;
  readonly channel: { readonly id: string; readonly kind: ChannelKind; readonly name: string };
  readonly status: RunStatus;
  readonly replay: number;
  readonly template: { readonly id: string; readonly version: number } | null;
  readonly attemptCount: number;
  readonly maxAttempts: number;
  readonly scheduledAt: Date | null;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  /** When the next attempt is due; null unless the run is `retrying`. */
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly attempts: readonly AttemptRecord[];
}

type AttemptRow = Prisma.AttemptGetPayload<{ omit: { responseExcerpt: true } }>;

/** What tells an attempt's excerpt from others'. */
const excerptKey = (runId: string, number: number) => `${runId} ${number}`;

/**
 * The excerpts of what was answered to the attempts of these runs, the newest first as long as they are at most
 * {@link MAX_PAGE_BYTES} together: a hundred channels and twenty attempts can have 32 MB of them.
 */
async function readExcerpts(db: Queryable, runIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.$queryRaw<{ run_id: string; number: number; response_excerpt: string }[]>`
    SELECT run_id, number, response_excerpt
      FROM (SELECT run_id, number, response_excerpt,
                   sum(octet_length(response_excerpt)) OVER (ORDER BY started_at DESC, run_id, number DESC) AS bytes
              FROM attempts
             WHERE run_id = ANY (${runIds}::uuid[]) AND response_excerpt IS NOT NULL) AS excerpt
     WHERE bytes <= ${MAX_PAGE_BYTES}::bigint`;
  return new Map(rows.map((row) => [excerptKey(row.run_id, row.number), row.response_excerpt]));
}

function toAttempt(row: AttemptRow, excerpts: ReadonlyMap<string, string>): AttemptRecord {
  return {
    ...row,
    status: row.status as AttemptStatus,
    errorCode: row.errorCode as AttemptErrorCode | null,
    response:
      row.responseStatus === null
        ? null
        : {
            statusCode: row.responseStatus,
            bodyExcerpt: excerpts.get(excerptKey(row.runId, row.number)) ?? null,
          },
  };
}

/** Collects the values of one column, without nulls and repetitions. */
function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))];
}

/**
 * The runs that fulfil `where` with their details. The queries run one after the other, because inside a
 * transaction they share one connection; Prisma's `include` would send them at once.
 */
async function loadRuns(db: Queryable, where: Prisma.DeliveryRunWhereInput): Promise<DeliveryRunRecord[]> {
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
    omit: { responseExcerpt: true },
    orderBy: { number: 'asc' },
  });
  const excerpts = await readExcerpts(
    db,
    rows.map((row) => row.id),
  );
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    ...row,
    channel: {
      id: row.channelId,
      kind: row.channelKind as ChannelKind,
      name: names.get(row.channelId) ?? '',
    },
    status: row.status as RunStatus,
    template: templates.find(({ id }) => id === row.templateVersionId) ?? null,
    nextAttemptAt: row.status === 'retrying' ? row.dueAt : null,
    attempts: attempts
      .filter((attempt) => attempt.runId === row.id)
      .map((attempt) => toAttempt(attempt, excerpts)),
  }));
}

/** One run of one environment; null when that environment has none of this id. */
export async function readRun(
  db: Queryable,
  { environmentId, runId }: { environmentId: string; runId: string },
): Promise<DeliveryRunRecord | null> {
  const [run] = await loadRuns(db, { id: runId, environmentId });
  return run ?? null;
}

/** All runs of a message, oldest first; null when the environment has no such message. */
export async function readDeliveries(
  db: Queryable,
  { environmentId, messageId }: { environmentId: string; messageId: string },
): Promise<DeliveryRunRecord[] | null> {
  const runs = await loadRuns(db, { environmentId, messageId });
  // Acceptance makes at least one run with every message, so a message without any does not exist.
  return runs.length > 0 ? runs : null;
}
