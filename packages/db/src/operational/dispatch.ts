import {
  createTraceId,
  formatId,
  type IdPrefix,
  type JsonObject,
  type KindFacts,
  matchesEvent,
  type RetryPolicy,
  SERVICE_KINDS,
} from '@postrider/domain';
import { beginAccepting, draftRuns, runsToEnqueue } from '../accept/runs.ts';
import { type Creation, store } from '../accept/store.ts';
import type { RunToEnqueue } from '../accept/types.ts';
import type { Queryable, UnboundDatabase } from '../client.ts';
import type { Channel } from '../generated/client.ts';
import { EMPTY_FIELDS } from '../message-fields.ts';
import { inTransaction } from '../transactions/transaction.ts';

const LOCK_TIMEOUT_MS = 2_000;
/** Messages per statement. A transaction starts no further event after this many. */
const MAX_MESSAGES = 500;
const STORED_AT_ONCE = 100;
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

/**
 * The operational channels for an event: those of its environment, or of all environments of the tenant if the event
 * is about the tenant.
 */
async function channelsOf(
  tx: Queryable,
  { environment_id: id, type }: OpenEvent,
): Promise<(Channel & { tenantId: string })[]> {
  const { tenantId } = await tx.environment.findUniqueOrThrow({ where: { id }, select: { tenantId: true } });
  const where = type === 'quota.threshold' ? { environment: { tenantId } } : { environmentId: id };
  const channels = await tx.channel.findMany({
    where: { ...where, operational: true, enabled: true, deletedAt: null },
    orderBy: { id: 'asc' },
  });
  return channels
    .filter(({ eventKeys }) => matchesEvent(eventKeys, type))
    .map((channel) => ({ ...channel, tenantId }));
}

/** The messages of an event: one for each channel that has a recipient. */
async function draft(
  tx: Queryable,
  event: OpenEvent,
  { kinds, now }: { kinds: readonly KindFacts[]; now: Date },
): Promise<Creation[]> {
  const templates = new Map<string, string | null>();
  async function templateOf({ environmentId, kind }: Channel): Promise<string | null> {
    const key = `${environmentId} ${kind}`;
    const known = templates.get(key);
    if (known !== undefined) return known;
    const template = await tx.templateVersion.findFirst({
      where: { environmentId, eventKey: event.type, channelKind: kind, active: true },
      select: { id: true },
    });
    templates.set(key, template?.id ?? null);
    return template?.id ?? null;
  }

  const creations: Creation[] = [];
  for (const channel of await channelsOf(tx, event)) {
    const facts = kinds.find(({ kind }) => kind === channel.kind);
    const needsEmail = facts?.recipientFields.includes('email');
    if (!facts || (needsEmail && channel.operationalEmail === null)) continue;
    const { id, kind, name, environmentId, tenantId, paused } = channel;
    const { max_attempts: maxAttempts } = channel.retry as RetryPolicy;
    const run = {
      channel: { id, kind, name },
      templateVersionId: await templateOf(channel),
      maxAttempts,
      isHeld: paused,
    };
    const message = {
      ...EMPTY_FIELDS,
      eventKey: event.type,
      recipient: (needsEmail ? { email: channel.operationalEmail } : {}) as JsonObject,
      payload: presented(event.payload),
      traceId: createTraceId(),
      test: false,
      ignoreSuppression: true,
      operational: true,
    };
    const drafted = draftRuns([run], { now });
    creations.push({
      ...drafted,
      tenantId,
      environmentId,
      message,
      replay: 0,
      traceparent: null,
      response: null,
    });
  }
  return creations;
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
function nextEvents(tx: Queryable, limit: number): Promise<OpenEvent[]> {
  return tx.$queryRaw<OpenEvent[]>`
    WITH RECURSIVE waiting (environment_id) AS (
      (SELECT environment_id FROM operational_events WHERE dispatched_at IS NULL ORDER BY environment_id LIMIT 1)
      UNION ALL
      SELECT next.environment_id FROM waiting CROSS JOIN LATERAL (
        SELECT event.environment_id FROM operational_events event
         WHERE event.dispatched_at IS NULL AND event.environment_id > waiting.environment_id
         ORDER BY event.environment_id LIMIT 1) next
    ), turns AS MATERIALIZED (
      SELECT own.id, own.place FROM waiting CROSS JOIN LATERAL (
        SELECT event.id, row_number() OVER (ORDER BY event.id) AS place FROM operational_events event
         WHERE event.dispatched_at IS NULL AND event.environment_id = waiting.environment_id
         ORDER BY event.id LIMIT ${limit}) own
       ORDER BY own.place, own.id LIMIT ${limit})
    SELECT event.id, event.environment_id, event.type, event.payload
      FROM turns JOIN operational_events event ON event.id = turns.id
     WHERE event.dispatched_at IS NULL
     ORDER BY turns.place, turns.id FOR UPDATE OF event SKIP LOCKED`;
}

/**
 * Creates the messages of up to `limit` operational events. Returns how many events there were, the runs to enqueue,
 * and whether more events may wait. An event and its messages are one transaction, so an event is sent once, with any
 * number of workers and after any loss. No event is started after 500 messages, which limits the transaction.
 */
export async function dispatchOperationalEvents(
  { db, kinds = SERVICE_KINDS }: { readonly db: UnboundDatabase; readonly kinds?: readonly KindFacts[] },
  limit: number,
): Promise<{ readonly events: number; readonly runs: readonly RunToEnqueue[]; readonly hasMore: boolean }> {
  return inTransaction({ db }, async (tx) => {
    const events = await nextEvents(tx, limit);
    if (events.length === 0) return { events: 0, runs: [], hasMore: false };
    const now = await beginAccepting(tx, LOCK_TIMEOUT_MS);
    const creations: Creation[] = [];
    const sent: bigint[] = [];
    for (const event of events) {
      creations.push(...(await draft(tx, event, { kinds, now })));
      sent.push(event.id);
      if (creations.length >= MAX_MESSAGES) break;
    }
    await storeAll(tx, creations);
    await tx.$executeRaw`
      UPDATE operational_events SET dispatched_at = now() WHERE id = ANY(${sent}::int8[])`;
    const hasMore = sent.length < events.length || events.length === limit;
    return { events: sent.length, runs: creations.flatMap((creation) => runsToEnqueue(creation)), hasMore };
  });
}

/**
 * Removes those of the oldest `limit` events that were sent more than {@link KEPT_DAYS} days ago. Returns how many. Ids are in the
 * order of time, so examining the oldest ids is enough; a search by time would read every event.
 */
export function removeOldOperationalEvents(db: UnboundDatabase, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM operational_events WHERE id = ANY(ARRAY(
      SELECT event.id
        FROM (SELECT id FROM operational_events ORDER BY id LIMIT ${limit}) oldest
        JOIN operational_events event ON event.id = oldest.id
       WHERE event.dispatched_at < now() - make_interval(days => ${KEPT_DAYS}::int)
       ORDER BY event.id FOR UPDATE OF event SKIP LOCKED))`;
}
