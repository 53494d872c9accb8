import type { JsonObject } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { ABOVE_ALL_IDS, BELOW_ALL_IDS, firstUuidAt } from '../first-id-at.ts';
import type { AuditEntry } from '../generated/client.ts';
import { fittingPage, jsonBytes, measureRows, type Page, type PageRequest, pageOf } from '../pages.ts';
import type { Bounds } from '../snapshot/access.ts';
import { defineStatement } from '../statement.ts';
import type { AuditedResource } from '../transactions/audit.ts';

/** One audited change. `id`, `tenantId` and `environmentId` are UUIDs, `resourceId` is public. */
export type AuditEntryRecord = Omit<AuditEntry, 'before' | 'after'> & {
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
};

/** The filter; an undefined field matches everything. */
interface AuditFilter {
  readonly tenantId?: string | undefined;
  readonly environmentId?: string | undefined;
  readonly resourceType?: AuditedResource | undefined;
  readonly resourceId?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** Inclusive. */
  readonly createdAfter?: Date | undefined;
  /** Exclusive. */
  readonly createdBefore?: Date | undefined;
}

/**
 * Ids are in the order of time, but by the clocks of processes and not by the database's, which dates entries: so far may
 * the two be apart, in milliseconds.
 */
const CLOCKS_APART_MS = 86_400_000;

/** The columns and types of the filters for equal values. */
const COLUMNS = {
  environmentId: { column: 'environment_id', type: 'uuid' },
  tenantId: { column: 'tenant_id', type: 'uuid' },
  actor: { column: 'actor', type: 'text' },
  action: { column: 'action', type: 'text' },
  resourceType: { column: 'resource_type', type: 'text' },
  resourceId: { column: 'resource_id', type: 'text' },
} as const;
type EqualFilter = keyof typeof COLUMNS;
const EQUAL_FILTERS = Object.keys(COLUMNS) as EqualFilter[];
const NO_FILTER = {
  ...Object.fromEntries(EQUAL_FILTERS.map((field) => [field, null])),
  createdAfter: null,
  createdBefore: null,
};

const NO_BOUNDS = { tenantIds: null, environmentIds: null };

const columnOf = (field: EqualFilter) => COLUMNS[field].column;
const parameterOf = (field: EqualFilter) => `:${field}::${COLUMNS[field].type}`;

/**
 * Reads the ids of a page, newest first, by the index of these fields and the id. It compares whole keys of the index, so that only
 * this one fits: with equality PostgreSQL may go through the ids of all entries, and reads nearly all to find few. A CASE hides
 * the other filters from the planner, which would expect no row and sort all entries.
 */
function defineSearch(fields: readonly EqualFilter[]) {
  const columns = [...fields.map(columnOf), 'id'];
  const keyWith = (id: string) => [...fields.map(parameterOf), id].join(', ');
  const others = EQUAL_FILTERS.filter((field) => !fields.includes(field));
  const find = defineStatement<object, { readonly id: string }>({
    // Entries of a tenant are also those of its environments.
    text: `
    SELECT id FROM audit_log
     WHERE (${columns.join(', ')}) >= (${keyWith(':oldest::uuid')})
       AND (${columns.join(', ')}) < (${keyWith('LEAST(:newest::uuid, :after::uuid)')})
       AND CASE WHEN
         ${others.map((field) => `(${parameterOf(field)} IS NULL OR ${columnOf(field)} = ${parameterOf(field)}) AND`).join(' ')}
         created_at >= COALESCE(:createdAfter::timestamptz, '-infinity')
         AND created_at < COALESCE(:createdBefore::timestamptz, 'infinity')
         AND (:tenantIds::uuid[] IS NULL OR tenant_id = ANY(:tenantIds::uuid[]) OR environment_id = ANY(:environmentIds::uuid[]))
           THEN true END
     ORDER BY ${columns.map((column) => `${column} DESC`).join(', ')} LIMIT :limit::int`,
  });
  return { fields, find };
}

/** By the indexes of the table, which end with the id, in the order in which they are preferred. */
const SEARCHES = [
  defineSearch(['resourceType', 'resourceId']),
  defineSearch(['environmentId']),
  defineSearch(['tenantId']),
  defineSearch(['actor']),
  defineSearch(['action']),
  defineSearch(['resourceType']),
];
const SEARCH_ALL = defineSearch([]);

interface Search extends PageRequest {
  readonly filter: AuditFilter;
  readonly bounds?: Bounds | null;
}

/** The ids of a page and one more. */
function findIds(
  db: Queryable,
  { filter, after, limit, bounds }: Search,
): Promise<{ readonly id: string }[]> {
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
  const { find } = SEARCHES.find(({ fields }) => fields.every((field) => field in given)) ?? SEARCH_ALL;
  const { createdAfter, createdBefore } = filter;
  return find(db, {
    ...NO_FILTER,
    ...given,
    ...(bounds ?? NO_BOUNDS),
    after,
    limit: limit + 1,
    // The times decide; the ids only let the index find the entries.
    oldest: createdAfter ? firstUuidAt(createdAfter.getTime() - CLOCKS_APART_MS) : BELOW_ALL_IDS,
    newest: createdBefore ? firstUuidAt(createdBefore.getTime() + CLOCKS_APART_MS) : ABOVE_ALL_IDS,
  });
}

/** Entries about event types contain their schemas. */
const SIZE = measureRows('audit_log', `${jsonBytes('before')} + ${jsonBytes('after')}`);

/** The entries with these ids, newest first. */
async function readEntries(
  db: Queryable,
  found: readonly { readonly id: string }[],
): Promise<AuditEntryRecord[]> {
  const ids = found.map(({ id }) => id);
  const rows = await db.auditEntry.findMany({ where: { id: { in: ids } }, orderBy: { id: 'desc' } });
  return rows as AuditEntryRecord[];
}

/** A page of the audit log, newest first. It ends before the entries exceed the size of a page. */
export async function listAuditEntries(db: Queryable, search: Search): Promise<Page<AuditEntryRecord>> {
  const all = pageOf(await findIds(db, search), search.limit, ({ id }) => id);
  const { rows, nextAfter } = await fittingPage(all, (asked) => SIZE(db, asked));
  return { rows: await readEntries(db, rows), nextAfter };
}

type ChainedEntryRecord = AuditEntryRecord & {
  readonly sequence: number;
  readonly hash: Uint8Array;
  readonly chainedAt: Date;
};

/**
 * A page of the chained entries after a sequence, in the order of the chain. It ends before the entries exceed the size of a page.
 * The sequence of an entry that was removed is missing.
 */
export async function listChainedEntries(
  db: Queryable,
  { after, limit }: PageRequest,
): Promise<Page<ChainedEntryRecord>> {
  const found = await db.auditLink.findMany({
    where: { sequence: { gt: BigInt(after ?? 0) } },
    orderBy: { sequence: 'asc' },
    take: limit + 1,
  });
  const links = found.map(({ entryId, sequence, ...link }) => ({
    ...link,
    id: entryId,
    sequence: Number(sequence),
  }));
  const positionOf = ({ sequence }: { readonly sequence: number }) => String(sequence);
  const page = await fittingPage(pageOf(links, limit, positionOf), (asked) => SIZE(db, asked), positionOf);
  const entries = new Map((await readEntries(db, page.rows)).map((entry) => [entry.id, entry]));
  const rows = page.rows.flatMap(({ id, sequence, hash, chainedAt }) => {
    const entry = entries.get(id);
    return entry ? [{ ...entry, sequence, hash, chainedAt }] : [];
  });
  return { rows, nextAfter: page.nextAfter };
}
