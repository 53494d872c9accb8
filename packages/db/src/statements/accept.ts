import { addressOf, type MessageKey } from '@postrider/domain';
import type { ResponseToStore } from '../accept/idempotency.ts';
import type { CreatedRun, Creation } from '../accept/runs.ts';
import { MESSAGE_ARRAYS, MESSAGE_COLUMNS } from '../message-fields.ts';
import { HELD_UNTIL } from '../run-statuses.ts';
import { defineStatement } from '../statement.ts';
import { chargeOfConsumers } from './consumer-charge.ts';
import { NO_CHANNEL, NO_LATENCY } from './count.ts';
import { RESPONSE_TIMES, storingResponses } from './responses.ts';

/**
 * How long after the time of an event its statement may begin. The erasure of a recipient searches for events up to
 * its own time for longer than this plus the longest statement and commit.
 */
export const STORED_WITHIN_SECONDS = 5;
/** How far the time may be ahead of the database's clock, which a `DatabaseClock` is not. It is if the clock was set back. */
const AHEAD_SECONDS = 1;

/** Whether a run is delivered in the order of its event's key. Tests and replays are not. */
export const isOrdered = ({ message }: Creation, run: CreatedRun) =>
  run.isOrdered === true && (message?.orderingKey ?? null) !== null;

/** The optional steps. A database role only needs rights for the steps that it uses. */
interface Steps {
  readonly responses: boolean;
  readonly messages: boolean;
  readonly charges: boolean;
  /** Whether the batch has runs of ordered channels; this step needs `messages`. */
  readonly ordered: boolean;
  /** Whether the batch has events with business ids; this step needs `messages`. */
  readonly keyed: boolean;
  /** Whether the batch has events of consumers, or replays by them, which it charges to them; this step needs `charges`. */
  readonly consumers: boolean;
}

/**
 * Each step reads a count of the step before, which fixes their order. So rows are always locked in the same order (idempotency keys,
 * ordering keys, environments, consumers, tenants, each by id), and two batches cannot deadlock. The tenant's row comes last, because
 * everything else of the tenant waits for it. A charge that the plan or the consumer does not allow evaluates to NULL, which its column
 * refuses. `COALESCE` keeps the planner from turning `IN` into a join that compares every pair of rows.
 */
const textOf = ({ responses, messages, charges, ordered, consumers, keyed }: Steps) => `
WITH bounds AS MATERIALIZED (
  SELECT set_config('lock_timeout', :lock_timeout, true) AS lock_timeout,
         date_trunc('month', now() AT TIME ZONE 'UTC')::date AS period_start,
         COALESCE(clock_timestamp() - :oldest::timestamptz < interval '${STORED_WITHIN_SECONDS} s'
                  AND :newest::timestamptz - clock_timestamp() < interval '${AHEAD_SECONDS} s', true) AS timely
), creation AS MATERIALIZED (
  SELECT creation.*
    FROM bounds
   CROSS JOIN (
     SELECT unnest((SELECT :tenants::uuid[])) AS tenant_id, unnest(:environments::uuid[]) AS environment_id,
            unnest(:message_ids::uuid[]) AS message_id, unnest(:times::timestamptz[]) AS created_at
            ${messages ? `, ${MESSAGE_ARRAYS}` : consumers ? ', unnest(:replayed_by::text[]) AS consumer_id' : ''}
            ${
              responses
                ? `, unnest(:operations::text[]) AS operation, unnest(:keys::uuid[]) AS key, unnest(:fingerprints::bytea[]) AS fingerprint,
            unnest(:response_statuses::int[]) AS response_status, unnest(:response_bodies::bytea[]) AS response_body`
                : ''
            }) creation
   WHERE bounds.lock_timeout IS NOT NULL AND bounds.timely
${
  responses
    ? `
), stored AS (      -- the responses whose keys are free; later steps only use their creations
  ${storingResponses(`
  SELECT environment_id, operation, key, fingerprint, response_status, response_body, ${RESPONSE_TIMES}
    FROM creation
   ORDER BY environment_id, operation, key`)}
  RETURNING environment_id, operation, key
), accepted AS MATERIALIZED (
  SELECT * FROM creation
   WHERE COALESCE((environment_id, operation, key) IN (SELECT environment_id, operation, key FROM stored), false)`
    : `
), accepted AS MATERIALIZED (
  SELECT * FROM creation`
}
${
  messages
    ? `
), message AS (
  INSERT INTO messages (environment_id, id, created_at, ${MESSAGE_COLUMNS.sql})
  SELECT environment_id, message_id, created_at, ${MESSAGE_COLUMNS.sql} FROM accepted
  RETURNING 1`
    : ''
}
${
  keyed
    ? `
), keyed AS (
  INSERT INTO message_keys (environment_id, message_id, name, value)
  SELECT environment_id, message_id, name, value FROM (
    SELECT unnest((SELECT :key_environments::uuid[])) AS environment_id, unnest(:key_messages::uuid[]) AS message_id,
           unnest(:key_names::text[]) AS name, unnest(:key_values::text[]) AS value) key
   WHERE COALESCE((environment_id, message_id) IN (SELECT environment_id, message_id FROM accepted), false)`
    : ''
}
), accepted_run AS MATERIALIZED (
  SELECT * FROM (
    SELECT unnest((SELECT :run_ids::uuid[])) AS id, unnest(:run_environments::uuid[]) AS environment_id,
           unnest(:run_messages::uuid[]) AS message_id, unnest(:channels::uuid[]) AS channel_id, unnest(:kinds::text[]) AS channel_kind,
           unnest(:template_versions::uuid[]) AS template_version_id, unnest(:replays::int[]) AS replay, unnest(:statuses::text[]) AS status,
           unnest(:max_attempts::int[]) AS max_attempts, unnest(:scheduled_at::timestamptz[]) AS scheduled_at, unnest(:held::text[]) AS held,
           unnest(:run_times::timestamptz[]) AS created_at, unnest(:traceparents::text[]) AS traceparent
           ${ordered ? ', unnest(:batch_indexes::int[]) AS batch_index, unnest(:ordering_keys::text[]) AS ordering_key' : ''}) run
   WHERE COALESCE((environment_id, message_id) IN (SELECT environment_id, message_id FROM accepted), false)
     ${messages ? 'AND (SELECT count(*) FROM message) > 0' : ''}
${
  ordered
    ? `
-- Each run gets the next sequence of its key. The row of a key stays locked until the commit, so sequences have no gaps and
-- follow the order of commits. A scheduled run gets its sequence when it is due.
), ordered AS MATERIALIZED (
  SELECT id, environment_id, channel_id, ordering_key,
         row_number() OVER (PARTITION BY channel_id, ordering_key ORDER BY batch_index) AS nth,
         count(*) OVER (PARTITION BY channel_id, ordering_key) AS runs
    FROM accepted_run WHERE ordering_key IS NOT NULL AND status = 'queued'
), numbered AS (
  INSERT INTO ordering_keys AS known (channel_id, key, environment_id, last_sequence)
  SELECT channel_id, ordering_key, environment_id, count(*) FROM ordered
   GROUP BY channel_id, ordering_key, environment_id
   ORDER BY channel_id, ordering_key COLLATE "C"
  ON CONFLICT (channel_id, key)
    DO UPDATE SET last_sequence = known.last_sequence + EXCLUDED.last_sequence, used_at = now()
  RETURNING channel_id, key, last_sequence, turn
), sequenced AS MATERIALIZED (
  SELECT ordered.id, last_sequence - runs + nth AS sequence, turn
    FROM ordered JOIN numbered ON numbered.channel_id = ordered.channel_id AND numbered.key = ordered.ordering_key
), run AS (
  INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, template_version_id, replay, status, max_attempts,
                             scheduled_at, held, due_at, created_at, traceparent, ordering_key, sequence)
  SELECT run.id, environment_id, message_id, channel_id, channel_kind, template_version_id, replay, status, max_attempts, scheduled_at,
         waits.held, CASE WHEN waits.held IS NULL THEN COALESCE(scheduled_at, created_at) ELSE ${HELD_UNTIL.sql} END, created_at,
         traceparent, ordering_key, sequenced.sequence
    FROM accepted_run AS run
    LEFT JOIN sequenced ON sequenced.id = run.id
   CROSS JOIN LATERAL (
     SELECT CASE WHEN ordering_key IS NOT NULL AND (sequenced.id IS NULL OR sequenced.sequence <> sequenced.turn) THEN 'ordered'
                 ELSE run.held END AS held) waits
  RETURNING id, held`
    : `
), run AS (
  INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, template_version_id, replay, status, max_attempts,
                             scheduled_at, held, due_at, created_at, traceparent${consumers && !messages ? ', replayed_by_consumer' : ''})
  SELECT id, environment_id, message_id, channel_id, channel_kind, template_version_id, replay, status, max_attempts, scheduled_at,
         held, CASE WHEN held IS NULL THEN COALESCE(scheduled_at, created_at) ELSE ${HELD_UNTIL.sql} END, created_at, traceparent
         ${consumers && !messages ? ', true' : ''}
    FROM accepted_run
  RETURNING 1`
}
${
  charges
    ? `
), environment AS (
  INSERT INTO environment_usage AS usage (environment_id, period_start, events_used)
  SELECT environment_id, (SELECT period_start FROM bounds), count(*)
    FROM accepted WHERE (SELECT count(*) FROM run) >= 0
   GROUP BY environment_id
   ORDER BY environment_id
  ON CONFLICT (environment_id, period_start) DO UPDATE SET events_used = usage.events_used + EXCLUDED.events_used
  RETURNING 1
${consumers ? chargeOfConsumers({ byTheirCallers: !messages }) : ''}
), charge AS MATERIALIZED (
  SELECT tenant_id, count(*) AS events FROM accepted
   WHERE (SELECT count(*) FROM environment) > 0 ${consumers ? 'AND (SELECT count(*) FROM consumer) >= 0' : ''}
   GROUP BY tenant_id
), charged AS (
  INSERT INTO tenant_usage AS usage (tenant_id, period_start, events_used)
  SELECT tenant_id, (SELECT period_start FROM bounds),
         CASE WHEN COALESCE(events <= plans.events_per_month, true) THEN events END
    FROM charge
    JOIN tenants ON tenants.id = tenant_id
    JOIN plans ON plans.code = tenants.plan_code
   ORDER BY tenant_id
  ON CONFLICT (tenant_id, period_start) DO UPDATE SET events_used = CASE
    WHEN COALESCE((SELECT usage.events_used + EXCLUDED.events_used <= plans.events_per_month
                     FROM tenants JOIN plans ON plans.code = plan_code WHERE tenants.id = usage.tenant_id), true)
    THEN usage.events_used + EXCLUDED.events_used END
  RETURNING tenant_id, events_used`
    : ''
}
${
  messages && charges
    ? `
), counted AS (     -- events, in the minute of the database's clock that dates them
  INSERT INTO stats_deltas (environment_id, minute, channel_id, event_key, error_code, latency_bucket, accepted, delivered, failed, attempts)
  SELECT environment_id, date_trunc('minute', created_at), '${NO_CHANNEL}'::uuid, event_key, '', ${NO_LATENCY}, count(*), 0, 0, 0
    FROM accepted GROUP BY 1, 2, 4`
    : ''
}
)
SELECT timely,
       (SELECT CASE WHEN count(*) < (SELECT count(*) FROM creation) THEN COALESCE(array_agg(message_id), '{}') END FROM accepted)
         AS "messageIds",
       ${charges ? '(SELECT json_object_agg(tenant_id, events_used) FROM charged)' : 'NULL'} AS used,
       ${ordered ? "(SELECT array_agg(id) FROM run WHERE held = 'ordered')" : 'NULL::uuid[]'} AS behind
  FROM bounds`;

/** The input of the statements. */
export interface AcceptInput {
  readonly creations: readonly Creation[];
  readonly lockTimeoutMs: number;
  /** The first and the last time of the creations; null if they are those of the transaction. */
  readonly oldest: Date | null;
  readonly newest: Date | null;
}

/** The result of a statement. */
export interface StoredCreations {
  /** Whether the times are close enough to the database's clock; otherwise nothing is stored. */
  readonly timely: boolean;
  /** Ids of the stored messages, that is those whose keys were free; null if all are stored. */
  readonly messageIds: readonly string[] | null;
  /** Events used in the period by each tenant of these messages, including these. */
  readonly used: Readonly<Record<string, number>> | null;
  /** Ids of the runs that wait for earlier runs of their ordering key. */
  readonly behind: readonly string[] | null;
}

const ofCreations =
  <Value>(read: (creation: Creation) => Value) =>
  ({ creations }: AcceptInput): Value[] =>
    creations.map(read);
const ofResponses = <Value>(read: (response: ResponseToStore) => Value) =>
  ofCreations(({ response }) => (response ? read(response) : null));
const ofKeys =
  <Value>(read: (creation: Creation, key: MessageKey) => Value) =>
  ({ creations }: AcceptInput): Value[] =>
    creations.flatMap((creation) => (creation.keys ?? []).map((key) => read(creation, key)));
const ofRuns =
  <Value>(read: (run: CreatedRun, creation: Creation, batchIndex: number) => Value) =>
  ({ creations }: AcceptInput): Value[] =>
    creations.flatMap((creation, batchIndex) => creation.runs.map((run) => read(run, creation, batchIndex)));

const define = (steps: Steps) =>
  defineStatement<AcceptInput, StoredCreations>({
    text: textOf(steps),
    parameters: {
      lock_timeout: ({ lockTimeoutMs }) => `${lockTimeoutMs}ms`,
      oldest: ({ oldest }) => oldest,
      newest: ({ newest }) => newest,
      tenants: ofCreations(({ tenantId }) => tenantId),
      environments: ofCreations(({ environmentId }) => environmentId),
      message_ids: ofCreations(({ messageId }) => messageId),
      times: ofCreations(({ createdAt }) => createdAt),
      ...(steps.messages && {
        recipientEmail: ofCreations(({ message }) => (message ? addressOf(message.recipient) : null)),
      }),
      ...(!steps.messages && steps.consumers && { replayed_by: ofCreations((of) => of.replayedBy ?? null) }),
      ...(steps.responses && {
        operations: ofResponses(({ operation }) => operation),
        keys: ofResponses(({ key }) => key),
        fingerprints: ofResponses(({ fingerprint }) => fingerprint),
        response_statuses: ofResponses(({ status }) => status),
        response_bodies: ofResponses(({ body }) => body),
      }),
      run_ids: ofRuns((run) => run.id),
      run_environments: ofRuns((_run, { environmentId }) => environmentId),
      run_messages: ofRuns((_run, { messageId }) => messageId),
      channels: ofRuns((run) => run.channel.id),
      kinds: ofRuns((run) => run.channel.kind),
      template_versions: ofRuns((run) => run.templateVersionId),
      replays: ofRuns((_run, { replay = 0 }) => replay),
      statuses: ofRuns((run) => run.status),
      max_attempts: ofRuns((run) => run.maxAttempts),
      scheduled_at: ofRuns((run) => run.scheduledAt),
      held: ofRuns((run) => (run.isHeld ? 'paused' : null)),
      run_times: ofRuns((_run, { createdAt }) => createdAt),
      traceparents: ofRuns((_run, { traceparent = null }) => traceparent),
      ...(steps.keyed && {
        key_environments: ofKeys(({ environmentId }) => environmentId),
        key_messages: ofKeys(({ messageId }) => messageId),
        key_names: ofKeys((_creation, { name }) => name),
        key_values: ofKeys((_creation, { value }) => value),
      }),
      ...(steps.ordered && {
        batch_indexes: ofRuns((_run, _creation, batchIndex) => batchIndex),
        ordering_keys: ofRuns((run, creation) =>
          isOrdered(creation, run) ? (creation.message?.orderingKey ?? null) : null,
        ),
      }),
    },
    // For the columns of messages that have no parameter above.
    rows: ({ creations }) => creations.map(({ message }) => message ?? {}),
    environments: ofCreations(({ environmentId }) => environmentId),
  });

const NO_PARTS = { ordered: false, consumers: false, keyed: false };
const EVENTS = { responses: true, messages: true, charges: true, ...NO_PARTS };

const either = [false, true];
/** The statements of batches of events, by what these have: one for each combination. */
const EVENT_STATEMENTS = either.map((ordered) =>
  either.map((consumers) => either.map((keyed) => define({ ...EVENTS, ordered, consumers, keyed }))),
);

/** The statement of each kind of batch. */
export const ACCEPT = {
  events: ({ ordered, consumers, keyed }: typeof NO_PARTS) =>
    EVENT_STATEMENTS[Number(ordered)]?.[Number(consumers)]?.[Number(keyed)] as ReturnType<typeof define>,
  /** Tests are not charged. */
  tests: define({ ...EVENTS, responses: false, charges: false }),
  /** Replays have a message already. Those by callers of consumers are charged to them. */
  replays: define({ ...EVENTS, responses: false, messages: false }),
  consumerReplays: define({ ...EVENTS, responses: false, messages: false, consumers: true }),
};
