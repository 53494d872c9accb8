import type { ChannelKind, KindFacts } from '@postrider/domain';
import { arrays, readEach, unnest } from '../arrays.ts';
import { Prisma } from '../client.ts';
import { CLAIMED_COLUMNS, CLAIMED_NAMES } from '../message-fields.ts';
import { HAS_LIMITS, HELD_UNTIL, WAITING } from '../run-statuses.ts';
import { attemptStart, CHANNEL_GONE_MESSAGE, closeRuns } from '../statements/close.ts';
import { suppressionCheck } from '../suppressions/check.ts';
import { HELD_BY_STREAM } from '../suppressions/paused-streams.ts';

/**
 * How much longer than the attempt's time limit the lease lasts: time to render (1 s at most, after the few renders
 * claimed before) and to write the result.
 */
export const LEASE_MARGIN_MS = 10_000;

export interface ClaimRequest {
  readonly runId: string;
  /** Environment of the run. In another one it is not found. */
  readonly environmentId: string;
  /** Channel of the run. In another one it is not found. Not compared if left out. */
  readonly channelId?: string;
  /** Kind of the channel. With another one the run is not found. Not compared if left out. */
  readonly channelKind?: ChannelKind;
  /** See `RunRoute`. With another one the run is not found. Not compared if the channel is left out. */
  readonly renderedFor?: string | null;
  /** UUID of the attempt that the claim opens. */
  readonly attemptId: string;
  /** Whether the limits allow it. If false, the run can be ended or held, but not claimed. By default the claim checks the limits. */
  readonly isWithinLimits?: boolean;
}

/** Start of the error message of the attempt that ends a run with a suppressed recipient. */
export const SUPPRESSED_MESSAGE = "Nothing was sent: the recipient's address is on the suppression list";

/** Error message of the attempt that ends a run with an expired event. */
export const EXPIRED_MESSAGE = 'Nothing was sent: the event expired before the run was started.';

/** Which runs may be claimed. */
export interface ClaimBounds {
  readonly kinds: readonly KindFacts[];
  /** Only runs that have lost fewer workers than this are claimed. */
  readonly lossesBelow: number;
  readonly addressHashKey: Uint8Array | null;
  /** Called with the error if runs that must not be sent could be neither held nor ended. The sweep finds them again. */
  readonly onNotRefused?: ((error: unknown) => void) | undefined;
}

/**
 * Whether `run` belongs to the environment, channel and kind in `asked`, which come from a job: Redis is not trusted. `IS
 * NOT DISTINCT FROM` keeps the environment out of the planner's joins.
 */
export const IS_OF_CHANNEL = Prisma.sql`run.environment_id IS NOT DISTINCT FROM asked.environment_id
  AND (asked.channel_id IS NULL OR run.channel_id = asked.channel_id)
  AND (asked.channel_kind IS NULL OR run.channel_kind = asked.channel_kind)`;
/** Whether it is also rendered for the tenant in `asked`. Separate, because with a subquery the planner reads all runs. */
export const IS_AS_ASKED = Prisma.sql`(asked.channel_id IS NULL OR asked.rendered_for IS NOT DISTINCT FROM CASE
  WHEN run.template_version_id IS NOT NULL
  THEN (SELECT tenant_id FROM environments WHERE environments.id = run.environment_id) END)`;

const each = readEach<ClaimRequest>();

/** Whether a run of `target` may be sent, now or when pauses and limits allow it. Others are ended. */
const MAY_BE_SENT = Prisma.sql`usable AND NOT expired AND suppressed_by IS NULL`;

/**
 * What `run` must be held for, as its `held`; null for nothing. Its channel is paused, or has been resumed since: then runs in
 * retry that are older wait for their turn among those that were held. Neither holds for its probe, and the latter not for a run
 * that was released. Or the stream of its message is paused.
 */
const MUST_BE_HELD = Prisma.sql`CASE
  WHEN messages.test THEN NULL
  WHEN CASE WHEN channel.paused THEN run.held IS DISTINCT FROM 'probe'
       ELSE run.held IS NULL AND run.status = 'retrying' AND COALESCE(run.created_at < channel.resumed_at, false) END
  THEN 'paused' ELSE ${HELD_BY_STREAM} END`;

const SQL_TYPES = { defaultTimeoutMs: Prisma.sql`int`, suppressibleField: Prisma.sql`text` } as const;

/** SQL of a field of the kind of `run`; null if the kind has none. A join with the kinds takes a microsecond more for each run. */
function ofKind(kinds: readonly KindFacts[], field: keyof typeof SQL_TYPES): Prisma.Sql {
  const cases = kinds.map(
    ({ kind, [field]: value = null }) => Prisma.sql`WHEN ${kind}::text THEN ${value}::${SQL_TYPES[field]}`,
  );
  return Prisma.sql`CASE run.channel_kind ${Prisma.join(cases, ' ')} END`;
}

/**
 * The steps `asked` to `opened`: the waiting, due runs, locked, and of these the claimed ones with their attempts. Tests
 * are also claimed for disabled and paused channels and paused streams, because channels are tried before they are
 * enabled, and do not wait for the channel's limits. Other runs of a channel with limits are left alone unless the request says that the limits
 * allow them. `SKIP LOCKED` skips a run that a cancel or another claim has locked: it is reported as not claimable, and
 * the sweep finds it again if it still waits afterwards. `NO KEY` also claims a run that a foreign key check has locked.
 * A probe does not use one of the run's attempts: it raises `max_attempts`.
 * The condition on the row decides, not an earlier read by the process; otherwise cancel and claim could both win. A run
 * of a kind that this process does not know, such as one of a newer release, is not claimable.
 */
export function claimSteps({ kinds, lossesBelow, addressHashKey }: ClaimBounds): Prisma.Sql {
  const { canDecide, suppressedBy } = suppressionCheck(addressHashKey);
  return Prisma.sql`
    WITH asked AS (
      SELECT * FROM ${unnest('asked', {
        run_id: arrays.uuid(each(({ runId }) => runId)),
        attempt_id: arrays.uuid(each(({ attemptId }) => attemptId)),
        is_within: arrays.bool(each(({ isWithinLimits = null }) => isWithinLimits)),
        environment_id: arrays.uuid(each(({ environmentId }) => environmentId)),
        channel_id: arrays.uuid(each(({ channelId = null }) => channelId)),
        channel_kind: arrays.text(each(({ channelKind = null }) => channelKind)),
        rendered_for: arrays.uuid(each(({ renderedFor = null }) => renderedFor)),
      })}
    ), target AS (
      SELECT run.id, run.attempt_count, run.fence, asked.attempt_id,
             channel.deleted_at IS NULL AND (channel.enabled OR messages.test) AS usable,
             run.replay = 0 AND COALESCE(messages.expires_at <= now(), false) AS expired,
             ${suppressedBy} AS suppressed_by,
             ${MUST_BE_HELD} AS must_be_held,
             COALESCE(NOT is_within, ${HAS_LIMITS} AND NOT messages.test) AS waits_for_limits,
             ${IS_AS_ASKED} AS as_asked,
             CASE WHEN is_within AND channel.max_in_flight IS NOT NULL THEN true END AS limited,
             COALESCE((channel.config ->> 'timeout_ms')::int, kind.default_timeout_ms) AS timeout_ms,
             messages.created_at AS message_created_at, ${CLAIMED_COLUMNS}
        FROM asked
        JOIN delivery_runs run ON run.id = asked.run_id
        CROSS JOIN LATERAL (SELECT ${ofKind(kinds, 'defaultTimeoutMs')} AS default_timeout_ms,
                                   ${ofKind(kinds, 'suppressibleField')} AS address_field) AS kind
        JOIN channels channel ON channel.id = run.channel_id
        JOIN messages ON messages.environment_id = run.environment_id AND messages.id = run.message_id
       WHERE run.status IN ${WAITING} AND run.due_at <= now() AND ${IS_OF_CHANNEL}
         AND run.lost_workers < ${lossesBelow}::int AND ${canDecide}
         AND run.channel_kind = ANY (${kinds.map(({ kind }) => kind)}::text[])
       ORDER BY run.id
         FOR NO KEY UPDATE OF run SKIP LOCKED
    ), claimed AS (
      UPDATE delivery_runs run
         SET status = 'running', fence = run.fence + 1, attempt_count = run.attempt_count + 1,
             lease_until = now() + make_interval(secs => (timeout_ms + ${LEASE_MARGIN_MS}::int) / 1000.0),
             started_at = COALESCE(run.started_at, now()), held = NULL, limited = target.limited,
             max_attempts = run.max_attempts + (run.held IS NOT DISTINCT FROM 'probe')::int
        FROM target
       WHERE run.id = target.id AND as_asked AND ${MAY_BE_SENT} AND must_be_held IS NULL AND NOT waits_for_limits
      RETURNING run.id, run.environment_id, run.fence, run.attempt_count, run.max_attempts, run.due_at, run.replay,
                run.sequence, run.traceparent, run.message_id, run.channel_id, run.channel_kind, run.template_version_id,
                target.attempt_id, target.timeout_ms, target.message_created_at, ${CLAIMED_NAMES}
    ), opened AS (
      INSERT INTO attempts (run_id, number, id, fence, status, started_at)
      SELECT id, attempt_count, attempt_id, fence, 'running',
             ${attemptStart(Prisma.sql`claimed.id`, Prisma.sql`claimed.attempt_count`)} FROM claimed
    )`;
}

/**
 * The steps for runs of `target` that are not claimed. Those of {@link MUST_BE_HELD} are held; the others are ended.
 */
export const REFUSAL_STEPS = Prisma.sql`, holding AS (
      UPDATE delivery_runs run SET held = must_be_held, due_at = ${HELD_UNTIL}
        FROM target
       WHERE run.id = target.id AND as_asked AND ${MAY_BE_SENT} AND must_be_held IS NOT NULL
      RETURNING run.id
    ), closing AS (
      SELECT id AS run_id, attempt_count + 1 AS number, attempt_id, fence, 'failed' AS next_status,
             'failed' AS status, CASE WHEN NOT usable THEN 'channel_disabled' WHEN expired THEN 'expired'
                                    ELSE 'recipient_suppressed' END AS error_code,
             CASE WHEN NOT usable THEN ${CHANNEL_GONE_MESSAGE}::text WHEN expired THEN ${EXPIRED_MESSAGE}::text
                  ELSE ${SUPPRESSED_MESSAGE}::text || ' (' || suppressed_by || ').' END AS error_message,
             false AS retryable
        FROM target WHERE as_asked AND NOT (${MAY_BE_SENT})
    ), ${closeRuns('never-opened', { reports: true })}, refused AS MATERIALIZED (
      SELECT id, 'held' AS result FROM holding UNION ALL SELECT run_id, error_code FROM moved
    )`;
/** In place of these steps: finds the runs that need them. */
export const FIND_REFUSED = Prisma.sql`, refused AS MATERIALIZED (
      SELECT id, 'refused' AS result FROM target
       WHERE as_asked AND NOT (${MAY_BE_SENT} AND must_be_held IS NULL)
    )`;
