import {
  ALL_STREAMS,
  hmacBlocks,
  type KindFacts,
  LOSSES_BEFORE_QUARANTINE,
  SERVICE_KINDS,
} from '@postrider/domain';
import type { AnyClient } from '../client.ts';
import { CLAIMED_COLUMNS, CLAIMED_NAMES, CLAIMED_TEXTS } from '../message-fields.ts';
import { IS_WAITING } from '../run-statuses.ts';
import { defineStatement } from '../statement.ts';
import type { ChannelFacts } from './channels.ts';
import { type ChannelClaim, type ClaimRow, toChannelClaims } from './claimed-run.ts';
import { attemptStart } from './close.ts';
import { HAS_LIMITS } from './limited-runs.ts';

/**
 * How much longer than the attempt's time limit the lease lasts: time to render (1 s at most, after the few renders
 * claimed before) and to write the result.
 */
export const LEASE_MARGIN_MS = 10_000;

/** How many due runs of a channel that is paused, disabled or deleted one claim reads, to hold or end them. */
const REFUSED_AT_ONCE = 128;

/** A channel whose next due runs are claimed, or one of them. In another environment it is not found. Ids are UUIDs. */
export interface ClaimAsk extends Pick<ChannelFacts, 'channelId' | 'environmentId'> {
  /** Only this run, if it is due, also in quarantine. Such an ask has a statement of its own. */
  readonly runId?: string;
  /** The most runs to claim. */
  readonly slots: number;
  /** The most of them that have a template, of the event or of the channel. A run without such a permit is not overtaken by later ones. */
  readonly renders: number;
  /** Ids for the attempts that the claim opens, `slots` of them. */
  readonly attemptIds: readonly string[];
  /** A lower bound of the due times. The caller knows that no run that is due earlier waits. Null: no bound. */
  readonly since: Date | null;
  /** How many runs its limits allow, in a transaction that has locked their state; null if it has not. Tests are not counted. */
  readonly allowed?: number | null;
  /** How many more runs are read. Set after a claim that found runs which may not be sent. */
  readonly ahead?: number;
}

/** What decides whether a run may be sent. */
export interface ClaimRules {
  /** The kinds of the channels, as far as this process can deliver them; those of the service by default. */
  readonly kinds?: readonly KindFacts[];
  /**
   * Key of suppressed addresses; null while it cannot be decrypted. Then channels whose recipients can be suppressed
   * are left alone, if their environment has such entries.
   */
  readonly addressHashKey: Uint8Array | null;
}

/** The optional steps of a claim. */
interface Steps {
  /**
   * Whether there are kinds whose recipients can be suppressed, so that lists of addresses and paused streams are searched. Without
   * them, as for webhooks, a claim of one run takes a tenth less of PostgreSQL's processor time (`packages/bench/NOTES.md`).
   */
  readonly addresses: boolean;
}

/**
 * SQL: what is done with `due`, a due run of `channel` with its `messages` row. Tests are also sent by disabled and paused
 * channels and in paused streams, because channels are tried before they are enabled. A paused channel holds its runs, except its
 * probe. After a resume, runs in retry that are older than it wait for their turn among those that were held. Email of a paused
 * stream is held, too.
 */
export const decision = ({ addresses }: Steps) => `
         CASE WHEN channel.deleted_at IS NOT NULL OR NOT (channel.enabled OR messages.test) THEN 'channel_disabled'
              WHEN due.replay = 0 AND messages.expires_at <= now() THEN 'expired'
              ${addresses ? "WHEN suppression.source IS NOT NULL THEN 'recipient_suppressed'" : ''}
              WHEN messages.test THEN 'send'
              WHEN channel.paused AND due.held IS DISTINCT FROM 'probe' THEN 'hold'
              WHEN NOT channel.paused AND due.held IS NULL AND due.status = 'retrying' AND due.created_at < channel.resumed_at THEN 'hold'
              ${
                addresses
                  ? `
              WHEN channel.address_field IS NOT NULL AND messages.stream IS NOT NULL AND EXISTS (
                SELECT FROM stream_pauses pause
                 WHERE pause.environment_id = messages.environment_id AND pause.stream = messages.stream AND pause.resumed_at IS NULL)
              THEN 'hold_stream'`
                  : ''
              }
              ELSE 'send' END`;

/**
 * SQL of `suppression`: what suppresses the recipient of `messages`, by the list at this moment. PostgreSQL computes the keyed
 * hash (RFC 2104), so it also covers messages from before the entry. An operator who logs statements with parameters
 * sees addresses in plain text anyway.
 */
export const SUPPRESSION = `
    LEFT JOIN LATERAL (
      SELECT entry.source || ', scope ' || entry.scope AS source
        FROM suppressions entry
       WHERE channel.has_entries AND NOT messages.ignore_suppression AND entry.environment_id = messages.environment_id
         AND entry.address_hash = sha256(:outer::bytea || sha256(:inner::bytea || convert_to(
               messages.environment_id::text || ':' || lower((messages.recipient ->> channel.address_field) COLLATE "C"), 'UTF8')))
         AND entry.scope IN ('${ALL_STREAMS}', messages.stream) AND (entry.expires_at IS NULL OR entry.expires_at > now())
       ORDER BY entry.created_at LIMIT 1) suppression ON true`;

/** SQL of `kind`: what the statement needs to know of each kind of channel. */
export const kindsOf = ({ addresses }: Steps) => `
    unnest(:kinds::text[], :timeouts::int[]${addresses ? ', :address_fields::text[]' : ''})
      AS kind (name, timeout_ms${addresses ? ', address_field' : ''})`;

/** SQL of the columns that {@link decision} and {@link SUPPRESSION} need of a `channel`, from its row in `channels channel`. */
export const channelColumns = ({ addresses }: Steps) => `
         channel.enabled, channel.paused, channel.deleted_at, channel.resumed_at, channel.max_in_flight,
         ${HAS_LIMITS.sql} AS has_limits,
         channel.config ->> 'template' IS NOT NULL AS has_template,
         COALESCE((channel.config ->> 'timeout_ms')::int, kind.timeout_ms) AS timeout_ms
         ${
           addresses
             ? `, kind.address_field, kind.address_field IS NOT NULL AND EXISTS (
           SELECT FROM suppressions entry WHERE entry.environment_id = channel.environment_id) AS has_entries`
             : ''
         }`;

const DUE_COLUMNS = `
           run.id, run.environment_id, run.message_id, run.template_version_id, run.due_at, run.created_at, run.status,
           run.held, run.replay, run.attempt_count, run.fence`;

const IS_DUE = `${IS_WAITING} AND run.due_at <= now()`;

/** The next due runs of each channel, locked. Tests come first, because they wait neither for limits nor behind a backlog. */
const NEXT_RUNS = `
      SELECT * FROM (
        SELECT ${DUE_COLUMNS}, true AS is_test FROM delivery_runs run
         WHERE run.channel_id = channel.channel_id AND run.test AND ${IS_DUE} AND run.lost_workers < ${LOSSES_BEFORE_QUARANTINE}
         LIMIT channel.slots FOR NO KEY UPDATE SKIP LOCKED) tests
      UNION ALL
      SELECT * FROM (
        SELECT ${DUE_COLUMNS}, false AS is_test FROM delivery_runs run
         WHERE run.channel_id = channel.channel_id AND run.test IS NOT TRUE AND ${IS_DUE} AND run.lost_workers < ${LOSSES_BEFORE_QUARANTINE}
           AND run.due_at >= channel.since
         ORDER BY run.due_at LIMIT channel.read_at_most FOR NO KEY UPDATE SKIP LOCKED) others`;

/** Only this run, however many workers it has lost. */
const ONE_RUN = `
      SELECT ${DUE_COLUMNS}, COALESCE(run.test, false) AS is_test FROM delivery_runs run
       WHERE run.id = :run_id::uuid AND run.channel_id = channel.channel_id AND ${IS_DUE}
         FOR NO KEY UPDATE SKIP LOCKED`;

/**
 * The claim. Its steps: the asked channels; their due runs and what is done with each; their positions in the line of
 * their channel, and whether slots, permits and limits reach so far; the leases of those that are claimed; their attempts.
 *
 * `SKIP LOCKED` passes over a run that a cancel or another claim has locked, and the condition on the row is checked again
 * under the lock, so that of a cancel and a claim exactly one wins. `NO KEY` also locks a run that a foreign key check has
 * locked. The locks of runs that are not claimed end with the statement. A probe does not use one of the run's attempts:
 * it raises `max_attempts`. A channel of an unknown kind, such as one of a newer release, is not found.
 */
const claimText = (due: string, steps: Steps) => `
WITH asked AS (
  SELECT unnest((SELECT :channels::uuid[])) AS channel_id, unnest(:environments::uuid[]) AS environment_id,
         unnest(:slots::int[]) AS slots, unnest(:renders::int[]) AS renders, unnest(:aheads::int[]) AS ahead,
         unnest(:allowed::int[]) AS allowed, unnest(:since::timestamptz[]) AS since, unnest(:attempts_before::int[]) AS attempts_before
), channel AS MATERIALIZED (
  SELECT *, CASE WHEN paused OR NOT enabled OR deleted_at IS NOT NULL THEN ${REFUSED_AT_ONCE}
                 WHEN has_limits THEN LEAST(slots, COALESCE(allowed, 0)) ELSE slots END + ahead AS read_at_most
    FROM (
      SELECT asked.channel_id, asked.environment_id, slots, renders, ahead, allowed, COALESCE(since, '-infinity') AS since,
             attempts_before, channel.kind, channel.name, config, retry, public_only, revision, failure_policy, sealed_secret,
             CASE WHEN previous_secret_expires_at > now() THEN sealed_previous_secret END AS sealed_previous_secret,
             sealed_credentials, environment.tenant_id, environment.outcome_events <> '{}' AS reports_outcomes,
             ${channelColumns(steps)}
        FROM asked
        JOIN channels channel ON channel.id = asked.channel_id AND channel.environment_id = asked.environment_id
        JOIN environments environment ON environment.id = channel.environment_id
        JOIN ${kindsOf(steps)} ON kind.name = channel.kind) known
   ${steps.addresses ? 'WHERE NOT has_entries OR :inner::bytea IS NOT NULL' : ''}
), due AS (
  SELECT channel.channel_id, channel.slots, channel.renders, channel.allowed, channel.has_limits, channel.max_in_flight,
         channel.timeout_ms, channel.attempts_before, due.*, channel.has_template OR due.template_version_id IS NOT NULL AS needs_render,
         messages.created_at AS message_created_at, ${CLAIMED_COLUMNS.text}, ${decision(steps)} AS decision
    FROM channel
   CROSS JOIN LATERAL (${due}) due
    JOIN messages ON messages.environment_id = due.environment_id AND messages.id = due.message_id
   ${steps.addresses ? SUPPRESSION : ''}
), numbered AS MATERIALIZED (
  SELECT *, decision = 'send' AND nth <= slots AND nth_render <= renders
            AND (is_test OR NOT has_limits OR nth_counted <= COALESCE(allowed, 0)) AS is_claimed
    FROM (
      SELECT due.*, count(*) FILTER (WHERE decision = 'send') OVER line AS nth,
             count(*) FILTER (WHERE decision = 'send' AND NOT is_test) OVER line AS nth_counted,
             count(*) FILTER (WHERE decision = 'send' AND needs_render) OVER line AS nth_render
        FROM due
      WINDOW line AS (PARTITION BY channel_id ORDER BY is_test DESC, due_at, id ROWS UNBOUNDED PRECEDING)) line
), claimed AS (
  UPDATE delivery_runs run
     SET status = 'running', fence = run.fence + 1, attempt_count = run.attempt_count + 1,
         lease_until = now() + make_interval(secs => (chosen.timeout_ms + ${LEASE_MARGIN_MS}) / 1000.0),
         started_at = COALESCE(run.started_at, now()),
         limited = CASE WHEN chosen.max_in_flight IS NOT NULL AND NOT chosen.is_test THEN true END,
         max_attempts = run.max_attempts + (run.held IS NOT DISTINCT FROM 'probe')::int, held = NULL
    FROM (SELECT * FROM numbered WHERE is_claimed) chosen WHERE run.id = chosen.id
  RETURNING run.id, run.environment_id, run.fence, run.attempt_count, run.max_attempts, run.due_at, run.replay, run.sequence,
            run.traceparent, run.message_id, run.channel_id, run.template_version_id, chosen.nth, chosen.attempts_before,
            chosen.is_test, chosen.needs_render, chosen.timeout_ms, chosen.message_created_at, ${CLAIMED_NAMES.text}
), opened AS (
  INSERT INTO attempts (run_id, number, id, fence, status, started_at)
  SELECT id, attempt_count, (:attempt_ids::uuid[])[attempts_before + nth], fence, 'running',
         ${attemptStart('claimed.id', 'claimed.attempt_count')}
    FROM claimed
)
-- A row for each channel, one for each due run that is not claimed, and one for each claimed run.
SELECT channel.channel_id AS "askedId", channel.read_at_most AS "readAtMost", channel.has_limits AS "hasLimits", now() AS now,
       channel.tenant_id AS "tenantId", channel.reports_outcomes AS "reportsOutcomes", channel.kind, channel.name, channel.config,
       channel.retry, channel.public_only AS "publicOnly", channel.revision, channel.failure_policy AS "failurePolicy",
       channel.sealed_secret AS "sealedSecret", channel.sealed_previous_secret AS "sealedPreviousSecret",
       channel.sealed_credentials AS "sealedCredentials",
       waiting.id AS "waitingId", waiting.decision,
       COALESCE(claimed.channel_id, waiting.channel_id) AS "channelId", COALESCE(claimed.due_at, waiting.due_at) AS "dueAt",
       COALESCE(claimed.is_test, waiting.is_test) AS "isTest", COALESCE(claimed.needs_render, waiting.needs_render) AS "needsRender",
       claimed.id AS "runId", claimed.nth::int, claimed.environment_id AS "environmentId", claimed.fence,
       claimed.attempt_count AS "attemptNumber", claimed.max_attempts AS "maxAttempts", claimed.timeout_ms AS "timeoutMs",
       claimed.replay, claimed.sequence, claimed.traceparent, now() AS "claimedAt", claimed.message_id AS "messageId",
       claimed.message_created_at AS "messageCreatedAt", ${CLAIMED_TEXTS.text}, claimed.template_version_id AS "templateVersionId"
  FROM channel
  FULL JOIN (SELECT id, channel_id, due_at, is_test, needs_render, decision FROM numbered WHERE NOT is_claimed) waiting ON false
  FULL JOIN claimed ON false`;

interface ClaimInput {
  readonly asks: readonly ClaimAsk[];
  readonly rules: ClaimRules;
}

interface WithRules {
  readonly rules: ClaimRules;
}

const ofKinds =
  <Value>(read: (kind: KindFacts) => Value) =>
  ({ rules: { kinds = SERVICE_KINDS } }: WithRules): Value[] =>
    kinds.map(read);
const ofKey =
  (block: 'inner' | 'outer') =>
  ({ rules: { addressHashKey } }: WithRules): Uint8Array | null =>
    addressHashKey && hmacBlocks(addressHashKey)[block];

const OF_KINDS = {
  kinds: ofKinds(({ kind }) => kind),
  timeouts: ofKinds(({ defaultTimeoutMs }) => defaultTimeoutMs),
};
/** The parameters of {@link kindsOf} and {@link SUPPRESSION}. */
export const RULES = {
  ...OF_KINDS,
  address_fields: ofKinds(({ suppressibleField = null }) => suppressibleField),
  inner: ofKey('inner'),
  outer: ofKey('outer'),
};

const PARAMETERS = {
  channels: ({ asks }: ClaimInput) => asks.map(({ channelId }) => channelId),
  environments: ({ asks }: ClaimInput) => asks.map(({ environmentId }) => environmentId),
  slots: ({ asks }: ClaimInput) => asks.map(({ slots }) => slots),
  renders: ({ asks }: ClaimInput) => asks.map(({ renders }) => renders),
  aheads: ({ asks }: ClaimInput) => asks.map(({ ahead = 0 }) => ahead),
  allowed: ({ asks }: ClaimInput) => asks.map(({ allowed = null }) => allowed),
  since: ({ asks }: ClaimInput) => asks.map(({ since }) => since),
  attempts_before: ({ asks }: ClaimInput) => {
    let before = 0;
    return asks.map(({ attemptIds }) => {
      before += attemptIds.length;
      return before - attemptIds.length;
    });
  },
  attempt_ids: ({ asks }: ClaimInput) => asks.flatMap(({ attemptIds }) => attemptIds),
};

function define(steps: Steps) {
  const parameters = { ...PARAMETERS, ...(steps.addresses ? RULES : OF_KINDS) };
  const { environments } = PARAMETERS;
  return {
    next: defineStatement<ClaimInput, ClaimRow>({
      text: claimText(NEXT_RUNS, steps),
      parameters,
      environments,
    }),
    one: defineStatement<ClaimInput, ClaimRow>({
      text: claimText(ONE_RUN, steps),
      environments,
      parameters: { ...parameters, run_id: ({ asks: [ask] }) => ask?.runId ?? null },
    }),
  };
}

const ofAddresses = define({ addresses: true });
const withoutAddresses = define({ addresses: false });

const claimFor = ({ kinds = SERVICE_KINDS }: ClaimRules) =>
  kinds.some(({ suppressibleField }) => suppressibleField !== undefined) ? ofAddresses : withoutAddresses;

/**
 * Claims the next due runs of different channels: raises their fences, sets their leases and writes their attempts
 * before anything is sent. Returns a claim for each channel, null if there is no such channel, or its runs cannot be
 * decided now.
 */
export async function claimRuns(
  db: AnyClient,
  asks: readonly ClaimAsk[],
  rules: ClaimRules,
): Promise<(ChannelClaim | null)[]> {
  const statement = asks[0]?.runId === undefined ? 'next' : 'one';
  return toChannelClaims(asks, await claimFor(rules)[statement](db, { asks, rules }));
}

/** What a claim of one run asks for. */
export const askForRun = (
  channel: Pick<ClaimAsk, 'channelId' | 'environmentId'>,
  { runId, attemptId }: { readonly runId: string; readonly attemptId: string },
): ClaimAsk => ({ ...channel, runId, attemptIds: [attemptId], slots: 1, renders: 1, since: null });
