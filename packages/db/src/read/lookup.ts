import { canonicalAddress, type MessageKey, type MessageStatus, type RunSummary } from '@postrider/domain';
import type { UnboundDatabase } from '../client.ts';
import { HAS_ADDRESS } from '../recipient-address.ts';
import type { Bounds } from '../snapshot/access.ts';
import { defineVisible } from './owner.ts';
import { type RunsOfMessage, readRunsOfMessages } from './run-summaries.ts';

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

const LIMIT = MAX_LOOKUP_RESULTS + 1;

const NO_RUN = 'NULL::uuid AS run_id, NULL::int AS attempt_number';
type IsVisible = (column: string) => string;
const messagesWith = (column: string) => (isVisible: IsVisible) =>
  `
        SELECT environment_id, id AS message_id, ${NO_RUN} FROM messages
         WHERE ${column} = :text AND ${isVisible('environment_id')} ORDER BY id DESC LIMIT ${LIMIT}`;
const keysWhere = (condition: string, isVisible: IsVisible) => `
        SELECT environments.id AS environment_id, found.message_id, ${NO_RUN} FROM environments
         CROSS JOIN LATERAL (SELECT message_id FROM message_keys
                              WHERE environment_id = environments.id AND ${condition} LIMIT ${LIMIT}) AS found
         WHERE ${isVisible('environments.id')}`;

/** @param found SQL of rows of (environment_id, message_id, run_id, attempt_number) */
const define = (found: (isVisible: IsVisible) => string) =>
  defineVisible<object, Omit<LookupResult, 'type' | 'status' | 'channel'>>(
    (isVisible) => `
    WITH matched AS MATERIALIZED (SELECT * FROM (${found(isVisible)}) AS found WHERE ${isVisible('environment_id')}
                                ORDER BY message_id DESC LIMIT ${LIMIT})
    SELECT tenants.id AS "tenantId", tenants.name AS "tenantName", environments.id AS "environmentId",
           environments.name AS "environmentName", matched.message_id AS "messageId", matched.run_id AS "runId",
           matched.attempt_number AS "attemptNumber", messages.created_at AS "createdAt", messages.event_key AS "eventKey",
           messages.recipient_email AS "recipientEmail",
           (SELECT json_build_object('name', name, 'value', value) FROM message_keys
             WHERE :isKey AND message_keys.environment_id = matched.environment_id
               AND message_keys.message_id = matched.message_id
               AND starts_with(folded, :folded) LIMIT 1) AS key
      FROM matched
      JOIN messages ON messages.environment_id = matched.environment_id AND messages.id = matched.message_id
      JOIN environments ON environments.id = matched.environment_id
      JOIN tenants ON tenants.id = environments.tenant_id
     ORDER BY matched.message_id DESC`,
  );

/** The key of a message starts with its environment, so a lookup through an index per environment asks each environment. */
const LOOKUPS: Readonly<Record<LookupType, ReturnType<typeof define>>> = {
  message: define(
    () => `
        SELECT environments.id AS environment_id, found.id AS message_id, ${NO_RUN} FROM environments
         CROSS JOIN LATERAL (SELECT id FROM messages WHERE environment_id = environments.id AND id = :id::uuid) AS found`,
  ),
  delivery_run: define(
    () => `
        SELECT environment_id, message_id, id AS run_id, NULL::int AS attempt_number FROM delivery_runs
         WHERE id = :id::uuid`,
  ),
  attempt: define(
    () => `
        SELECT run.environment_id, run.message_id, run.id AS run_id, attempts.number AS attempt_number
          FROM attempts JOIN delivery_runs run ON run.id = attempts.run_id WHERE attempts.id = :id::uuid`,
  ),
  request: define(messagesWith('request_id')),
  trace: define(messagesWith('trace_id')),
  mail_id: define(
    (isVisible) => `
        SELECT run.environment_id, run.message_id, run.id AS run_id, attempt.number AS attempt_number
          FROM (SELECT run_id, number FROM attempts WHERE provider_message_id = :text LIMIT ${LIMIT}) AS attempt
          JOIN delivery_runs run ON run.id = attempt.run_id WHERE ${isVisible('environment_id')}`,
  ),
  business_id: define(
    (isVisible) => `
        (${keysWhere('folded = :folded ORDER BY message_id DESC', isVisible)})
        UNION (${keysWhere('folded >= :folded AND folded <= :lastFolded ORDER BY folded', isVisible)})`,
  ),
  id_end: define(
    () => `
        SELECT :environmentId::uuid AS environment_id, id AS message_id, ${NO_RUN} FROM unnest(:ids::uuid[]) AS id`,
  ),
  recipient: define(
    () => `
        SELECT environments.id AS environment_id, found.id AS message_id, ${NO_RUN} FROM environments
         CROSS JOIN LATERAL (SELECT id FROM message_recipients WHERE environment_id = environments.id AND ${HAS_ADDRESS}
                              ORDER BY id DESC LIMIT ${LIMIT}) AS found`,
  ),
};

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
  const asked = 'text' in lookup ? lookup.text : '';
  const folded = asked.toLowerCase();
  const keys = { isKey: lookup.type === 'business_id', folded, lastFolded: `${folded}\u{10ffff}` };
  const values = { ...lookup, ...keys, address: canonicalAddress(asked) };
  const rows = await LOOKUPS[lookup.type](db, bounds, values);
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
     LIMIT ${LIMIT}`;
  if (rows.length > 0) return { ids: rows.map(({ id }) => id), oldest: null };
  const [row] = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM messages WHERE environment_id = ${environmentId}::uuid
     ORDER BY id DESC OFFSET ${MAX_ENDS - 1} LIMIT 1`;
  return { ids: [], oldest: row?.id ?? null };
}
