import { createHash } from 'node:crypto';
import {
  ALL_STREAMS,
  addressHash,
  type FeedbackEvent,
  formatId,
  type IdSource,
  parseId,
  type ServiceKeys,
  type SuppressionSource,
  suppressedSpelling,
  toBareAddress,
} from '@postrider/domain';
import type { Database, Queryable } from '../client.ts';
import { countFeedback } from '../statements/count.ts';
import { storeFeedback } from '../statements/store-feedback.ts';
import type { ServiceKeySource } from '../suppressions/service-keys.ts';
import { type NewSuppression, reasonWithout, suppressAll } from '../suppressions/suppress.ts';
import { changeInEnvironments } from '../transactions/transaction.ts';
import { countSoftBounces } from './soft-bounces.ts';

/** Reported events about the mails of one channel. Ids are UUIDs. */
interface FeedbackToRecord {
  readonly environmentId: string;
  readonly channelId: string;
  /** The feedback source, such as a provider's name. Event ids are unique within a source. */
  readonly source: string;
  /**
   * Whether an address is only suppressed if the run was sent to it. True for reports that anybody can forge, because
   * they came as mail.
   */
  readonly onlyRecipient: boolean;
  /** The mail account that sent, if the caller knows it; otherwise it is that of the reported attempt. */
  readonly account?: string | undefined;
  readonly events: readonly FeedbackEvent[];
}

export interface RecordedFeedback {
  /** Stored by this call. */
  readonly recorded: readonly FeedbackEvent[];
  /** Already stored, or more than a run keeps. */
  readonly duplicates: number;
  /** About no run of the channel. */
  readonly ignored: number;
}

/** Events per transaction, which takes some milliseconds. */
const EVENTS_AT_ONCE = 100;
/** Events of one type that a run keeps. A mail gets one or two; only a deferred one can get dozens. */
const MAX_OF_TYPE = 20;
/** The most attempts with one provider id that are read for an event. One mail has few. */
const MAX_ATTEMPTS = 200;

/** The run of an event, and the recipient of its mail; null after an erasure. */
interface FoundRun {
  readonly position: number;
  readonly runId: string;
  readonly recipientEmail: string | null;
  readonly isErased: boolean;
  /** The stream of the message; null if it is transactional. */
  readonly stream: string | null;
  /** The mail account of the reported attempt; null if no attempt has one. */
  readonly sender: string | null;
  /** Whether its mail can go to copies. */
  readonly hasCopies: boolean;
}

interface Found extends FoundRun {
  readonly event: FeedbackEvent;
  /** In hexadecimal. */
  readonly digest: string;
  /** Whether the event is about another address than the recipient's, such as one in copy. */
  readonly ofCopy: boolean;
}

/** What suppressing an address needs. */
export interface FeedbackDeps {
  readonly db: Database;
  readonly newId: IdSource;
  readonly keys: ServiceKeySource;
}

/**
 * Finds the runs of events: by the run's own id, otherwise by the provider's message id. The reported attempt is the one with
 * the provider's id; if there is none, it is the one that succeeded, or else the last. Only finds runs of this channel,
 * even if attempts of other channels have the same id. Ids are unique within a provider account, so an id has few
 * attempts; at most {@link MAX_ATTEMPTS} are read. Locks the messages against an erasure until the transaction ends.
 */
async function findRuns(
  tx: Queryable,
  { environmentId, channelId, events }: FeedbackToRecord,
): Promise<FoundRun[]> {
  const runIds = events.map(({ runId }) => (runId === null ? null : parseId('run', runId)));
  // An event with an impossible run id has no run.
  const messageIds = events.map(({ runId, providerMessageId }) =>
    runId === null ? providerMessageId : null,
  );
  return tx.$queryRaw<FoundRun[]>`
    SELECT asked.position::int, run.id AS "runId", messages.recipient_email AS "recipientEmail",
           messages.erased_at IS NOT NULL AS "isErased", messages.stream, reported.sender,
           COALESCE(template.envelope->>'cc', template.envelope->>'bcc') IS NOT NULL AS "hasCopies"
      FROM unnest(${runIds}::uuid[], ${messageIds}::text[], ${events.map(({ providerMessageId }) => providerMessageId)}::text[])
           WITH ORDINALITY AS asked (run_id, message_id, reported_id, position)
     CROSS JOIN LATERAL (
           SELECT id, message_id, template_version_id FROM delivery_runs
            WHERE id = asked.run_id AND environment_id = ${environmentId}::uuid AND channel_id = ${channelId}::uuid
            UNION ALL
           (SELECT run.id, run.message_id, run.template_version_id
              FROM (SELECT run_id FROM attempts WHERE provider_message_id = asked.message_id
                     LIMIT ${MAX_ATTEMPTS}::int) AS attempt
              JOIN delivery_runs run ON run.id = attempt.run_id
             WHERE run.environment_id = ${environmentId}::uuid AND run.channel_id = ${channelId}::uuid
             LIMIT 1)) AS run
      LEFT JOIN LATERAL (
           SELECT sender FROM attempts WHERE attempts.run_id = run.id AND sender IS NOT NULL
            ORDER BY (provider_message_id = asked.reported_id) IS TRUE DESC, status = 'succeeded' DESC, number DESC
            LIMIT 1) AS reported ON true
      LEFT JOIN template_versions template
        ON template.environment_id = ${environmentId}::uuid AND template.id = run.template_version_id
      JOIN messages ON messages.environment_id = ${environmentId}::uuid AND messages.id = run.message_id
       FOR KEY SHARE OF messages`;
}

function digestOf(source: string, { id }: FeedbackEvent): string {
  return createHash('sha256').update(`${source}\n${id}`).digest('hex');
}

/** The address in an event; null if it has none that mail can be sent to. */
const addressIn = ({ email }: FeedbackEvent) => (email === null ? null : toBareAddress(email));

/**
 * Whether an event names another address than the recipient's. Case is ignored, because providers change it. An event
 * without an address is about the recipient, and so is every event after an erasure, when the recipient is unknown.
 */
function namesOtherAddress(event: FeedbackEvent, { recipientEmail }: FoundRun): boolean {
  const email = addressIn(event);
  if (email === null || recipientEmail === null) return false;
  return suppressedSpelling(email) !== suppressedSpelling(recipientEmail);
}

/**
 * The events that have a run, without repetitions, and at most {@link MAX_OF_TYPE} per type and run; copies are
 * counted apart from the recipient.
 */
function chooseEvents({ source, events }: FeedbackToRecord, runs: readonly FoundRun[]): Found[] {
  const chosen = new Map<string, Found>();
  const counts = new Map<string, number>();
  for (const run of runs) {
    const reported = events[run.position - 1];
    if (!reported) continue;
    const digest = digestOf(source, reported);
    const isOther = namesOtherAddress(reported, run);
    const ofCopy = isOther && run.hasCopies;
    // Without copies the recipient forwards the mail, or the reporter hides the address. If an address that mail is forwarded to
    // is dead, the recipient's own need not be.
    const event = isOther && !ofCopy ? { ...reported, permanent: false } : reported;
    const ofType = `${run.runId} ${event.type} ${ofCopy}`;
    const count = counts.get(ofType) ?? 0;
    if (chosen.has(`${run.runId} ${digest}`) || count >= MAX_OF_TYPE) continue;
    counts.set(ofType, count + 1);
    chosen.set(`${run.runId} ${digest}`, { ...run, event, digest, ofCopy });
  }
  return [...chosen.values()];
}

/** Stores new events and returns them. */
async function insertEvents(tx: Queryable, environmentId: string, found: readonly Found[]): Promise<Found[]> {
  const rows = await storeFeedback(tx, {
    environmentId,
    maxOfType: MAX_OF_TYPE,
    reports: found.map(({ event, isErased, ...one }) => ({
      ...one,
      type: event.type,
      permanent: event.permanent,
      at: event.at,
      reason: isErased ? null : event.reason,
      reportedReason: isErased ? null : reasonWithout(one.recipientEmail ?? event.email, event.reason),
    })),
  });
  const inserted = new Set(rows.map(({ run_id, digest }) => `${run_id} ${digest}`));
  return found.filter(({ runId, digest }) => inserted.has(`${runId} ${digest}`));
}

/** Why the address of an event must be suppressed, or null. */
function causeOf({ type, permanent }: FeedbackEvent): SuppressionSource | null {
  if (type === 'bounced') return permanent ? 'hard_bounce' : null;
  if (type === 'complained') return 'complaint';
  return type === 'unsubscribed' ? 'unsubscribe' : null;
}

/**
 * The address of an event: the recipient's if the report names none, the copy's if it is about a copy. An unverified
 * report only counts for the recipient.
 */
function addressOf({ event, ofCopy, recipientEmail }: Found, onlyRecipient: boolean): string | null {
  if (recipientEmail !== null && !ofCopy) return recipientEmail;
  return onlyRecipient ? null : addressIn(event);
}

/**
 * The suppressions that events cause, each with its event. For an erased message they keep only the hash, and not the
 * provider's reason, which may contain the address.
 */
function suppressionsOf(
  { environmentId, source, onlyRecipient }: FeedbackToRecord,
  found: readonly Found[],
  { addressHash: key }: ServiceKeys,
): ReadonlyMap<NewSuppression, Found> {
  const suppressions = new Map<NewSuppression, Found>();
  for (const one of found) {
    const cause = causeOf(one.event);
    // A transactional mail has no stream to leave, and the recipient has not asked for silence.
    if (cause === 'unsubscribe' && one.stream === null) continue;
    const email = cause && addressOf(one, onlyRecipient);
    if (!cause || !email) continue;
    suppressions.set(
      {
        environmentId,
        email: one.isErased ? null : email,
        addressHash: addressHash(key, environmentId, email),
        scope: cause === 'unsubscribe' && one.stream !== null ? one.stream : ALL_STREAMS,
        reason: `Reported by ${source} of ${formatId('run', one.runId)}.`,
        source: cause,
        ofRun: one.runId,
      },
      one,
    );
  }
  return suppressions;
}

const isSoftBounce = ({ event: { type, permanent }, ofCopy, isErased }: Found) =>
  type === 'bounced' && !permanent && !ofCopy && !isErased;

/** The suppressions for a while that soft bounces cause, one for each recipient. */
async function pausesOf(
  tx: Queryable,
  { environmentId, source }: FeedbackToRecord,
  found: readonly Found[],
  { addressHash: key }: ServiceKeys,
): Promise<NewSuppression[]> {
  const runs = new Map<string, string>();
  for (const one of found.filter(isSoftBounce)) {
    if (one.recipientEmail !== null) runs.set(one.recipientEmail, one.runId);
  }
  const pauses: NewSuppression[] = [];
  for (const [email, runId] of runs) {
    const { until, limit } = await countSoftBounces(tx, { environmentId, email });
    if (until === null) continue;
    const reason = `${limit} soft bounces in a row, the last reported by ${source} of ${formatId('run', runId)}.`;
    pauses.push({
      environmentId,
      email,
      addressHash: addressHash(key, environmentId, email),
      scope: ALL_STREAMS,
      reason,
      source: 'soft_bounce',
      expiresAt: until,
    });
  }
  return pauses;
}

const hashOf = ({ addressHash: hash = new Uint8Array() }: NewSuppression) =>
  Buffer.from(hash).toString('hex');

/**
 * The complaints that count: one of each recipient whom this request has added to the list. Others are by a recipient who was
 * suppressed already, or who is not known: reports by mail can be repeated and forged.
 */
function countedComplaints(
  caused: ReadonlyMap<NewSuppression, Found>,
  added: readonly NewSuppression[],
): ReadonlySet<Found> {
  const hashes = new Set(added.filter(({ scope }) => scope === ALL_STREAMS).map(hashOf));
  const ofRecipients = [...caused].filter(([, { event, ofCopy }]) => event.type === 'complained' && !ofCopy);
  return new Set(ofRecipients.filter(([entry]) => hashes.delete(hashOf(entry))).map(([, one]) => one));
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
  let complaints: ReadonlySet<Found> = new Set();
  if (keys) {
    const caused = suppressionsOf(request, inserted, keys);
    const entries = [...caused.keys(), ...(await pausesOf(tx, request, inserted, keys))];
    const added = entries.length > 0 ? await suppressAll(tx, { newId, keys }, entries) : [];
    complaints = countedComplaints(caused, added);
  }
  const reports = inserted
    .filter(({ ofCopy }) => !ofCopy)
    .map((one) => ({
      ...one,
      sender: request.account ?? one.sender,
      isCounted: one.event.type !== 'complained' || complaints.has(one),
    }));
  await countFeedback(tx, { environmentId, reports });
  return {
    recorded: inserted.map(({ event }) => event),
    duplicates: runs.length - inserted.length,
    ignored: events.length - runs.length,
  };
}

/**
 * Records reported events about a channel's mails, and suppresses addresses in the same transaction. A repeated event
 * changes nothing, even after later changes. Events that belong to no run of this channel are ignored, and the caller
 * is not told why.
 */
export async function recordFeedback(
  deps: FeedbackDeps,
  request: FeedbackToRecord,
): Promise<RecordedFeedback> {
  const { environmentId, events } = request;
  const keys = events.some((event) => event.type === 'bounced' || causeOf(event))
    ? await deps.keys.get()
    : null;
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
