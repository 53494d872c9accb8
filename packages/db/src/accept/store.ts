import { addressOf } from '@postrider/domain';
import { arrays, unnest } from '../arrays.ts';
import { type AnyClient, Prisma } from '../client.ts';
import { MESSAGE_COLUMNS, messageArrays, type NewMessage, type StoredFields } from '../message-fields.ts';
import { HELD_BY_PLACE, JOIN_PLACE, PLACE_STEPS } from '../ordering/place.ts';
import { HELD_UNTIL } from '../run-statuses.ts';
import { environmentScope } from '../scope/environment-scope.ts';
import { composeOnce, queryRows } from '../statement.ts';
import { COUNT_ACCEPTED } from '../statements/count.ts';
import { passesNoThreshold, REPORT_QUOTA } from '../statements/emit.ts';
import { insertResponses, responseArrays } from './idempotency.ts';
import { isQuotaRefusal, QuotaExceededError } from './quota.ts';
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

/** Whether a run is delivered in the order of its event's key. Tests and replays are not. */
const isOrdered = (message: NewMessage | null, run: PlannedRun) =>
  run.isOrdered === true && message !== null && message.orderingKey !== null;

const hasOrderedRuns = ({ message, runs }: Creation) => runs.some((run) => isOrdered(message, run));

/** A run with its creation, and the creation's index in the batch. */
interface RunToStore {
  readonly creation: Creation;
  readonly place: number;
  readonly run: CreatedRun;
}

/** The input of the statement. */
interface Batch {
  readonly creations: readonly Creation[];
  /** The message of each creation, for a statement with messages; otherwise empty. */
  readonly messages: readonly StoredFields[];
  readonly runs: readonly RunToStore[];
  readonly lockTimeoutMs: number;
  readonly oldest: Date | null;
}

/** Throws if a creation has no message: the statement has message columns only if all have one. */
function storedFieldsOf({ message }: Creation): StoredFields {
  if (!message) throw new Error('a creation has no message');
  return { ...message, recipientEmail: addressOf(message.recipient) };
}

const batchOf = (
  creations: readonly Creation[],
  { messages }: Steps,
  times: Pick<Batch, 'lockTimeoutMs' | 'oldest'>,
): Batch => ({
  ...times,
  creations,
  messages: messages ? creations.map(storedFieldsOf) : [],
  runs: creations.flatMap((creation, place) => creation.runs.map((run) => ({ creation, place, run }))),
});

const ofCreations =
  <Value>(read: (creation: Creation, place: number) => Value) =>
  ({ creations }: Batch): Value[] =>
    creations.map(read);
const ofRuns =
  <Value>(read: (row: RunToStore) => Value) =>
  ({ runs }: Batch): Value[] =>
    runs.map(read);

/** The rows of the creations, without their runs. */
const creationRows = ({ responses, messages, order }: Steps): Prisma.Sql =>
  unnest('creation', {
    tenant_id: arrays.uuid(ofCreations(({ tenantId }) => tenantId)),
    environment_id: arrays.uuid(ofCreations(({ environmentId }) => environmentId)),
    message_id: arrays.uuid(ofCreations(({ messageId }) => messageId)),
    created_at: arrays.timestamptz(ofCreations(({ createdAt }) => createdAt)),
    ...(order && { place: arrays.int4(ofCreations((_, place) => place)) }),
    ...(messages && messageArrays((batch: Batch) => batch.messages)),
    ...(responses && responseArrays((read) => ofCreations(({ response }) => response && read(response)))),
  });

/** The rows of the runs, each with the columns of its creation. */
const runRows = ({ order }: Steps): Prisma.Sql =>
  unnest('run', {
    id: arrays.uuid(ofRuns(({ run }) => run.id)),
    environment_id: arrays.uuid(ofRuns(({ creation }) => creation.environmentId)),
    message_id: arrays.uuid(ofRuns(({ creation }) => creation.messageId)),
    channel_id: arrays.uuid(ofRuns(({ run }) => run.channel.id)),
    channel_kind: arrays.text(ofRuns(({ run }) => run.channel.kind)),
    template_version_id: arrays.uuid(ofRuns(({ run }) => run.templateVersionId)),
    replay: arrays.int4(ofRuns(({ creation }) => creation.replay)),
    status: arrays.text(ofRuns(({ run }) => run.status)),
    max_attempts: arrays.int4(ofRuns(({ run }) => run.maxAttempts)),
    scheduled_at: arrays.timestamptz(ofRuns(({ run }) => run.scheduledAt)),
    held: arrays.text(ofRuns(({ run }) => (run.isHeld ? 'paused' : null))),
    created_at: arrays.timestamptz(ofRuns(({ creation }) => creation.createdAt)),
    traceparent: arrays.text(ofRuns(({ creation }) => creation.traceparent)),
    ...(order && {
      place: arrays.int4(ofRuns(({ place }) => place)),
      ordering_key: arrays.text(
        ofRuns(({ creation: { message }, run }) =>
          isOrdered(message, run) ? (message?.orderingKey ?? null) : null,
        ),
      ),
    }),
  });

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
const acceptedRuns = (steps: Steps) => Prisma.sql`, accepted_run AS MATERIALIZED (
        SELECT * FROM ${runRows(steps)}
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
 * The statement with some steps. Each step reads a count of the step before, which fixes their order. So rows are always
 * locked in the same order (idempotency keys, ordering keys, environments, tenants, each by id), and two batches cannot
 * deadlock. The tenant's row comes last, because everything else of the tenant waits for it. A charge that the plan does
 * not allow evaluates to NULL, which its column refuses; raising an error would take a stored procedure.
 */
const statementWith = (steps: Steps) =>
  composeOnce<Batch>(Prisma.sql`
      WITH bounds AS MATERIALIZED (
        SELECT set_config('lock_timeout', ${({ lockTimeoutMs }: Batch) => `${lockTimeoutMs}ms`}, true) AS lock_timeout,
               date_trunc('month', now() AT TIME ZONE 'UTC')::date AS period_start,
               COALESCE(
                 clock_timestamp() - ${({ oldest }: Batch) => oldest}::timestamptz < make_interval(secs => ${STORED_WITHIN_SECONDS}), true)
                 AS timely
      ), creation AS MATERIALIZED (
        SELECT creation.*
          FROM bounds
         CROSS JOIN ${creationRows(steps)}
         WHERE bounds.lock_timeout IS NOT NULL AND bounds.timely
      ), ${steps.responses ? RESPONSE_STEPS : NO_RESPONSE_STEPS}
      ${steps.messages ? MESSAGE_STEP : Prisma.empty}
      ${acceptedRuns(steps)}
      ${steps.order ? Prisma.sql`${PLACE_STEPS} ${ORDERED_RUN_STEP}` : RUN_STEP}
      ${steps.charge ? chargeSteps(steps) : Prisma.empty}
      ${steps.charge && steps.report ? REPORT_QUOTA : Prisma.empty}
      ${steps.messages && steps.charge ? COUNT_ACCEPTED : Prisma.empty}
      SELECT timely, (SELECT CASE WHEN count(*) < ${({ creations }: Batch) => creations.length}::int THEN COALESCE(array_agg(message_id), '{}') END
                        FROM accepted) AS messages,
             ${steps.charge ? Prisma.sql`(SELECT json_object_agg(tenant_id, events_used) FROM charged)` : Prisma.sql`NULL`}
               AS used,
             ${steps.order ? Prisma.sql`(SELECT array_agg(id) FROM run WHERE held = 'ordered')` : Prisma.sql`NULL::uuid[]`}
               AS behind
        FROM bounds ${environmentScope(ofCreations(({ environmentId }) => environmentId))}`);

/**
 * The composed statements by their steps, for batches without and with runs of ordered channels. Composing one takes as long
 * as storing an event.
 */
const UNORDERED = new WeakMap<Steps, ReturnType<typeof statementWith>>();
const ORDERED = new WeakMap<Steps, ReturnType<typeof statementWith>>();

function statementOf(steps: Steps, order: boolean): ReturnType<typeof statementWith> {
  const composed = order ? ORDERED : UNORDERED;
  const statement = composed.get(steps) ?? statementWith({ ...steps, order });
  composed.set(steps, statement);
  return statement;
}

/**
 * Stores creations in one statement. For events this statement is its own transaction: one round trip and one commit
 * for the batch. Creations with a response are stored if their key is free (new, or older than 24 hours by the
 * database's clock), and otherwise skipped. The rest is all or nothing: it throws {@link QuotaExceededError} if the
 * plan of any tenant does not allow its part. Charges count in the month (UTC) of the database's clock.
 * @param oldest if this time is too long ago, nothing is stored and the result is null: an erasure that searches by
 * time must not miss an event that is stored later
 */
export async function store(
  db: AnyClient,
  creations: readonly Creation[],
  { steps, lockTimeoutMs, oldest = null }: { steps: Steps; lockTimeoutMs: number; oldest?: Date | null },
): Promise<StoredCreations | null> {
  const order = steps.messages && creations.some(hasOrderedRuns);
  const statement = statementOf(steps, order)(batchOf(creations, steps, { lockTimeoutMs, oldest }));
  try {
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
