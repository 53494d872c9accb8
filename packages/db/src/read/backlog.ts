import { type ChannelKind, SERVICE_KINDS } from '@postrider/domain';
import { Prisma, type UnboundDatabase } from '../client.ts';
import { IS_WAITING, WAITING_CHANNELS } from '../run-statuses.ts';
import { HAS_LIMITS } from '../statements/limited-runs.ts';

/** The due and unclaimed runs of a channel kind, without those that wait for the limits of their channels. */
interface Backlog {
  readonly kind: ChannelKind;
  /** Counted up to {@link BACKLOG_COUNT_LIMIT}. */
  readonly dueRuns: number;
  /** Time since the oldest was due, by the database's clock; 0 if there is none. */
  readonly ageSeconds: number;
}

/** The most runs of a kind that are counted, which limits the cost of a long backlog. */
const BACKLOG_COUNT_LIMIT = 10_000;

/**
 * The due runs of each kind and their age, through {@link WAITING_CHANNELS}: the age costs one index look-up per
 * channel, and the count stops at the limit.
 */
export async function readBacklog(
  db: UnboundDatabase,
  kinds: readonly ChannelKind[] = SERVICE_KINDS.map(({ kind }) => kind),
): Promise<Backlog[]> {
  return db.$queryRaw<Backlog[]>`
    ${WAITING_CHANNELS}, unlimited AS MATERIALIZED (
      SELECT waiting.* FROM waiting
       WHERE NOT EXISTS (SELECT FROM channels channel WHERE channel.id = waiting.channel_id AND ${HAS_LIMITS})
    )
    SELECT kind,
           (SELECT count(*)::int FROM (
              SELECT FROM unlimited CROSS JOIN LATERAL (
                SELECT FROM delivery_runs run
                 WHERE run.channel_id = unlimited.channel_id AND run.due_at <= now()
                   AND ${Prisma.raw(IS_WAITING)}
                 LIMIT ${BACKLOG_COUNT_LIMIT}) due
               WHERE unlimited.channel_kind = kind
               LIMIT ${BACKLOG_COUNT_LIMIT}) counted) AS "dueRuns",
           (SELECT COALESCE(extract(epoch FROM now() - min(oldest.due_at)), 0)::float8
              FROM unlimited CROSS JOIN LATERAL (
                SELECT run.due_at FROM delivery_runs run
                 WHERE run.channel_id = unlimited.channel_id AND run.due_at <= now()
                   AND ${Prisma.raw(IS_WAITING)}
                 ORDER BY run.due_at LIMIT 1) oldest
             WHERE unlimited.channel_kind = kind) AS "ageSeconds"
      FROM unnest(${[...kinds]}::text[]) AS kind`;
}
