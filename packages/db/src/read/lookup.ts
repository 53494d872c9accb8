import type { MessageKey, MessageStatus } from '@postrider/domain';
import { Prisma, type UnboundDatabase } from '../client.ts';
import { addressCondition } from '../recipient-address.ts';
import type { Bounds } from '../snapshot/access.ts';
import { environmentsWithin } from './owner.ts';
import { type RunSummary, type RunsOfMessage, readRunsOfMessages } from './run-summaries.ts';

export const LOOKUP_TYPES = [
  ...(['message', 'delivery_run', 'attempt', 'request', 'trace', 'recipient'] as const),
  ...(['business_id', 'mail_id', 'id_end'] as const),
] as const;
type LookupType = (typeof LOOKUP_TYPES)[number];

/** A result of a lookup. Ids are UUIDs. */
export interface LookupResult {
  readonly type: LookupType;
  readonly tenantId: string;
  readonly tenantName: string;
  readonly environmentId: string;
  readonly environmentName: string;
  readonly messageId: string;
  readonly runId: string | null;
  readonly attemptNumber: number | null;
  readonly createdAt: Date;
  readonly eventKey: string;
  readonly recipientEmail: string | null;
  readonly status: MessageStatus;
  /** That of the found run, or of the first one of the message; null without runs. */
  readonly channel: RunSummary['channel'] | null;
  /** The business id that was found. */
  readonly key: MessageKey | null;
}

/** The subject of a lookup: a UUID of a type, or a text. */
export type Lookup =
  | { readonly type: 'message' | 'delivery_run' | 'attempt'; readonly id: string }
  | { readonly type: 'request' | 'trace' | 'recipient' | 'business_id' | 'mail_id'; readonly text: string }
  /** Messages that {@link findIdsByEnd} found. */
  | { readonly type: 'id_end'; readonly ids: readonly string[]; readonly environmentId: string };

/** The newest messages whose ids are compared by their ends, in an index alone: about 30 ms of work for PostgreSQL. */
export const MAX_ENDS = 100_000;

const MAX_LOOKUP_RESULTS = 50;
const UUID_BYTES = 16;

const NO_RUN = Prisma.raw('NULL::uuid AS run_id, NULL::int AS attempt_number');

/**
 * Rows of (environment_id, message_id, run_id, attempt_number). The key of a message starts with its environment, so
 * a lookup through an index per environment asks each environment.
 */
function matchesOf(lookup: Lookup, bounds: Bounds | null): Prisma.Sql {
  const limit = MAX_LOOKUP_RESULTS + 1;
  const isVisible = environmentsWithin(bounds, 'environment_id');
  switch (lookup.type) {
    case 'message':
      return Prisma.sql`
        SELECT environments.id AS environment_id, found.id AS message_id, ${NO_RUN} FROM environments
         CROSS JOIN LATERAL (SELECT id FROM messages WHERE environment_id = environments.id
                              AND id = ${lookup.id}::uuid) AS found`;
    case 'delivery_run':
      return Prisma.sql`
        SELECT environment_id, message_id, id AS run_id, NULL::int AS attempt_number FROM delivery_runs
         WHERE id = ${lookup.id}::uuid`;
    case 'attempt':
      return Prisma.sql`
        SELECT run.environment_id, run.message_id, run.id AS run_id, attempts.number AS attempt_number
          FROM attempts JOIN delivery_runs run ON run.id = attempts.run_id WHERE attempts.id = ${lookup.id}::uuid`;
    case 'request':
      return Prisma.sql`
        SELECT environment_id, id AS message_id, ${NO_RUN} FROM messages
         WHERE request_id = ${lookup.text} AND ${isVisible} ORDER BY id DESC LIMIT ${limit}`;
    case 'trace':
      return Prisma.sql`
        SELECT environment_id, id AS message_id, ${NO_RUN} FROM messages
         WHERE trace_id = ${lookup.text} AND ${isVisible} ORDER BY id DESC LIMIT ${limit}`;
    case 'mail_id':
      return Prisma.sql`
        SELECT run.environment_id, run.message_id, run.id AS run_id, attempt.number AS attempt_number
          FROM (SELECT run_id, number FROM attempts WHERE provider_message_id = ${lookup.text} LIMIT ${limit}) AS attempt
          JOIN delivery_runs run ON run.id = attempt.run_id WHERE ${isVisible}`;
    case 'business_id': {
      const value = lookup.text.toLowerCase();
      const range = (condition: Prisma.Sql) => Prisma.sql`
        SELECT environments.id AS environment_id, found.message_id, ${NO_RUN} FROM environments
         CROSS JOIN LATERAL (SELECT message_id FROM message_keys
                              WHERE environment_id = environments.id AND ${condition} LIMIT ${limit}) AS found
         WHERE ${environmentsWithin(bounds, 'environments.id')}`;
      return Prisma.sql`
        (${range(Prisma.sql`folded = ${value} ORDER BY message_id DESC`)})
        UNION (${range(Prisma.sql`folded >= ${value} AND folded <= ${`${value}\u{10ffff}`} ORDER BY folded`)})`;
    }
    case 'id_end':
      return Prisma.sql`
        SELECT ${lookup.environmentId}::uuid AS environment_id, id AS message_id, ${NO_RUN} FROM unnest(${[...lookup.ids]}::uuid[]) AS id`;
    case 'recipient':
      return Prisma.sql`
        SELECT environments.id AS environment_id, found.id AS message_id, ${NO_RUN} FROM environments
         CROSS JOIN LATERAL (SELECT id FROM message_recipients WHERE environment_id = environments.id AND ${addressCondition(lookup.text)}
                              ORDER BY id DESC LIMIT ${limit}) AS found`;
  }
}

/** The status of a message, and the channel of the found run or of its first. */
function aboutRuns(found: RunsOfMessage | undefined, runId: string | null) {
  const run = found?.runs.find(({ id }) => id === runId) ?? found?.runs[0];
  return { status: found?.status ?? ('unrouted' as const), channel: run?.channel ?? null };
}

/** The newest results in any environment, at most {@link MAX_LOOKUP_RESULTS}. */
export async function findByLookup(
  db: UnboundDatabase,
  lookup: Lookup,
  bounds: Bounds | null = null,
): Promise<{ readonly results: readonly LookupResult[]; readonly hasMore: boolean }> {
  const rows = await db.$queryRaw<Omit<LookupResult, 'type' | 'status' | 'channel'>[]>`
    WITH matched AS MATERIALIZED (SELECT * FROM (${matchesOf(lookup, bounds)}) AS found
                                 WHERE ${environmentsWithin(bounds, 'environment_id')}
                                ORDER BY message_id DESC LIMIT ${MAX_LOOKUP_RESULTS + 1})
    SELECT tenants.id AS "tenantId", tenants.name AS "tenantName", environments.id AS "environmentId",
           environments.name AS "environmentName", matched.message_id AS "messageId", matched.run_id AS "runId",
           matched.attempt_number AS "attemptNumber", messages.created_at AS "createdAt", messages.event_key AS "eventKey",
           messages.recipient_email AS "recipientEmail",
           (SELECT json_build_object('name', name, 'value', value) FROM message_keys
             WHERE ${lookup.type === 'business_id'} AND message_keys.environment_id = matched.environment_id
               AND message_keys.message_id = matched.message_id
               AND starts_with(folded, ${lookup.type === 'business_id' ? lookup.text.toLowerCase() : ''}) LIMIT 1) AS key
      FROM matched
      JOIN messages ON messages.environment_id = matched.environment_id AND messages.id = matched.message_id
      JOIN environments ON environments.id = matched.environment_id
      JOIN tenants ON tenants.id = environments.tenant_id
     ORDER BY matched.message_id DESC`;
  const shown = rows.slice(0, MAX_LOOKUP_RESULTS);
  const runsOf = new Map<string, (messageId: string) => RunsOfMessage>();
  for (const environmentId of new Set(shown.map((row) => row.environmentId))) {
    const own = shown.filter((row) => row.environmentId === environmentId);
    const messageIds = own.map(({ messageId }) => messageId);
    runsOf.set(environmentId, await readRunsOfMessages(db, { environmentId, messageIds }));
  }
  const results = shown.map((row) => ({
    ...row,
    type: lookup.type,
    ...aboutRuns(runsOf.get(row.environmentId)?.(row.messageId), row.runId),
  }));
  return { results, hasMore: rows.length > MAX_LOOKUP_RESULTS };
}

/**
 * The newest messages of an environment whose UUIDs end with these hexadecimal digits. If there is none, also the oldest message that
 * was compared; null if all of the environment were.
 */
export async function findIdsByEnd(
  db: UnboundDatabase,
  environmentId: string,
  end: string,
): Promise<{ readonly ids: readonly string[]; readonly oldest: string | null }> {
  // Whole bytes are compared first: to compare texts takes five times as long.
  const bytes = Buffer.from(end.slice(end.length % 2), 'hex');
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM (SELECT id FROM messages WHERE environment_id = ${environmentId}::uuid
                     ORDER BY id DESC LIMIT ${MAX_ENDS}) AS newest
     WHERE substring(uuid_send(id) FROM ${UUID_BYTES + 1 - bytes.length}::int) = ${bytes}
       AND right(id::text, ${end.length}::int) = ${end}
     LIMIT ${MAX_LOOKUP_RESULTS + 1}`;
  if (rows.length > 0) return { ids: rows.map(({ id }) => id), oldest: null };
  const [row] = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM messages WHERE environment_id = ${environmentId}::uuid
     ORDER BY id DESC OFFSET ${MAX_ENDS - 1} LIMIT 1`;
  return { ids: [], oldest: row?.id ?? null };
}
