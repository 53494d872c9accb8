import { Prisma, type UnboundDatabase } from '../client.ts';
import { addressConditions } from '../recipient-address.ts';
import type { Bounds } from '../snapshot/access.ts';
import { environmentsWithin } from './owner.ts';

export const LOOKUP_TYPES = ['message', 'delivery_run', 'attempt', 'request', 'trace', 'recipient'] as const;
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
}

/** The subject of a lookup: a UUID of a type, or a text. */
export type Lookup =
  | { readonly type: 'message' | 'delivery_run' | 'attempt'; readonly id: string }
  | { readonly type: 'request' | 'trace' | 'recipient'; readonly text: string };

/** The most results of one lookup. */
const MAX_LOOKUP_RESULTS = 50;

interface Row {
  tenant_id: string;
  tenant_name: string;
  environment_id: string;
  environment_name: string;
  message_id: string;
  run_id: string | null;
  attempt_number: number | null;
  created_at: Date;
  event_key: string;
  recipient_email: string | null;
}

const NO_RUN = Prisma.sql`NULL::uuid AS run_id, NULL::int AS attempt_number`;

/**
 * Rows of (environment_id, message_id, run_id, attempt_number). The key of a message starts with its environment, so
 * a lookup through an index per environment asks each environment.
 */
function matchesOf(lookup: Lookup, bounds: Bounds | null): Prisma.Sql {
  const limit = MAX_LOOKUP_RESULTS + 1;
  const isVisible = environmentsWithin(bounds, Prisma.sql`environment_id`);
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
    case 'recipient':
      return Prisma.join(
        addressConditions(lookup.text).map(
          (condition) => Prisma.sql`
            SELECT environments.id AS environment_id, found.id AS message_id, ${NO_RUN} FROM environments
             CROSS JOIN LATERAL (SELECT id FROM messages WHERE environment_id = environments.id AND ${condition}
                                  ORDER BY id DESC LIMIT ${limit}) AS found`,
        ),
        ' UNION ',
      );
  }
}

/** The newest results in any environment, at most {@link MAX_LOOKUP_RESULTS}. */
export async function findByLookup(
  db: UnboundDatabase,
  lookup: Lookup,
  bounds: Bounds | null = null,
): Promise<{ readonly results: readonly LookupResult[]; readonly hasMore: boolean }> {
  const rows = await db.$queryRaw<Row[]>`
    WITH matched AS MATERIALIZED (SELECT * FROM (${matchesOf(lookup, bounds)}) AS found
                                 WHERE ${environmentsWithin(bounds, Prisma.sql`environment_id`)}
                                ORDER BY message_id DESC LIMIT ${MAX_LOOKUP_RESULTS + 1})
    SELECT tenants.id AS tenant_id, tenants.name AS tenant_name, environments.id AS environment_id,
           environments.name AS environment_name, matched.message_id, matched.run_id, matched.attempt_number,
           messages.created_at, messages.event_key, messages.recipient_email
      FROM matched
      JOIN messages ON messages.environment_id = matched.environment_id AND messages.id = matched.message_id
      JOIN environments ON environments.id = matched.environment_id
      JOIN tenants ON tenants.id = environments.tenant_id
     ORDER BY matched.message_id DESC`;
  const results = rows.slice(0, MAX_LOOKUP_RESULTS).map((row) => ({
    type: lookup.type,
    tenantId: row.tenant_id,
    tenantName: row.tenant_name,
    environmentId: row.environment_id,
    environmentName: row.environment_name,
    messageId: row.message_id,
    runId: row.run_id,
    attemptNumber: row.attempt_number,
    createdAt: row.created_at,
    eventKey: row.event_key,
    recipientEmail: row.recipient_email,
  }));
  return { results, hasMore: rows.length > MAX_LOOKUP_RESULTS };
}
