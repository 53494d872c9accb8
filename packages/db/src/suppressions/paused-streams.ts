import {
  type IdSource,
  type KindFacts,
  MAX_COUNTED_WAITING,
  type PausedStreamRecord,
  pausedStreamForAudit,
  SERVICE_KINDS,
} from '@postrider/domain';
import { Prisma, type Queryable, type UnboundDatabase } from '../client.ts';
import { type Page, type PageRequest, pageOf } from '../pages.ts';
import { HELD_FOR_STREAM } from '../run-statuses.ts';
import { quoted } from '../statement.ts';
import { emitOperational } from '../statements/emit.ts';
import { type Actor, type ConfigureDeps, recordAudit, WORKER_ACTOR } from '../transactions/audit.ts';
import { inTransaction } from '../transactions/transaction.ts';

/** A stream with fewer complaints or delivered emails in a day is not paused: its rate says little. */
const MIN_COMPLAINTS = 3;
const MIN_DELIVERED = 100;
const HOURS_COUNTED = 24;
/** The newest figures of an environment that are added up, so that one with very many does not delay the others. */
const MAX_FIGURES = 50_000;
/** The limits of {@link readComplaintRates}. `figures`: those with complaints in which it finds the environments. */
const MOST_COMPLAINTS = { environments: 10, streams: 10, figures: 10_000 };
/** A resumed stream without held runs is forgotten after this many days, when the figures before the resume no longer count. */
const FORGET_DAYS = 2;

/** SQL of `held` of a run that waits for the stream of `pause`. */
const HELD = Prisma.raw(`('${HELD_FOR_STREAM}' || pause.stream)`);

type StoredPause = Omit<PausedStreamRecord, 'waiting'>;

/** The columns of {@link StoredPause}, of `pause`. */
const COLUMNS = Prisma.raw(`
  pause.environment_id AS "environmentId", pause.stream, pause.paused_at AS "pausedAt", pause.resumed_at AS "resumedAt",
  pause.delivered::float8 AS delivered, pause.complained::float8 AS complained`);

async function report(
  tx: Queryable,
  deps: { readonly newId: IdSource; readonly actor: Actor },
  paused: StoredPause,
): Promise<void> {
  const { environmentId, stream, pausedAt, resumedAt } = paused;
  const action = resumedAt === null ? 'stream.paused' : 'stream.resumed';
  const shown = pausedStreamForAudit(paused);
  await recordAudit(tx, deps, {
    action,
    resourceId: stream,
    environmentId,
    before: resumedAt === null ? null : pausedStreamForAudit({ ...paused, resumedAt: null }),
    after: shown,
  });
  const time = (resumedAt ?? pausedAt).getTime();
  await emitOperational(tx, {
    environmentId,
    type: action,
    payload: shown,
    dedupeKey: `${action}/${environmentId}/${stream}/${time}`,
  });
}

interface ComplaintsDeps {
  readonly kinds?: readonly KindFacts[];
}

/**
 * SQL of the email of the last day of `environments.id` by stream (by those that event keys have now; empty without one), with
 * enough complaints and emails. After a resume only the hours that began later count, and of a paused stream none.
 */
function complaintFigures({ kinds = SERVICE_KINDS }: ComplaintsDeps): Prisma.Sql {
  const email = kinds.filter(({ suppressibleField }) => suppressibleField !== undefined);
  return Prisma.raw(`
    SELECT COALESCE(known_key.stream, '') AS stream, sum(stats.delivered)::int8 AS delivered,
           sum(stats.complained)::int8 AS complained
      FROM (SELECT * FROM stats
             WHERE environment_id = environments.id AND span_seconds = 3600
               AND start > now() - make_interval(hours => ${HOURS_COUNTED})
             ORDER BY start DESC LIMIT ${MAX_FIGURES}) AS stats
      JOIN channels channel ON channel.environment_id = stats.environment_id AND channel.id = stats.channel_id
       AND channel.kind = ANY (ARRAY[${email.map(({ kind }) => quoted(kind)).join(', ')}]::text[])
      LEFT JOIN event_types known_key ON known_key.environment_id = stats.environment_id AND known_key.event_key = stats.event_key
      LEFT JOIN stream_pauses known ON known.environment_id = stats.environment_id AND known.stream = known_key.stream
     WHERE known.stream IS NULL OR stats.start >= known.resumed_at
     GROUP BY 1
    HAVING sum(stats.complained) >= ${MIN_COMPLAINTS} AND sum(stats.delivered) >= ${MIN_DELIVERED}`);
}

/**
 * Pauses the streams whose complaints of the last day have reached the rate of their environment, with at least
 * {@link MIN_COMPLAINTS} of {@link MIN_DELIVERED} emails. From the commit on their runs are held instead of claimed. Returns how
 * many were paused. Several workers may call it concurrently: a stream is paused and reported once.
 */
export function pauseStreams({
  db,
  newId,
  ...deps
}: ComplaintsDeps & { readonly db: UnboundDatabase; readonly newId: IdSource }): Promise<number> {
  return inTransaction({ db }, async (tx) => {
    // The last condition is for a stream that was resumed after this statement began.
    const paused = await tx.$queryRaw<StoredPause[]>`
      INSERT INTO stream_pauses AS pause (environment_id, stream, paused_at, delivered, complained)
      SELECT environments.id, figures.stream, date_trunc('milliseconds', now()), figures.delivered, figures.complained
        FROM environments CROSS JOIN LATERAL (${complaintFigures(deps)}) AS figures
       WHERE environments.pause_streams_at_complaint_rate IS NOT NULL AND figures.stream <> ''
         AND figures.complained >= figures.delivered * environments.pause_streams_at_complaint_rate
       ORDER BY 1, 2
      ON CONFLICT (environment_id, stream) DO UPDATE
        SET paused_at = EXCLUDED.paused_at, resumed_at = NULL, delivered = EXCLUDED.delivered,
            complained = EXCLUDED.complained
        WHERE pause.resumed_at <= date_trunc('hour', EXCLUDED.paused_at)
      RETURNING ${COLUMNS}`;
    for (const stored of paused) await report(tx, { newId, actor: WORKER_ACTOR }, stored);
    return paused.length;
  });
}

/** The share of the emails of a stream in the last day about which recipients complained. */
export interface ComplaintRate {
  readonly environmentId: string;
  /** Empty for email without a stream. */
  readonly stream: string;
  readonly rate: number;
}

/**
 * The highest rates of complaints: at most ten, of the ten environments with the most complaints. Streams that are paused, or
 * have fewer than {@link MIN_COMPLAINTS} complaints or {@link MIN_DELIVERED} emails, are left out.
 */
export function readComplaintRates(db: UnboundDatabase, deps: ComplaintsDeps = {}): Promise<ComplaintRate[]> {
  return db.$queryRaw<ComplaintRate[]>`
    SELECT environments.id AS "environmentId", figures.stream, figures.complained::float8 / figures.delivered AS rate
      FROM (SELECT environment_id AS id
              FROM (SELECT environment_id, complained FROM stats
                     WHERE span_seconds = 3600 AND complained > 0
                       AND start > now() - make_interval(hours => ${HOURS_COUNTED}::int)
                     ORDER BY start DESC LIMIT ${MOST_COMPLAINTS.figures}) AS newest
             GROUP BY environment_id HAVING sum(complained) >= ${MIN_COMPLAINTS}::int
             ORDER BY sum(complained) DESC, environment_id LIMIT ${MOST_COMPLAINTS.environments}) AS environments
     CROSS JOIN LATERAL (${complaintFigures(deps)}) AS figures
     ORDER BY rate DESC, "environmentId", figures.stream LIMIT ${MOST_COMPLAINTS.streams}`;
}

/** The number of runs that wait for `pause`, as SQL. */
const WAITING_FOR_STREAM = Prisma.raw(`
  (SELECT count(*)::int FROM (
     SELECT FROM channels channel CROSS JOIN LATERAL (
       SELECT FROM delivery_runs run
        WHERE run.held = ${HELD.sql} AND run.channel_id = channel.id AND run.completed_at IS NULL
        LIMIT ${MAX_COUNTED_WAITING}) held
      WHERE channel.environment_id = pause.environment_id LIMIT ${MAX_COUNTED_WAITING}) counted) AS waiting`);

/** The paused streams of an environment, by their names. */
export async function listPausedStreams(
  db: Queryable,
  { environmentId, after, limit }: PageRequest & { readonly environmentId: string },
): Promise<Page<PausedStreamRecord>> {
  const rows = await db.$queryRaw<PausedStreamRecord[]>`
    SELECT ${COLUMNS}, ${WAITING_FOR_STREAM} FROM stream_pauses pause
     WHERE pause.environment_id = ${environmentId}::uuid AND pause.resumed_at IS NULL
       AND (${after}::text IS NULL OR pause.stream > ${after})
     ORDER BY pause.stream LIMIT ${limit + 1}`;
  return pageOf(rows, limit, ({ stream }) => stream);
}

/**
 * Ends the pause of a stream. The health sweep releases its held runs. Null if it was not paused lately; a stream that is
 * resumed already is not changed.
 */
export function resumeStream(
  deps: ConfigureDeps,
  { environmentId, stream }: { readonly environmentId: string; readonly stream: string },
): Promise<PausedStreamRecord | null> {
  return inTransaction(deps, async (tx) => {
    const [resumed] = await tx.$queryRaw<StoredPause[]>`
      UPDATE stream_pauses pause SET resumed_at = date_trunc('milliseconds', now())
       WHERE pause.environment_id = ${environmentId}::uuid AND pause.stream = ${stream} AND pause.resumed_at IS NULL
      RETURNING ${COLUMNS}`;
    if (resumed) await report(tx, deps, resumed);
    const [row] = await tx.$queryRaw<PausedStreamRecord[]>`
      SELECT ${COLUMNS}, ${WAITING_FOR_STREAM} FROM stream_pauses pause
       WHERE pause.environment_id = ${environmentId}::uuid AND pause.stream = ${stream}`;
    return row ?? null;
  });
}

/**
 * The values of `held` of runs that wait for a stream which is no longer paused, by the UUIDs of their channels, of at most
 * `limit` channels that are not paused. Also finds a run that was held after its stream was resumed.
 */
export async function findResumedStreams(
  db: UnboundDatabase,
  limit: number,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db.$queryRaw<{ channelId: string; held: string[] }[]>`
    SELECT channel.id AS "channelId", array_agg(${HELD}) AS held
      FROM stream_pauses pause
      JOIN channels channel ON channel.environment_id = pause.environment_id AND channel.deleted_at IS NULL
       AND NOT channel.paused
     WHERE pause.resumed_at IS NOT NULL AND (
       SELECT true FROM delivery_runs run
        WHERE run.held = ${HELD} AND run.channel_id = channel.id AND run.completed_at IS NULL
        LIMIT 1)
     GROUP BY channel.id ORDER BY min(pause.resumed_at), channel.id LIMIT ${limit}`;
  return new Map(rows.map(({ channelId, held }) => [channelId, held]));
}

/** SQL of the oldest run of a channel that is held for a stream which is no longer paused: its UUID, or null. */
export const oldestOfResumedStreams = (of: {
  readonly environmentId: string;
  readonly channelId: string;
}) => `(
  SELECT oldest.id FROM stream_pauses pause CROSS JOIN LATERAL (
    SELECT run.id FROM delivery_runs run
     WHERE run.held = ${HELD.sql} AND run.channel_id = ${of.channelId} AND run.completed_at IS NULL
     ORDER BY run.held, run.channel_id, run.id LIMIT 1) oldest
   WHERE pause.environment_id = ${of.environmentId} AND pause.resumed_at IS NOT NULL
   ORDER BY oldest.id LIMIT 1)`;

/** Forgets streams that were resumed days ago, once none of their runs is held. Returns how many. */
export function forgetResumedStreams(db: UnboundDatabase): Promise<number> {
  return db.$executeRaw`
    DELETE FROM stream_pauses pause
     WHERE pause.resumed_at < now() - make_interval(days => ${FORGET_DAYS}::int) AND (
       SELECT true FROM channels channel CROSS JOIN LATERAL (
         SELECT FROM delivery_runs run
          WHERE run.held = ${HELD} AND run.channel_id = channel.id AND run.completed_at IS NULL
          LIMIT 1) held
        WHERE channel.environment_id = pause.environment_id LIMIT 1) IS NULL`;
}
