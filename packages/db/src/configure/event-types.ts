import { isDeepStrictEqual } from 'node:util';
import {
  conflict,
  type Detail,
  type EventType,
  type EventTypeRecord,
  type EventTypeSummary,
  invalid,
  type JsonObject,
  MAX_PAYLOAD_SCHEMAS_BYTES,
  type PayloadSchemaIssue,
  presentEventType,
  reject,
} from '@postrider/domain';
import { Prisma, type Queryable } from '../client.ts';
import type { EventType as EventTypeRow } from '../generated/client.ts';
import { type Page, type PageRequest, pageOf } from '../pages.ts';
import { auditRecorderOf, type ConfigureDeps } from '../transactions/audit.ts';
import { limitEventTypes } from '../transactions/self-service-limits.ts';
import { inTransaction, timeOf } from '../transactions/transaction.ts';
import { lockEnvironment } from './environments.ts';

/** The event type in a request: transactional unless it has a stream. */
export type EventTypeInput = Omit<EventType, 'stream' | 'searchKeys'> &
  Partial<Pick<EventType, 'stream' | 'searchKeys'>>;

/** Types a row as a record; the table's checks guarantee it. */
export const toEventTypeRecord = (row: EventTypeRow) => row as EventTypeRecord;

const record = auditRecorderOf(
  ({ environmentId, eventKey }: EventTypeRecord) => ({ resourceId: eventKey, environmentId }),
  presentEventType,
);

/** The event type of a key, or null. An event key does not need one. */
export async function readEventType(
  db: Queryable,
  { environmentId, eventKey }: Pick<EventType, 'environmentId' | 'eventKey'>,
): Promise<EventTypeRecord | null> {
  const row = await db.eventType.findFirst({
    where: { environmentId, eventKey },
  });
  return row && toEventTypeRecord(row);
}

/** The event types of an environment, ordered by key, without their schemas. */
export async function listEventTypes(
  db: Queryable,
  { environmentId, after, limit }: PageRequest & { readonly environmentId: string },
): Promise<Page<EventTypeSummary>> {
  const rows = await db.$queryRaw<EventTypeSummary[]>`
    SELECT environment_id AS "environmentId", event_key AS "eventKey", description, stream, search_keys AS "searchKeys",
           created_at AS "createdAt", updated_at AS "updatedAt", payload_schema IS NOT NULL AS "hasPayloadSchema"
      FROM event_types
     WHERE environment_id = ${environmentId}::uuid AND event_key COLLATE "C" > ${after ?? ''}
     ORDER BY event_key COLLATE "C" LIMIT ${limit + 1}`;
  return pageOf(rows, limit, ({ eventKey }) => eventKey);
}

/** Whether all schemas and search keys of the environment stay within the size limit if these replace their predecessors. */
async function isWithinBound(
  tx: Queryable,
  { environmentId, eventKey, payloadSchema, searchKeys }: EventType,
): Promise<boolean> {
  const schema = payloadSchema === null ? '' : JSON.stringify(payloadSchema);
  const own = Buffer.byteLength(schema + searchKeys.join(''));
  if (own === 0) return true;
  const [others] = await tx.$queryRaw<{ bytes: bigint }[]>`
    SELECT COALESCE(sum(COALESCE(octet_length(payload_schema::text), 0) + octet_length(array_to_string(search_keys, ''))), 0) AS bytes
      FROM event_types WHERE environment_id = ${environmentId}::uuid AND event_key <> ${eventKey}`;
  return Number(others?.bytes ?? 0) + own <= MAX_PAYLOAD_SCHEMAS_BYTES;
}

const toEventType = ({ createdAt: _c, updatedAt: _u, ...eventType }: EventTypeRecord): EventType => eventType;

const toDetail = ({ path, message }: PayloadSchemaIssue): Detail => ({
  path: `/payload_schema${path}`,
  code: 'invalid_schema',
  message,
});

/** Imported when first needed: of the processes that load this package, only the API checks schemas. */
async function findSchemaIssues(schema: JsonObject): Promise<PayloadSchemaIssue[]> {
  const { checkPayloadSchema } = await import('@postrider/domain/payload-schema');
  return checkPayloadSchema(schema);
}

const TOO_MANY_SCHEMAS = conflict(
  `All payload schemas and search keys of an environment may have ${MAX_PAYLOAD_SCHEMAS_BYTES} bytes in total.`,
);

/**
 * Creates or changes the event type of a key. If nothing differs, it writes nothing.
 * @throws RefusedError if the schema is invalid, or all of the environment would exceed their size limit
 */
export async function putEventType(deps: ConfigureDeps, input: EventTypeInput): Promise<EventTypeRecord> {
  const eventType: EventType = { stream: null, searchKeys: [], ...input };
  const { environmentId, eventKey, description, payloadSchema, stream, searchKeys } = eventType;
  const issues = payloadSchema === null ? [] : await findSchemaIssues(payloadSchema);
  if (issues.length > 0) reject(invalid(issues.map(toDetail)));
  const values = {
    description,
    stream,
    searchKeys: [...searchKeys],
    payloadSchema: payloadSchema === null ? Prisma.DbNull : (payloadSchema as Prisma.InputJsonObject),
  };
  return inTransaction(deps, async (tx) => {
    if (!(await lockEnvironment(tx, environmentId))) reject('environment_not_found');
    const current = await readEventType(tx, eventType);
    if (current && isDeepStrictEqual(toEventType(current), eventType)) return current;
    if (!(await isWithinBound(tx, eventType))) reject(TOO_MANY_SCHEMAS);
    const row = await tx.eventType.upsert({
      where: { environmentId_eventKey: { environmentId, eventKey } },
      create: { environmentId, eventKey, ...values },
      update: { ...values, updatedAt: await timeOf(tx) },
    });
    const stored = toEventTypeRecord(row);
    await limitEventTypes(tx, { ...deps, environmentId });
    await record(tx, deps, { action: 'event_type.put', before: current, after: stored });
    return stored;
  });
}

/** Deletes the event type of a key: its payloads are not validated any more. False if there is none. */
export function deleteEventType(
  deps: ConfigureDeps,
  { environmentId, eventKey }: Pick<EventType, 'environmentId' | 'eventKey'>,
): Promise<boolean> {
  return inTransaction(deps, async (tx) => {
    const environment = await lockEnvironment(tx, environmentId);
    const current = environment && (await readEventType(tx, { environmentId, eventKey }));
    if (!current) return false;
    await tx.eventType.delete({ where: { environmentId_eventKey: { environmentId, eventKey } } });
    await record(tx, deps, { action: 'event_type.deleted', before: current, after: null });
    return true;
  });
}
