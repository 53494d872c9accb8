import { addressOf, periodOf } from '@postrider/domain';
import { arrays, unnest } from '../arrays.ts';
import { type AnyClient, databaseErrorCodes, Prisma } from '../client.ts';
import { MESSAGE_COLUMNS, messageArrays, type NewMessage } from '../message-fields.ts';
import { passesNoThreshold, REPORT_QUOTA } from '../operational/emit.ts';
import { HELD_BY_PLACE, JOIN_PLACE, PLACE_STEPS } from '../ordering/place.ts';
import { HELD_UNTIL } from '../run-statuses.ts';
import { environmentScope } from '../scope/environment-scope.ts';
import { queryRows } from '../statement.ts';
import { COUNT_ACCEPTED } from '../stats/count.ts';
import { insertResponses, responseArrays } from './idempotency.ts';
import type { DraftedRuns } from './runs.ts';
import type { CreatedRun, PlannedRun, ResponseToStore } from './types.ts';

/** The rows that an event, a test or a replay creates. Ids are UUIDs. */
export interface Creation extends DraftedRuns {
  readonly tenantId: string;
  readonly environmentId: string;
  /** Null for a replay, whose message exists already. */
  readonly message: NewMessage | null;
  /** 0 for the runs of the event, n for those of its n-th replay. */
  readonly replay: number;
  /** `traceparent` of the request; null if it is not traced. */
  readonly traceparent: string | null;
  /** Null if there is no Idempotency-Key, or if another statement stores the response. */
  readonly response: ResponseToStore | null;
}

/** The optional steps of the statement. A database role only needs rights for the steps that it uses. */
interface Steps {
  readonly responses: boolean;
  readonly messages: boolean;
  readonly charge: boolean;
  /** Whether it reports quota thresholds. Without this step it refuses a charge that passes one, as if beyond the quota. */
  readonly report: boolean;
  /** Whether the batch has runs of ordered channels; this step needs `messages`. */
  readonly order?: boolean;
}

/**
 * Events have all steps, tests are not charged, and replays reuse their message. A tenant passes a quota threshold three
 * times a month, so events are tried with the steps of `mostEvents`, and those that it refuses with all of them: the step
 * takes 8 µs an event, and 30 if every event is of another tenant.
 */
export const STEPS = {
  events: { responses: true, messages: true, charge: true, report: true },
  mostEvents: { responses: true, messages: true, charge: true, report: false },
  tests: { responses: false, messages: true, charge: false, report: false },
  replays: { responses: false, messages: false, charge: true, report: true },
} as const satisfies Record<string, Steps>;

/** The result of a statement. */
interface StoredCreations {
  /** Ids of the stored messages, that is those whose keys were free; null if all are stored. */
  readonly messages: ReadonlySet<string> | null;
  /** Events used in the period by each tenant of these messages, including these. */
  readonly used: Readonly<Record<string, number>>;
  /** Ids of the runs that wait for earlier runs of their ordering key. */
  readonly behind: ReadonlySet<string>;
}

/**
 * How long after the time of an event its statement may begin. The erasure of a recipient searches for events up to
 * its own time for longer than this plus the longest statement and commit.
 */
export const STORED_WITHIN_SECONDS = 5;

interface StoredRow {
  readonly timely: boolean;
  readonly messages: string[] | null;
  readonly used: Record<string, number> | null;
  readonly behind: string[] | null;
}

/** Thrown inside the transaction to roll it back: a tenant's plan does not allow the charge. */
export class QuotaExceededError extends Error {
  readonly tenantId: string;

  constructor(tenantId: string) {
    super(`the event quota of tenant ${tenantId} does not hold this charge`);
    this.tenantId = tenantId;
  }
}

/** The error of a plan that does not allow a charge: SQLSTATE of NULL in this NOT NULL column. */
const NOT_NULL_VIOLATION = '23502';
const CHARGED_COLUMN = 'events_used';

function isQuotaRefusal(error: unknown): boolean {
  return (
    databaseErrorCodes(error).includes(NOT_NULL_VIOLATION) &&
    error instanceof Error &&
    error.message.includes(CHARGED_COLUMN)
  );
}

/** Whether a run is delivered in the order of its event's key. Tests and replays are not. */
const isOrdered = (message: NewMessage | null, run: PlannedRun) =>
  run.isOrdered === true && message !== null && message.orderingKey !== null;

const hasOrderedRuns = ({ message, runs }: Creation) => runs.some((run) => isOrdered(message, run));

/** A value of each creation's message. Throws if one has none: the statement has message columns only if all have one. */
const ofMessage = <Value>(creations: readonly Creation[], of: (message: NewMessage) => Value) =>
  creations.map(({ message }) => {
    if (!message) throw new Error('a creation has no message');
    return of(message);
  });

/** The rows of the creations, without their runs. */
function creationRows(creations: readonly Creation[], { responses, messages, order }: Steps): Prisma.Sql {
  return unnest('creation', {
    tenant_id: arrays.uuid(creations.map(({ tenantId }) => tenantId)),
    environment_id: arrays.uuid(creations.map(({ environmentId }) => environmentId)),
    message_id: arrays.uuid(creations.map(({ messageId }) => messageId)),
    created_at: arrays.timestamptz(creations.map(({ createdAt }) => createdAt)),
    ...(order && { place: arrays.int4(creations.map((_, place) => place)) }),
    ...(messages &&
      messageArrays(
        ofMessage(creations, (message) => ({ ...message, recipientEmail: addressOf(message.recipient) })),
      )),
    ...(responses && responseArrays(creations.map(({ response }) => response))),
  });
}

/** The rows of the runs, each with the columns of its creation. */
function runRows(creations: readonly Creation[], { order }: Steps): Prisma.Sql {
  const rows = creations.flatMap((creation, place) => creation.runs.map((run) => ({ creation, place, run })));
  const ofCreation = <Value>(of: (creation: Creation) => Value) => rows.map(({ creation }) => of(creation));
  const ofRun = <Value>(of: (run: CreatedRun) => Value) => rows.map(({ run }) => of(run));
  return unnest('run', {
    id: arrays.uuid(ofRun(({ id }) => id)),
    environment_id: arrays.uuid(ofCreation(({ environmentId }) => environmentId)),
    message_id: arrays.uuid(ofCreation(({ messageId }) => messageId)),
    channel_id: arrays.uuid(ofRun(({ channel }) => channel.id)),
    channel_kind: arrays.text(ofRun(({ channel }) => channel.kind)),
    template_version_id: arrays.uuid(ofRun(({ templateVersionId }) => templateVersionId)),
    replay: arrays.int4(ofCreation(({ replay }) => replay)),
    status: arrays.text(ofRun(({ status }) => status)),
    max_attempts: arrays.int4(ofRun(({ maxAttempts }) => maxAttempts)),
    scheduled_at: arrays.timestamptz(ofRun(({ scheduledAt }) => scheduledAt)),
    held: arrays.text(ofRun(({ isHeld }) => (isHeld ? 'paused' : null))),
    created_at: arrays.timestamptz(ofCreation(({ createdAt }) => createdAt)),
    traceparent: arrays.text(ofCreation(({ traceparent }) => traceparent)),
    ...(order && {
      place: arrays.int4(rows.map(({ place }) => place)),
      ordering_key: arrays.text(
        rows.map(({ creation: { message }, run }) =>
          isOrdered(message, run) ? (message?.orderingKey ?? null) : null,
        ),
      ),
    }),
  });
}

/**
 * Stores the responses whose keys are free. Later steps only use their creations. `COALESCE` keeps the planner from turning
 * `IN` into a join that compares every pair of rows.
 */
const RESPONSE_STEPS = Prisma.sql`
      stored AS (
        ${insertResponses(Prisma.sql`creation`)}
        RETURNING environment_id, operation, key
      ), accepted AS MATERIALIZED (
        SELECT * FROM creation
         WHERE COALESCE((environment_id, operation, key) IN (SELECT environment_id, operation, key FROM stored), false)
      )`;
const NO_RESPONSE_STEPS = Prisma.sql`accepted AS MATERIALIZED (SELECT * FROM creation)`;

const MESSAGE_STEP = Prisma.sql`, message AS (
        INSERT INTO messages (environment_id, id, created_at, ${MESSAGE_COLUMNS})
        SELECT environment_id, message_id, created_at, ${MESSAGE_COLUMNS} FROM accepted
        RETURNING 1
      )`;

/** The runs of the accepted creations. See {@link RESPONSE_STEPS}. */
const acceptedRuns = (
  creations: readonly Creation[],
  steps: Steps,
) => Prisma.sql`, accepted_run AS MATERIALIZED (
        SELECT * FROM ${runRows(creations, steps)}
         WHERE COALESCE((environment_id, message_id) IN (SELECT environment_id, message_id FROM accepted), false)
         ${steps.messages ? Prisma.sql`AND (SELECT count(*) FROM message) > 0` : Prisma.empty}
      )`;

/** Like {@link RUN_STEP}, for a batch with runs of ordered channels. */
const ORDERED_RUN_STEP = Prisma.sql`, run AS (
        INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, template_version_id, replay,
                                   status, max_attempts, scheduled_at, held, due_at, created_at, traceparent,
                                   ordering_key, sequence)
        SELECT run.id, environment_id, message_id, channel_id, channel_kind, template_version_id, replay, run.status,
               max_attempts, scheduled_at, waits.held,
               CASE WHEN waits.held IS NULL THEN COALESCE(scheduled_at, created_at) ELSE ${HELD_UNTIL} END, created_at,
               traceparent, run.ordering_key, placed.sequence
          FROM accepted_run AS run
          ${JOIN_PLACE}
         CROSS JOIN LATERAL (SELECT ${HELD_BY_PLACE} AS held) waits
        RETURNING id, held
      )`;

const RUN_STEP = Prisma.sql`, run AS (
        INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, template_version_id, replay,
                                   status, max_attempts, scheduled_at, held, due_at, created_at, traceparent)
        SELECT id, environment_id, message_id, channel_id, channel_kind, template_version_id, replay, status,
               max_attempts, scheduled_at, held,
               CASE WHEN held IS NULL THEN COALESCE(scheduled_at, created_at) ELSE ${HELD_UNTIL} END, created_at,
               traceparent
          FROM accepted_run
        RETURNING 1
      )`;

/** SQL: whether the plan allows a tenant to use `after` events instead of `before`; NULL if it is unlimited. */
const allows = (before: Prisma.Sql, after: Prisma.Sql, { report }: Steps) => Prisma.sql`
  ${after} <= plans.events_per_month ${report ? Prisma.empty : Prisma.sql`AND ${passesNoThreshold(before, after)}`}`;

const chargeSteps = (steps: Steps) => Prisma.sql`, environment AS (
        INSERT INTO environment_usage AS usage (environment_id, period_start, events_used)
        SELECT environment_id, (SELECT period_start FROM bounds), count(*)
          FROM accepted
         WHERE (SELECT count(*) FROM run) >= 0
         GROUP BY environment_id
         ORDER BY environment_id
        ON CONFLICT (environment_id, period_start)
          DO UPDATE SET events_used = usage.events_used + EXCLUDED.events_used
        RETURNING 1
      ), charge AS MATERIALIZED (
        SELECT tenant_id, count(*) AS events
          FROM accepted WHERE (SELECT count(*) FROM environment) > 0
         GROUP BY tenant_id
      ), charged AS (
        INSERT INTO tenant_usage AS usage (tenant_id, period_start, events_used)
        SELECT tenant_id, (SELECT period_start FROM bounds),
               CASE WHEN COALESCE(${allows(Prisma.sql`0`, Prisma.sql`events`, steps)}, plans.events_per_month IS NULL)
                 THEN events END
          FROM charge
          JOIN tenants ON tenants.id = tenant_id
          JOIN plans ON plans.code = tenants.plan_code
         ORDER BY tenant_id
        ON CONFLICT (tenant_id, period_start) DO UPDATE SET events_used = CASE
          WHEN COALESCE(
            (SELECT ${allows(Prisma.sql`usage.events_used`, Prisma.sql`usage.events_used + EXCLUDED.events_used`, steps)}
               FROM tenants JOIN plans ON plans.code = plan_code WHERE tenants.id = usage.tenant_id), true)
          THEN usage.events_used + EXCLUDED.events_used END
        RETURNING tenant_id, events_used
      )`;

/**
 * Stores creations in one statement. For events this statement is its own transaction: one round trip and one commit
 * for the batch. Creations with a response are stored if their key is free (new, or older than 24 hours by the
 * database's clock), and otherwise skipped. The rest is all or nothing: it throws {@link QuotaExceededError} if the
 * plan of any tenant does not allow its part. Charges count in the month (UTC) of the database's clock.
 *
 * Each step reads a count of the step before, which fixes their order. So rows are always locked in the same order
 * (idempotency keys, ordering keys, environments, tenants, each by id), and two batches cannot deadlock. The tenant's
 * row comes last, because everything else of the tenant waits for it. A charge that the plan does not allow evaluates
 * to NULL, which its column refuses; raising an error would take a stored procedure.
 * @param oldest if this time is too long ago, nothing is stored and the result is null: an erasure that searches by
 * time must not miss an event that is stored later
 */
export async function store(
  db: AnyClient,
  creations: readonly Creation[],
  {
    steps: kindOf,
    lockTimeoutMs,
    oldest = null,
  }: { steps: Steps; lockTimeoutMs: number; oldest?: Date | null },
): Promise<StoredCreations | null> {
  const steps = { ...kindOf, order: kindOf.messages && creations.some(hasOrderedRuns) };
  try {
    const statement = Prisma.sql`
      WITH bounds AS MATERIALIZED (
        SELECT set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true) AS lock_timeout,
               date_trunc('month', now() AT TIME ZONE 'UTC')::date AS period_start,
               COALESCE(
                 clock_timestamp() - ${oldest}::timestamptz < make_interval(secs => ${STORED_WITHIN_SECONDS}), true)
                 AS timely
      ), creation AS MATERIALIZED (
        SELECT creation.*
          FROM bounds
         CROSS JOIN ${creationRows(creations, steps)}
         WHERE bounds.lock_timeout IS NOT NULL AND bounds.timely
      ), ${steps.responses ? RESPONSE_STEPS : NO_RESPONSE_STEPS}
      ${steps.messages ? MESSAGE_STEP : Prisma.empty}
      ${acceptedRuns(creations, steps)}
      ${steps.order ? Prisma.sql`${PLACE_STEPS} ${ORDERED_RUN_STEP}` : RUN_STEP}
      ${steps.charge ? chargeSteps(steps) : Prisma.empty}
      ${steps.charge && steps.report ? REPORT_QUOTA : Prisma.empty}
      ${steps.messages && steps.charge ? COUNT_ACCEPTED : Prisma.empty}
      SELECT timely, (SELECT CASE WHEN count(*) < ${creations.length}::int THEN COALESCE(array_agg(message_id), '{}') END
                        FROM accepted) AS messages,
             ${steps.charge ? Prisma.sql`(SELECT json_object_agg(tenant_id, events_used) FROM charged)` : Prisma.sql`NULL`}
               AS used,
             ${steps.order ? Prisma.sql`(SELECT array_agg(id) FROM run WHERE held = 'ordered')` : Prisma.sql`NULL::uuid[]`}
               AS behind
        FROM bounds ${environmentScope(creations.map(({ environmentId }) => environmentId))}`;
    const [row] = await queryRows<StoredRow>(db, statement);
    if (!row?.timely) return null;
    return {
      messages: row.messages && new Set(row.messages),
      used: row.used ?? {},
      behind: new Set(row.behind),
    };
  } catch (error) {
    // The error does not name the tenant: the caller splits a batch of several tenants and repeats its parts.
    if (isQuotaRefusal(error)) throw new QuotaExceededError(creations[0]?.tenantId ?? '');
    throw error;
  }
}

/** The tenant's usage in the current period by the database's clock; `limit` is null if the plan is unlimited. */
interface QuotaState {
  readonly limit: number | null;
  readonly used: number;
  readonly resetsAt: Date;
}

export async function readQuota(db: AnyClient, tenantId: string): Promise<QuotaState> {
  const [row] = await db.$queryRaw<{ limit: number | null; used: bigint; now: Date }[]>`
    SELECT plans.events_per_month AS limit, COALESCE(usage.events_used, 0)::bigint AS used, now() AS now
      FROM tenants
      JOIN plans ON plans.code = tenants.plan_code
      LEFT JOIN tenant_usage usage
        ON usage.tenant_id = tenants.id AND usage.period_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date
     WHERE tenants.id = ${tenantId}::uuid`;
  if (!row) throw new Error(`tenant ${tenantId} does not exist`);
  return { limit: row.limit, used: Number(row.used), resetsAt: periodOf(row.now).end };
}
