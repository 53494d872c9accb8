import {
  compileFilter,
  createTraceId,
  deriveMessageStatus,
  type EventFilter,
  type FilteredEvent,
  filterMeter,
  formatId,
  groupBy,
  type IdPrefix,
  type JsonObject,
  type KindFacts,
  matchesEvent,
  OUTCOME_EVENT_TYPES,
  type OutcomeEventType,
  type RetryPolicy,
  type RunOfMessage,
  SERVICE_KINDS,
  withinSteps,
} from '@postrider/domain';
import { store } from '../accept/ingest.ts';
import { type Creation, draftRuns, type RunWakeUp, wakeUpsOf } from '../accept/runs.ts';
import type { Queryable, UnboundDatabase } from '../client.ts';
import type { Channel } from '../generated/client.ts';
import { EMPTY_FIELDS } from '../message-fields.ts';
import { defineStatement, differentValues } from '../statement.ts';
import { emitOperational, type OperationalEvent, RUN_ENDED } from '../statements/emit.ts';
import { beginAccepting, inTransaction } from '../transactions/transaction.ts';
import { type ConsumerReport, consumerToTell, readContact, readMailsLeft } from './consumer-contact.ts';

const LOCK_TIMEOUT_MS = 2_000;
const COMPLETED: OutcomeEventType = 'message.completed';
/** Messages per statement. A transaction starts no further event after this many. */
const MAX_MESSAGES = 500;
const STORED_AT_ONCE = 100;
/** Events whose change happens once. They are removed when they are sent, because there can be one for each delivery. */
const HAPPEN_ONCE: readonly string[] = [
  ...OUTCOME_EVENT_TYPES.filter((type) => type !== COMPLETED),
  RUN_ENDED,
];
/** How many hours a sent `message.completed` is kept: longer than the ends of its runs can wait behind it. */
const COMPLETED_KEPT_HOURS = 1;
/** How many days a sent event is kept: longer than the same change can be reported again. */
const KEPT_DAYS = 40;

interface OpenEvent {
  id: bigint;
  environment_id: string;
  type: string;
  payload: JsonObject;
}

const PREFIXES: Readonly<Record<string, IdPrefix>> = {
  tenant_id: 'ten',
  environment_id: 'env',
  channel_id: 'chn',
  token_id: 'tok',
  message_id: 'msg',
  delivery_run_id: 'run',
  entry_id: 'aud',
};

/** The payload with public ids. */
function presented(payload: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => {
      const prefix = PREFIXES[name];
      return [name, prefix && typeof value === 'string' ? formatId(prefix, value) : value];
    }),
  );
}

type OperationalChannel = Channel & { readonly tenantId: string; readonly compiled: EventFilter | null };

/**
 * A stored filter. One that this release does not understand, because a newer one stored it, lets every event pass: an event
 * about the service is better sent once too often than lost.
 */
function storedFilter(filter: unknown): EventFilter | null {
  if (filter === null) return null;
  const compiled = compileFilter(filter as JsonObject, { isStored: true });
  return compiled.ok ? compiled.filter : null;
}

function passes({ compiled }: OperationalChannel, event: FilteredEvent): boolean {
  return compiled === null || withinSteps(() => compiled.holds(event, filterMeter(event)), true);
}

/** Reads channels and templates once for all events of a transaction. */
function createReader(tx: Queryable) {
  const known = new Map<string, Promise<unknown>>();
  function once<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
    const value = (known.get(key) as Promise<Value> | undefined) ?? read();
    known.set(key, value);
    return value;
  }
  const tenantOf = (id: string) =>
    once(`tenant ${id}`, () =>
      tx.environment.findUniqueOrThrow({ where: { id }, select: { tenantId: true } }),
    );
  return {
    /** The operational channels of an environment, or of all environments of its tenant. */
    channels: (environmentId: string, ofTenant: boolean) =>
      once(`channels ${environmentId} ${ofTenant}`, async (): Promise<OperationalChannel[]> => {
        const { tenantId } = await tenantOf(environmentId);
        const where = ofTenant ? { environment: { tenantId } } : { environmentId };
        const channels = await tx.channel.findMany({
          where: { ...where, operational: true, enabled: true, deletedAt: null },
          orderBy: { id: 'asc' },
        });
        return channels.map((channel) => ({ ...channel, tenantId, compiled: storedFilter(channel.filter) }));
      }),
    template: ({ environmentId, kind }: Channel, eventKey: string) =>
      once(`template ${environmentId} ${kind} ${eventKey}`, async () => {
        const template = await tx.templateVersion.findFirst({
          where: { environmentId, eventKey, channelKind: kind, active: true },
          select: { id: true },
        });
        return template?.id ?? null;
      }),
    contact: (report: ConsumerReport) => once(`contact ${report.channelId}`, () => readContact(tx, report)),
    /** Counted down by the caller. */
    mails: (environmentId: string, email: string) =>
      once(`mails ${environmentId} ${email}`, async () => ({
        left: await readMailsLeft(tx, environmentId, email),
      })),
  };
}

/**
 * Whom a channel writes to about an event: its address, or without one the contact of the consumer whose channel it is about. Null
 * for nobody. The suppression list applies to contacts, not to an address that an operator chose.
 */
async function recipientOf(
  reader: ReturnType<typeof createReader>,
  { environmentId, operationalEmail }: OperationalChannel,
  event: OpenEvent,
): Promise<{ readonly email: string; readonly ignoreSuppression: boolean } | null> {
  if (operationalEmail !== null) return { email: operationalEmail, ignoreSuppression: true };
  const report = consumerToTell(environmentId, event);
  const email = report && (await reader.contact(report));
  const mails = email && (await reader.mails(environmentId, email));
  if (!email || !mails || mails.left <= 0) return null;
  mails.left -= 1;
  return { email, ignoreSuppression: false };
}

/**
 * The operational channels that take an event: those of its environment, or of all environments of the tenant if the event
 * is about the tenant.
 */
async function channelsOf(
  reader: ReturnType<typeof createReader>,
  event: OpenEvent,
  payload: JsonObject,
): Promise<OperationalChannel[]> {
  const { environment_id: id, type } = event;
  const channels = await reader.channels(id, type === 'quota.threshold');
  const filtered = { event_key: type, recipient: {}, payload };
  return channels.filter((channel) => matchesEvent(channel.eventKeys, type) && passes(channel, filtered));
}

/** The messages of an event: one for each channel that has a recipient. */
async function draft(
  reader: ReturnType<typeof createReader>,
  event: OpenEvent,
  { kinds, now }: { kinds: readonly KindFacts[]; now: Date },
): Promise<Creation[]> {
  const payload = presented(event.payload);
  const creations: Creation[] = [];
  for (const channel of await channelsOf(reader, event, payload)) {
    const facts = kinds.find(({ kind }) => kind === channel.kind);
    const needsEmail = facts?.recipientFields.includes('email');
    const to = needsEmail ? await recipientOf(reader, channel, event) : null;
    if (!facts || (needsEmail && !to)) continue;
    const { id, kind, name, environmentId, tenantId, paused } = channel;
    const { max_attempts: maxAttempts } = channel.retry as RetryPolicy;
    const run = {
      channel: { id, kind, name },
      templateVersionId: await reader.template(channel, event.type),
      maxAttempts,
      isHeld: paused,
    };
    const message = {
      ...EMPTY_FIELDS,
      eventKey: event.type,
      recipient: (to ? { email: to.email } : {}) as JsonObject,
      payload,
      traceId: createTraceId(),
      test: false,
      ignoreSuppression: to?.ignoreSuppression ?? true,
      operational: true,
    };
    creations.push({ ...draftRuns([run], { now }), tenantId, environmentId, message });
  }
  return creations;
}

/** The rows of one run that has ended, with all runs of its message. */
interface RunOfEnded extends RunOfMessage {
  environment_id: string;
  message_id: string;
  event_key: string;
}

/**
 * Reports the messages of ended runs that are complete, once for each replay. Two runs of a message can end at the same time, and
 * neither statement sees the end of the other. So each end leaves a row ({@link RUN_ENDED}), and this looks at the message
 * after the commit of both. The key of the report makes it the only one.
 */
async function reportCompleted(tx: Queryable, ended: readonly OpenEvent[]): Promise<void> {
  if (ended.length === 0) return;
  const rows = await tx.$queryRaw<RunOfEnded[]>`
    SELECT message.environment_id, message.id AS message_id, message.event_key, run.channel_id AS "channelId", run.replay, run.status
      FROM (SELECT DISTINCT environment_id, message_id
              FROM unnest(${ended.map(({ environment_id }) => environment_id)}::uuid[],
                          ${ended.map(({ payload }) => String(payload.message_id))}::uuid[]) AS asked (environment_id, message_id)) AS asked
      JOIN messages message ON message.environment_id = asked.environment_id AND message.id = asked.message_id
      JOIN delivery_runs run ON run.environment_id = message.environment_id AND run.message_id = message.id`;
  const completed = [...groupBy(rows, (run) => run.message_id)].flatMap(([id, runs]): OperationalEvent[] => {
    const status = deriveMessageStatus(runs);
    const [{ environment_id: environmentId, event_key } = { environment_id: '', event_key: '' }] = runs;
    if (status === 'pending') return [];
    const replay = Math.max(...runs.map((run) => run.replay));
    const payload = { message_id: id, event_key, status, replay };
    return [{ environmentId, type: COMPLETED, payload, dedupeKey: `completed/${id}/${replay}` }];
  });
  await emitOperational(tx, ...completed);
}

/** Stores messages in statements of bounded size. */
async function storeAll(tx: Queryable, creations: readonly Creation[]): Promise<void> {
  for (let start = 0; start < creations.length; start += STORED_AT_ONCE) {
    const some = creations.slice(start, start + STORED_AT_ONCE);
    await store(tx, some, { as: 'tests', lockTimeoutMs: LOCK_TIMEOUT_MS });
  }
}

/**
 * The next events to send. Environments take turns: the oldest event of each, then the second of each. The query
 * skips from environment to environment in the index `operational_events_waiting`, so its cost does not depend on the
 * number of events.
 */
const nextEvents = defineStatement<{ readonly limit: number }, OpenEvent>({
  text: `
    WITH RECURSIVE ${differentValues('waiting', 'environment_id', 'operational_events WHERE dispatched_at IS NULL')},
    turns AS MATERIALIZED (
      SELECT own.id, own.place FROM waiting CROSS JOIN LATERAL (
        SELECT event.id, row_number() OVER (ORDER BY event.id) AS place FROM operational_events event
         WHERE event.dispatched_at IS NULL AND event.environment_id = waiting.environment_id
         ORDER BY event.id LIMIT :limit::int) own
       ORDER BY own.place, own.id LIMIT :limit::int)
    SELECT event.id, event.environment_id, event.type, event.payload
      FROM turns JOIN operational_events event ON event.id = turns.id
     WHERE event.dispatched_at IS NULL
     ORDER BY turns.place, turns.id FOR UPDATE OF event SKIP LOCKED`,
});

/**
 * Creates the messages of up to `limit` operational events. Returns how many events there were, the wake-ups for their runs,
 * and whether more events may wait. An event and its messages are one transaction, so an event is sent once, with any
 * number of workers and after any loss. No event is started after 500 messages, which limits the transaction.
 */
export async function dispatchOperationalEvents(
  { db, kinds = SERVICE_KINDS }: { readonly db: UnboundDatabase; readonly kinds?: readonly KindFacts[] },
  limit: number,
): Promise<{ readonly events: number; readonly wakeUps: readonly RunWakeUp[]; readonly hasMore: boolean }> {
  return inTransaction({ db }, async (tx) => {
    const events = await nextEvents(tx, { limit });
    if (events.length === 0) return { events: 0, wakeUps: [], hasMore: false };
    const now = await beginAccepting(tx, LOCK_TIMEOUT_MS);
    const reader = createReader(tx);
    const creations: Creation[] = [];
    const sent: OpenEvent[] = [];
    const ended: OpenEvent[] = [];
    for (const event of events) {
      sent.push(event);
      if (event.type === RUN_ENDED) ended.push(event);
      else creations.push(...(await draft(reader, event, { kinds, now })));
      if (creations.length >= MAX_MESSAGES) break;
    }
    await storeAll(tx, creations);
    await reportCompleted(tx, ended);
    const idsOf = (happenOnce: boolean) =>
      sent.filter(({ type }) => HAPPEN_ONCE.includes(type) === happenOnce).map(({ id }) => id);
    await tx.$executeRaw`
      UPDATE operational_events SET dispatched_at = now() WHERE id = ANY(${idsOf(false)}::int8[])`;
    if (idsOf(true).length > 0)
      await tx.$executeRaw`DELETE FROM operational_events WHERE id = ANY(${idsOf(true)}::int8[])`;
    const hasMore = sent.length < events.length || events.length === limit || ended.length > 0;
    return { events: sent.length, wakeUps: creations.flatMap((creation) => wakeUpsOf(creation)), hasMore };
  });
}

/**
 * Removes up to `limit` events `message.completed` that were sent more than {@link COMPLETED_KEPT_HOURS} hours ago, and those of
 * the oldest `limit` events that were sent more than {@link KEPT_DAYS} days ago. Returns how many. Ids are in the
 * order of time, so examining the oldest ids is enough; a search by time would read every event.
 */
export function removeOldOperationalEvents(db: UnboundDatabase, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM operational_events WHERE id = ANY(ARRAY(
      SELECT id FROM operational_events
       WHERE type = 'message.completed' AND dispatched_at < now() - make_interval(hours => ${COMPLETED_KEPT_HOURS}::int)
       ORDER BY dispatched_at LIMIT ${limit} FOR UPDATE SKIP LOCKED) || ARRAY(
      SELECT event.id
        FROM (SELECT id FROM operational_events ORDER BY id LIMIT ${limit}) oldest
        JOIN operational_events event ON event.id = oldest.id
       WHERE event.dispatched_at < now() - make_interval(days => ${KEPT_DAYS}::int)
       ORDER BY event.id FOR UPDATE OF event SKIP LOCKED))`;
}
