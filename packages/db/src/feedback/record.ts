import { createHash } from 'node:crypto';
import type { FeedbackEvent } from '@postrider/channels';
import {
  ALL_STREAMS,
  addressHash,
  formatId,
  type IdSource,
  isBareEmailAddress,
  parseId,
  type ServiceKeys,
  type SuppressionSource,
  suppressedSpelling,
} from '@postrider/domain';
import type { Database, Queryable } from '../client.ts';
import { changeInEnvironments } from '../scope/in-environments.ts';
import type { ServiceKeySource } from '../suppressions/service-keys.ts';
import { type NewSuppression, suppressAll } from '../suppressions/suppress.ts';

/** What was reported of the mails of one channel. Ids are UUIDs. */
export interface FeedbackToRecord {
  readonly environmentId: string;
  readonly channelId: string;
  /** Who reports, such as the name of a provider: ids of events are its own. */
  readonly source: string;
  /**
   * Whether an address is suppressed only if the run was sent to it: for reports that anybody can have written, because
   * they came as mail.
   */
  readonly onlyRecipient: boolean;
  readonly events: readonly FeedbackEvent[];
}

export interface RecordedFeedback {
  /** Stored now. */
  readonly recorded: readonly FeedbackEvent[];
  /** Stored before, or more than a run keeps. */
  readonly duplicates: number;
  /** Of no run that the channel has. */
  readonly ignored: number;
}

/** Events of one transaction, which takes some milliseconds. */
const EVENTS_AT_ONCE = 100;
/** Events of a type that a run keeps. A mail gets one or two; only a deferred one can get tens. */
const MAX_OF_TYPE = 20;
/** Attempts of a provider's id that are looked at: every channel's provider makes up its own. */
const MAX_ATTEMPTS_OF_ID = 16;

/** A run that an event is of, and who its mail was for; null after an erasure. */
interface FoundRun {
  readonly place: number;
  readonly runId: string;
  readonly recipientEmail: string | null;
  readonly isErased: boolean;
  /** That of the message; null for a transactional one. */
  readonly stream: string | null;
}

interface Found extends FoundRun {
  readonly event: FeedbackEvent;
  /** In hex. */
  readonly digest: string;
  /** Whether it is about another address than the recipient's, such as one in copy. */
  readonly ofCopy: boolean;
}

/** What suppresses addresses. */
export interface FeedbackDeps {
  readonly db: Database;
  readonly newId: IdSource;
  readonly keys: ServiceKeySource;
}

/**
 * The runs that events are of: by the run's own id, else by the provider's id of the message. Only runs of this channel
 * are found, whatever an event names. Their messages are locked against an erasure until the transaction ends.
 */
async function findRuns(
  tx: Queryable,
  { environmentId, channelId, events }: FeedbackToRecord,
): Promise<FoundRun[]> {
  const runIds = events.map(({ runId }) => (runId === null ? null : parseId('run', runId)));
  // An event that names a run which cannot be is of none.
  const messageIds = events.map(({ runId, providerMessageId }) =>
    runId === null ? providerMessageId : null,
  );
  return tx.$queryRaw<FoundRun[]>`
    SELECT asked.place::int, run.id AS "runId", messages.recipient_email AS "recipientEmail",
           messages.erased_at IS NOT NULL AS "isErased", messages.stream
      FROM unnest(${runIds}::uuid[], ${messageIds}::text[]) WITH ORDINALITY AS asked (run_id, message_id, place)
     CROSS JOIN LATERAL (
           SELECT id, message_id FROM delivery_runs
            WHERE id = asked.run_id AND environment_id = ${environmentId}::uuid AND channel_id = ${channelId}::uuid
            UNION ALL
           (SELECT run.id, run.message_id
              FROM (SELECT run_id FROM attempts WHERE provider_message_id = asked.message_id
                     LIMIT ${MAX_ATTEMPTS_OF_ID}) AS attempt
              JOIN delivery_runs run ON run.id = attempt.run_id
             WHERE run.environment_id = ${environmentId}::uuid AND run.channel_id = ${channelId}::uuid
             LIMIT 1)) AS run
      JOIN messages ON messages.environment_id = ${environmentId}::uuid AND messages.id = run.message_id
       FOR KEY SHARE OF messages`;
}

function digestOf(source: string, { id }: FeedbackEvent): string {
  return createHash('sha256').update(`${source}\n${id}`).digest('hex');
}

/**
 * Whether an event is about another address than the recipient's: the mail went to copies, too. Case does not matter, because
 * providers change it. One that names no address is
 * about the recipient, and so is every one after an erasure, when nobody knows the recipient any more.
 */
function isOfCopy({ email }: FeedbackEvent, { recipientEmail }: FoundRun): boolean {
  if (email === null || recipientEmail === null || !isBareEmailAddress(email)) return false;
  return suppressedSpelling(email) !== suppressedSpelling(recipientEmail);
}

/** The events that have a run, each once, and no more of a type and run than are kept: of copies apart from the recipient. */
function chooseEvents({ source, events }: FeedbackToRecord, runs: readonly FoundRun[]): Found[] {
  const chosen = new Map<string, Found>();
  const counts = new Map<string, number>();
  for (const run of runs) {
    const event = events[run.place - 1];
    if (!event) continue;
    const digest = digestOf(source, event);
    const ofCopy = isOfCopy(event, run);
    const ofType = `${run.runId} ${event.type} ${ofCopy}`;
    const count = counts.get(ofType) ?? 0;
    if (chosen.has(`${run.runId} ${digest}`) || count >= MAX_OF_TYPE) continue;
    counts.set(ofType, count + 1);
    chosen.set(`${run.runId} ${digest}`, { ...run, event, digest, ofCopy });
  }
  return [...chosen.values()];
}

/**
 * Stores the events that are not there yet and returns them. The rows of two requests are written in one order, so that
 * neither waits for the other. An event of the future happened when it was received.
 */
async function insertEvents(tx: Queryable, environmentId: string, found: readonly Found[]): Promise<Found[]> {
  const rows = await tx.$queryRaw<{ runId: string; digest: string }[]>`
    INSERT INTO run_feedback (run_id, event_digest, environment_id, type, permanent, at, reason, of_copy)
    SELECT given.run_id, decode(given.digest, 'hex'), ${environmentId}::uuid, given.type, given.permanent,
           LEAST(given.at, now()), given.reason, given.of_copy
      FROM unnest(${found.map(({ runId }) => runId)}::uuid[], ${found.map(({ digest }) => digest)}::text[],
                  ${found.map(({ event }) => event.type)}::text[],
                  ${found.map(({ event }) => event.permanent)}::bool[],
                  ${found.map(({ event }) => event.at.toISOString())}::timestamptz[],
                  ${found.map(({ event, isErased }) => (isErased ? null : event.reason))}::text[],
                  ${found.map(({ ofCopy }) => ofCopy)}::bool[])
        AS given (run_id, digest, type, permanent, at, reason, of_copy)
     WHERE (SELECT count(*) FROM run_feedback kept
             WHERE kept.run_id = given.run_id AND kept.type = given.type AND kept.of_copy = given.of_copy) < ${MAX_OF_TYPE}::int
     ORDER BY given.run_id, given.digest
        ON CONFLICT (run_id, event_digest) DO NOTHING
    RETURNING run_id AS "runId", encode(event_digest, 'hex') AS digest`;
  const inserted = new Set(rows.map(({ runId, digest }) => `${runId} ${digest}`));
  return found.filter(({ runId, digest }) => inserted.has(`${runId} ${digest}`));
}

/** Why the address of an event is to be written to no more; null when it may be. */
function causeOf({ type, permanent }: FeedbackEvent): SuppressionSource | null {
  if (type === 'bounced') return permanent ? 'hard_bounce' : null;
  if (type === 'complained') return 'complaint';
  return type === 'unsubscribed' ? 'unsubscribe' : null;
}

/**
 * The address that an event is of: of a report that names none the recipient's, of one about a copy that copy's. A report
 * that proves nothing has none but the recipient's.
 */
function addressOf(
  { event: { email }, ofCopy, recipientEmail }: Found,
  onlyRecipient: boolean,
): string | null {
  if (recipientEmail !== null && !ofCopy) return recipientEmail;
  return !onlyRecipient && email !== null && isBareEmailAddress(email) ? email : null;
}

/**
 * The entries of the suppression list that events make. Of an erased message they keep the hash alone, and the reason is
 * none of the provider's texts, which may have the address.
 */
function suppressionsOf(
  { environmentId, source, onlyRecipient }: FeedbackToRecord,
  found: readonly Found[],
  { addressHash: key }: ServiceKeys,
): NewSuppression[] {
  return found.flatMap((one): NewSuppression[] => {
    const cause = causeOf(one.event);
    const email = cause && addressOf(one, onlyRecipient);
    if (!cause || !email) return [];
    return [
      {
        environmentId,
        email: one.isErased ? null : email,
        addressHash: addressHash(key, environmentId, email),
        scope: cause === 'unsubscribe' && one.stream !== null ? one.stream : ALL_STREAMS,
        reason: `Reported by ${source} of ${formatId('run', one.runId)}.`,
        source: cause,
      },
    ];
  });
}

async function recordSome(
  tx: Queryable,
  { newId }: FeedbackDeps,
  keys: ServiceKeys | null,
  request: FeedbackToRecord,
): Promise<RecordedFeedback> {
  const { environmentId, events } = request;
  const runs = await findRuns(tx, request);
  const inserted = await insertEvents(tx, environmentId, chooseEvents(request, runs));
  const suppressions = keys ? suppressionsOf(request, inserted, keys) : [];
  if (keys && suppressions.length > 0) await suppressAll(tx, { newId, keys }, suppressions);
  return {
    recorded: inserted.map(({ event }) => event),
    duplicates: runs.length - inserted.length,
    ignored: events.length - runs.length,
  };
}

/**
 * Records what was reported of a channel's mails, and suppresses the addresses that are to be written to no more, in the
 * same transaction. An event that was recorded before changes nothing, whatever was done since. What names no run of this
 * channel is ignored, and which of the reasons it was is not told.
 */
export async function recordFeedback(
  deps: FeedbackDeps,
  request: FeedbackToRecord,
): Promise<RecordedFeedback> {
  const { environmentId, events } = request;
  const keys = events.some(causeOf) ? await deps.keys.get() : null;
  const recorded: FeedbackEvent[] = [];
  let duplicates = 0;
  let ignored = 0;
  for (let start = 0; start < events.length; start += EVENTS_AT_ONCE) {
    const part = { ...request, events: events.slice(start, start + EVENTS_AT_ONCE) };
    const result = await changeInEnvironments(deps.db, [environmentId], (tx) =>
      recordSome(tx, deps, keys, part),
    );
    recorded.push(...result.recorded);
    duplicates += result.duplicates;
    ignored += result.ignored;
  }
  return { recorded, duplicates, ignored };
}
