import { type ChannelRegistry, channelKinds } from '@postrider/channels';
import {
  createTraceId,
  formatId,
  type IdPrefix,
  type JsonObject,
  matchesEvent,
  type RetryPolicy,
} from '@postrider/domain';
import { beginAccepting, draftRuns, runsToEnqueue } from '../accept/runs.ts';
import { STEPS, store } from '../accept/store.ts';
import type { RunToEnqueue } from '../accept/types.ts';
import type { Queryable, UnboundDatabase } from '../client.ts';
import { inTransaction } from '../configure/change.ts';
import type { Channel } from '../generated/client.ts';
import { EMPTY_FIELDS } from '../message-fields.ts';

const LOCK_TIMEOUT_MS = 2_000;
/** Days for which it is remembered that an event was sent: longer than the longest time in which it could be reported again. */
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

/** Those that take the event: of its environment or, of an event of the tenant, of all of the tenant's. */
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

/** Makes the message of an event for one channel; null where the channel has nobody to send it to. */
async function send(
  tx: Queryable,
  event: OpenEvent,
  { channel, kinds }: { channel: Channel & { tenantId: string }; kinds: ChannelRegistry },
): Promise<RunToEnqueue[]> {
  const definition = kinds.find(channel.kind);
  const needsEmail = definition?.recipientFields.includes('email');
  if (!definition || (needsEmail && channel.operationalEmail === null)) return [];
  const { id, kind, name, environmentId, tenantId, paused } = channel;
  const { max_attempts: maxAttempts } = channel.retry as RetryPolicy;
  const template = await tx.templateVersion.findFirst({
    where: { environmentId, eventKey: event.type, channelKind: kind, active: true },
    select: { id: true },
  });
  const recipient: JsonObject = needsEmail ? { email: channel.operationalEmail } : {};
  const now = await beginAccepting(tx, LOCK_TIMEOUT_MS);
  const run = {
    channel: { id, kind, name },
    templateVersionId: template?.id ?? null,
    maxAttempts,
    isHeld: paused,
  };
  const drafted = draftRuns([run], { now });
  const message = {
    ...EMPTY_FIELDS,
    eventKey: event.type,
    recipient,
    payload: presented(event.payload),
    traceId: createTraceId(),
    test: false,
    ignoreSuppression: true,
    operational: true,
  };
  const creation = {
    ...drafted,
    tenantId,
    environmentId,
    message,
    replay: 0,
    traceparent: null,
    response: null,
  };
  await store(tx, [creation], { steps: STEPS.tests, lockTimeoutMs: LOCK_TIMEOUT_MS });
  return runsToEnqueue(drafted);
}

/**
 * Makes messages of up to `limit` operational events for the channels that take them, and returns how many there were and their runs, to be enqueued.
 * An event and its messages are one transaction: it is sent once, however many workers do this and whatever is lost.
 */
export async function dispatchOperationalEvents(
  { db, kinds = channelKinds }: { readonly db: UnboundDatabase; readonly kinds?: ChannelRegistry },
  limit: number,
): Promise<{ readonly events: number; readonly runs: readonly RunToEnqueue[] }> {
  return inTransaction({ db }, async (tx) => {
    const events = await tx.$queryRaw<OpenEvent[]>`
      SELECT id, environment_id, type, payload FROM operational_events
       WHERE dispatched_at IS NULL ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
    const runs: RunToEnqueue[] = [];
    for (const event of events) {
      for (const channel of await channelsOf(tx, event))
        runs.push(...(await send(tx, event, { channel, kinds })));
    }
    if (events.length > 0) {
      await tx.$executeRaw`
        UPDATE operational_events SET dispatched_at = now() WHERE id = ANY(${events.map(({ id }) => id)}::int8[])`;
    }
    return { events: events.length, runs };
  });
}

/** Forgets up to `limit` events that were sent long ago; returns how many. */
export function removeOldOperationalEvents(db: UnboundDatabase, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM operational_events WHERE id = ANY(ARRAY(
      SELECT id FROM operational_events WHERE dispatched_at < now() - make_interval(days => ${KEPT_DAYS}::int)
       ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
}
