import {
  type ChannelRecord,
  conflict,
  createTraceId,
  formatId,
  type JsonObject,
  type JsonValue,
  reject,
  retryLater,
} from '@postrider/domain';
import { lockChannel, readChannel, toChannelRecord } from '../channels/channel-record.ts';
import { readEntitlement } from '../channels/entitlement.ts';
import type { Queryable } from '../client.ts';
import { EMPTY_FIELDS } from '../message-fields.ts';
import { type ConfigureDeps, recordAudit } from '../transactions/audit.ts';
import { sinceId } from '../transactions/self-service-limits.ts';
import { beginAccepting, inTransaction } from '../transactions/transaction.ts';
import { IDEMPOTENCY_WAIT_MS } from './idempotency.ts';
import { store } from './ingest.ts';
import { type Creation, draftRuns, type RunWakeUp, wakeUpsOf } from './runs.ts';

/** A test is tried once, because it shows how the channel responds now. */
const TEST_ATTEMPTS = 1;

/** The most test sends within some seconds. They are not counted, so nothing else limits them. */
interface TestLimit {
  readonly count: number;
  readonly seconds: number;
  /** Whether it is of all consumers of an environment; otherwise of the environment's own channels, or of those of a consumer. */
  readonly ofAllConsumers: boolean;
}

const TEST_LIMITS: readonly TestLimit[] = [
  { count: 30, seconds: 60, ofAllConsumers: false },
  { count: 500, seconds: 86_400, ofAllConsumers: false },
  { count: 300, seconds: 60, ofAllConsumers: true },
  { count: 5_000, seconds: 86_400, ofAllConsumers: true },
];

/** The configuration that a test of a channel needs. */
export interface TestTarget {
  readonly channel: ChannelRecord;
  /** UUID of the active template version of the event key, or null. */
  readonly templateVersionId: string | null;
  /** The payload schema of the event key; null if it has none. */
  readonly payloadSchema: JsonValue;
}

/** Reads the current configuration, not a snapshot. Null if there is no such channel. */
export async function readTestTarget(
  db: Queryable,
  { channelId, eventKey }: { channelId: string; eventKey: string },
): Promise<TestTarget | null> {
  const channel = await readChannel(db, channelId);
  if (!channel) return null;
  const { environmentId, kind } = channel;
  const template = await db.templateVersion.findFirst({
    where: { environmentId, eventKey, channelKind: kind, active: true },
    select: { id: true },
  });
  const eventType = await db.eventType.findFirst({
    where: { environmentId, eventKey },
    select: { payloadSchema: true },
  });
  return {
    channel,
    templateVersionId: template?.id ?? null,
    payloadSchema: (eventType?.payloadSchema ?? null) as JsonValue,
  };
}

export interface TestSend {
  readonly channelId: string;
  readonly templateVersionId: string | null;
  readonly eventKey: string;
  readonly recipient: JsonObject;
  readonly payload: JsonObject;
}

interface AcceptedTest {
  readonly accepted: Pick<Creation, 'messageId' | 'runs'>;
  readonly wakeUps: readonly RunWakeUp[];
}

/** Seconds until another test of a channel may be sent; at most 0 if one may be sent now. */
async function secondsUntilTest(
  tx: Queryable,
  { environmentId, consumerId }: Pick<ChannelRecord, 'environmentId' | 'consumerId'>,
): Promise<number> {
  const limits = TEST_LIMITS.filter(({ ofAllConsumers }) => consumerId !== null || !ofAllConsumers);
  const longest = Math.max(...limits.map(({ seconds }) => seconds));
  const [row] = await tx.$queryRaw<{ seconds: number | null }[]>`
    SELECT max(ceil(extract(epoch FROM created_at - now()) + most.seconds)::int) AS seconds
      FROM unnest(${limits.map(({ count }) => count)}::int[], ${limits.map(({ seconds }) => seconds)}::int[],
                  ${limits.map(({ ofAllConsumers }) => ofAllConsumers)}::bool[]) AS most (count, seconds, of_all_consumers)
     CROSS JOIN LATERAL (SELECT created_at FROM messages
                          WHERE environment_id = ${environmentId}::uuid AND test AND id >= ${sinceId(longest)}
                            AND CASE WHEN most.of_all_consumers THEN consumer_id IS NOT NULL
                                     ELSE consumer_id IS NOT DISTINCT FROM ${consumerId} END
                          ORDER BY id DESC OFFSET most.count - 1 LIMIT 1) AS last`;
  return row?.seconds ?? 0;
}

/** Checks the limit of tests. Tests of one environment are serialised here, so the limit is exact. */
async function admit(tx: Queryable, channelId: string): Promise<ChannelRecord> {
  const locked = (await lockChannel(tx, channelId)) ?? reject('channel_not_found');
  const channel = toChannelRecord(locked.row);
  const { environmentId, kind } = channel;
  await tx.$queryRaw`SELECT FROM environments WHERE id = ${environmentId}::uuid FOR NO KEY UPDATE`;
  const entitlement = await readEntitlement(tx, environmentId);
  if (!entitlement?.channelKinds.includes(kind))
    reject(conflict('The plan of the tenant does not include channels of this kind.'));
  const seconds = await secondsUntilTest(tx, channel);
  if (seconds > 0) reject(retryLater('rate_limited', seconds));
  return channel;
}

/** The stream of an event key. */
async function streamOf(tx: Queryable, environmentId: string, eventKey: string): Promise<string | null> {
  const where = { environmentId_eventKey: { environmentId, eventKey } };
  return (await tx.eventType.findUnique({ where, select: { stream: true } }))?.stream ?? null;
}

/** A column of the run, so that a claim finds tests first. It is not one of the statement that every event needs. */
async function markTest(tx: Queryable, { runs }: Creation): Promise<void> {
  const ids = runs.map(({ id }) => id);
  await tx.$executeRaw`UPDATE delivery_runs SET test = true WHERE id = ANY (${ids}::uuid[])`;
}

/**
 * Accepts a test of one channel: a message marked as a test with one run, delivered like any other run. It is not
 * counted anywhere, and is also sent to a disabled channel.
 * @throws RefusedError if there is no such channel, its kind is not in the plan, or there are too many tests
 */
export async function acceptTestSend(deps: ConfigureDeps, send: TestSend): Promise<AcceptedTest> {
  const { requestId, traceId } = deps.actor;
  return inTransaction(deps, async (tx) => {
    const now = await beginAccepting(tx, IDEMPOTENCY_WAIT_MS);
    const channel = await admit(tx, send.channelId);
    const { environmentId } = channel;
    const { tenantId } = await tx.environment.findUniqueOrThrow({ where: { id: environmentId } });

    const { templateVersionId, channelId: _, ...event } = send;
    const accepted = draftRuns([{ channel, templateVersionId, maxAttempts: TEST_ATTEMPTS }], { now });
    const message = {
      ...EMPTY_FIELDS,
      ...event,
      requestId,
      traceId: traceId ?? createTraceId(),
      test: true,
      consumerId: channel.consumerId,
      stream: await streamOf(tx, environmentId, send.eventKey),
      ignoreSuppression: false,
    };
    const creation = { ...accepted, tenantId, environmentId, message };
    await store(tx, [creation], { as: 'tests', lockTimeoutMs: IDEMPOTENCY_WAIT_MS });
    await markTest(tx, creation);
    await recordAudit(tx, deps, {
      action: 'channel.test_sent',
      resourceId: formatId('chn', channel.id),
      environmentId,
      before: null,
      after: { message_id: formatId('msg', accepted.messageId), event_key: send.eventKey },
    });
    return { accepted, wakeUps: wakeUpsOf(creation) };
  });
}
