import { type ChannelActivity, FAILING_DAYS, FAILING_FROM, type StateFacts } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { defineStatement, differentValues } from '../statement.ts';
import { NO_LATENCY } from './count.ts';

const IN_LAST_DAY = `>= now() - interval '${FAILING_DAYS} day'`;

/**
 * SQL: whether a channel counts as failing by its row `known` of `channel_failures` and its row `health`, if it has one. The
 * same as in `channelStateOf`.
 */
export const FAILS = `known.failed_at ${IN_LAST_DAY} AND known.failures >=
  CASE WHEN health.last_success_at ${IN_LAST_DAY} THEN ${FAILING_FROM} ELSE 1 END`;

type FactsRow = StateFacts & { readonly id: string };

const readFacts = defineStatement<{ readonly ids: readonly string[]; readonly keys: number }, FactsRow>({
  text: `
    SELECT channel.id, channel.paused_at AS "pausedAt", health.probe_run_id IS NOT NULL AS "isProbing",
           COALESCE(known.failures, 0)::int AS failures, known.failing_since AS "failuresSince",
           COALESCE(health.last_success_at ${IN_LAST_DAY}, false) AS "hasSucceeded",
           blocked.keys AS "blockedKeys", blocked.since AS "blockedSince",
           COALESCE(health.last_success_at, health.failing_since, known.failed_at) IS NOT NULL AS "hasTraffic"
      FROM (SELECT unnest((SELECT :ids::uuid[])) AS id) asked
      JOIN channels channel USING (id)
      LEFT JOIN channel_health health ON health.channel_id = channel.id
      LEFT JOIN channel_failures known ON known.channel_id = channel.id
       AND known.failed_at ${IN_LAST_DAY}
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS keys, min(blocked_at) AS since FROM (
         SELECT blocked_at FROM ordering_keys
          WHERE environment_id = channel.environment_id AND channel_id = channel.id AND blocked_at IS NOT NULL
          LIMIT :keys::int) AS counted) AS blocked`,
});

/** What decides about the states of these channels, by UUID, with at most `keys` blocked ordering keys of each. */
export async function readStateFacts(
  db: Queryable,
  channelIds: readonly string[],
  keys: number,
): Promise<ReadonlyMap<string, StateFacts>> {
  if (channelIds.length === 0) return new Map();
  const rows = await readFacts(db, { ids: channelIds, keys });
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}

interface NeedyQuery {
  readonly environmentId: string;
  /** Whether to include the channels that take operational events. */
  readonly withOperational: boolean;
}

/** SQL of a step `blocked` of a recursive query: the channels of an environment that have blocked keys. */
export const blockedChannels = (environment: string) =>
  differentValues(
    'blocked',
    'channel_id',
    `ordering_keys WHERE environment_id = ${environment} AND blocked_at IS NOT NULL`,
  );

/** The most channels of consumers of each state that a list reads. */
const MAX_NEEDY = 1_000;

/** The limits are of channels that are listed: deleted and disabled ones do not count. */
const ofConsumers = (found: string) => `
      (SELECT channel.id FROM ${found}
        CROSS JOIN LATERAL (
          SELECT id FROM channels
           WHERE id = channel_id AND consumer_id IS NOT NULL AND deleted_at IS NULL AND enabled
             AND (:withOperational::bool OR NOT operational) LIMIT 1) AS channel
        LIMIT ${MAX_NEEDY})`;

const findNeedy = defineStatement<NeedyQuery, { readonly id: string }>({
  text: `
    WITH RECURSIVE ${blockedChannels(':environmentId::uuid')}
      (SELECT id FROM channels
        WHERE environment_id = :environmentId::uuid AND consumer_id IS NULL AND deleted_at IS NULL AND enabled
          AND (:withOperational::bool OR NOT operational))
      UNION ${ofConsumers(`(
        SELECT channel_id FROM channel_failures known LEFT JOIN channel_health health USING (channel_id)
         WHERE known.environment_id = :environmentId::uuid AND ${FAILS}) AS failed`)}
      UNION ${ofConsumers(`(
        SELECT channel_id FROM channel_health WHERE environment_id = :environmentId::uuid AND state = 'failing') AS failing`)}
      UNION ${ofConsumers(`(
        SELECT channel_id FROM channel_health WHERE environment_id = :environmentId::uuid AND state = 'paused') AS paused`)}
      UNION ${ofConsumers('blocked')}`,
});

/**
 * The channels of an environment itself, and those of its consumers that are failing, paused or blocked: of each state at most
 * {@link MAX_NEEDY}, found by indexes of those alone, however many channels there are.
 */
export async function findNeedyChannels(db: Queryable, query: NeedyQuery): Promise<string[]> {
  return (await findNeedy(db, query)).map(({ id }) => id);
}

/** SQL: attempts with these codes were not made, so they say nothing about the remote end. */
export const NOT_MADE = `ARRAY['scheduled_cancelled', 'channel_disabled', 'recipient_suppressed', 'expired']`;

/** Runs of all channels together that one statement looks through for an attempt, and the most of one channel. */
const MAX_RUNS = 20_000;
const MAX_RUNS_OF_CHANNEL = 2_000;
/** Attempted runs of a channel whose newest attempts are compared. */
const COMPARED = 20;
/** Stored figures of an hour of all channels together, and the least of one channel. */
const MAX_FIGURES = 10_000;
const MIN_FIGURES = 100;

const activityOf = defineStatement<
  { readonly ids: readonly string[]; readonly runs: number; readonly figures: number },
  {
    readonly id: string;
    readonly reply: (Omit<NonNullable<ChannelActivity['lastReply']>, 'at'> & { readonly at: string }) | null;
    readonly hours: readonly {
      readonly start: string;
      readonly succeeded: number;
      readonly failed: number;
    }[];
  }
>({
  text: `
    SELECT channel.id, hours.hours,
           (SELECT json_build_object('at', attempt.completed_at, 'outcome', attempt.status, 'statusCode', attempt.response_status,
                     'errorCode', attempt.error_code, 'errorMessage', attempt.error_message, 'messageId', run.message_id,
                     'runId', run.id, 'attempt', attempt.number)
              FROM (
                (SELECT id, message_id FROM (
                   SELECT id, message_id, attempt_count FROM delivery_runs
                    WHERE channel_id = channel.id ORDER BY message_id DESC LIMIT :runs::int) AS newest
                  WHERE attempt_count > 0 LIMIT ${COMPARED})
                UNION ALL
                -- The newest runs of a paused channel have no attempts: the oldest held ones were tried before the pause.
                (SELECT id, message_id FROM delivery_runs
                  WHERE held = 'paused' AND channel_id = channel.id AND completed_at IS NULL ORDER BY id LIMIT ${COMPARED})
                UNION ALL
                (SELECT id, message_id FROM delivery_runs
                  WHERE id = (SELECT probe_run_id FROM channel_health WHERE channel_id = channel.id))) AS run
              JOIN LATERAL (
                SELECT * FROM attempts
                 WHERE run_id = run.id AND completed_at IS NOT NULL AND COALESCE(error_code, '') <> ALL (${NOT_MADE})
                 ORDER BY number DESC LIMIT 1) AS attempt ON true
             ORDER BY attempt.completed_at DESC LIMIT 1) AS reply
      FROM (SELECT unnest((SELECT :ids::uuid[])) AS id) asked
      JOIN channels channel USING (id)
     CROSS JOIN LATERAL (
       SELECT json_agg(json_build_object('start', hour.start, 'succeeded', COALESCE(figures.succeeded, 0),
                                         'failed', COALESCE(figures.failed, 0)) ORDER BY hour.start) AS hours
         FROM (SELECT to_timestamp((floor(extract(epoch FROM now()) / 3600) - ago) * 3600) AS start
                 FROM generate_series(0, 23) AS ago) AS hour
        CROSS JOIN LATERAL (
          SELECT sum(attempts) FILTER (WHERE error_code = '') AS succeeded,
                 sum(attempts) FILTER (WHERE error_code <> '' AND error_code <> ALL (${NOT_MADE})) AS failed
            FROM (
              -- Whole keys are compared, so that only the primary key fits: the other index has the figures of all environments.
              SELECT error_code, attempts FROM stats
               WHERE (environment_id, span_seconds, start, channel_id, sender, event_key, error_code, latency_bucket)
                   > (channel.environment_id, 3600::int2, hour.start, channel.id, '', '', '', ${NO_LATENCY - 1}::int2)
                 AND (environment_id, span_seconds, start, channel_id)
                  <= (channel.environment_id, 3600::int2, hour.start, channel.id)
               ORDER BY environment_id, span_seconds, start, channel_id, sender, event_key, error_code, latency_bucket
               LIMIT :figures::int) AS figure) AS figures) AS hours`,
});

/**
 * What these channels have done lately, by UUID. The figures of an hour are cut off where a channel has thousands of them, which
 * takes thousands of event keys.
 */
export async function readActivity(
  db: Queryable,
  channelIds: readonly string[],
): Promise<ReadonlyMap<string, ChannelActivity>> {
  if (channelIds.length === 0) return new Map();
  const rows = await activityOf(db, {
    ids: channelIds,
    runs: Math.min(MAX_RUNS_OF_CHANNEL, Math.floor(MAX_RUNS / channelIds.length)),
    figures: Math.max(MIN_FIGURES, Math.floor(MAX_FIGURES / channelIds.length)),
  });
  return new Map(
    rows.map(({ id, reply, hours }) => [
      id,
      {
        lastReply: reply && { ...reply, at: new Date(reply.at) },
        hours: hours.map((hour) => ({ ...hour, start: new Date(hour.start) })),
      },
    ]),
  );
}
