import type { AttemptErrorCode, AttemptStatus, RunStatus } from '@postrider/domain';
import type { ChannelKind } from '../accept/types.ts';
import type { Prisma, Queryable } from '../client.ts';

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

/** A run with all its attempts, oldest first. Ids are UUIDs. */
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

const WITH_DETAILS = {
  channel: { select: { id: true, kind: true, name: true } },
  templateVersion: { select: { id: true, version: true } },
  attempts: { orderBy: { number: 'asc' } },
} satisfies Prisma.DeliveryRunInclude;

type RunWithDetails = Prisma.DeliveryRunGetPayload<{ include: typeof WITH_DETAILS }>;

function toAttempt(row: RunWithDetails['attempts'][number]): AttemptRecord {
  return {
    ...row,
    status: row.status as AttemptStatus,
    errorCode: row.errorCode as AttemptErrorCode | null,
    response:
      row.responseStatus === null
        ? null
        : { statusCode: row.responseStatus, bodyExcerpt: row.responseExcerpt },
  };
}

function toRun(row: RunWithDetails): DeliveryRunRecord {
  return {
    ...row,
    channel: { ...row.channel, kind: row.channelKind as ChannelKind },
    status: row.status as RunStatus,
    template: row.templateVersion,
    nextAttemptAt: row.status === 'retrying' ? row.dueAt : null,
    attempts: row.attempts.map(toAttempt),
  };
}

/** One run of one environment; null when that environment has none of this id. */
export async function readRun(
  db: Queryable,
  { environmentId, runId }: { environmentId: string; runId: string },
): Promise<DeliveryRunRecord | null> {
  const row = await db.deliveryRun.findFirst({ where: { id: runId, environmentId }, include: WITH_DETAILS });
  return row && toRun(row);
}

/** All runs of a message, oldest first; null when the environment has no such message. */
export async function readDeliveries(
  db: Queryable,
  { environmentId, messageId }: { environmentId: string; messageId: string },
): Promise<DeliveryRunRecord[] | null> {
  const rows = await db.deliveryRun.findMany({
    where: { environmentId, messageId },
    include: WITH_DETAILS,
    orderBy: [{ replay: 'asc' }, { id: 'asc' }],
  });
  // Acceptance makes at least one run with every message, so a message without any does not exist.
  return rows.length > 0 ? rows.map(toRun) : null;
}
