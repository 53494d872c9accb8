import type { JsonObject } from '@postrider/domain';
import { Prisma, type Queryable } from '../client.ts';
import { ABOVE_ALL_IDS, BELOW_ALL_IDS, firstUuidAt } from '../first-id-at.ts';
import { fittingPage, jsonBytes, type Measured, type Page, type PageRequest, pageOf } from '../pages.ts';
import type { Bounds } from '../snapshot/access.ts';
import type { AuditedResource } from '../transactions/audit.ts';

/** One audited change. `id`, `tenantId` and `environmentId` are UUIDs, `resourceId` is public. */
export interface AuditEntryRecord {
  readonly id: string;
  readonly actor: string;
  /** Null for entries from before it was recorded, as the next two. */
  readonly actorKind: string | null;
  /** The public id of the token or session. */
  readonly credential: string | null;
  readonly address: string | null;
  readonly reason: string | null;
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly tenantId: string | null;
  readonly environmentId: string | null;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  readonly requestId: string | null;
  readonly traceId: string | null;
  readonly createdAt: Date;
}

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

type EqualFilter = Exclude<keyof AuditFilter, 'createdAfter' | 'createdBefore'>;

const COLUMNS: Readonly<Record<EqualFilter, { readonly name: string; readonly type: 'uuid' | 'text' }>> = {
  environmentId: { name: 'environment_id', type: 'uuid' },
  tenantId: { name: 'tenant_id', type: 'uuid' },
  actor: { name: 'actor', type: 'text' },
  action: { name: 'action', type: 'text' },
  resourceType: { name: 'resource_type', type: 'text' },
  resourceId: { name: 'resource_id', type: 'text' },
};

/** The indexes of the table, which end with the id, in the order in which a search prefers them. */
const INDEXES: readonly (readonly EqualFilter[])[] = [
  ['resourceType', 'resourceId'],
  ['environmentId'],
  ['tenantId'],
  ['actor'],
  ['action'],
  ['resourceType'],
];

/** A tuple of SQL expressions. */
const tuple = (parts: readonly Prisma.Sql[]) => Prisma.sql`(${Prisma.join([...parts])})`;

/**
 * The ids of a page, newest first. It compares whole keys of one index, so that only this index fits: with equality PostgreSQL
 * may go through the ids of all entries, and reads nearly all to find few.
 */
function pageOfIds(
  { createdAfter, createdBefore, ...equal }: AuditFilter,
  {
    after,
    limit,
    bounds,
  }: { readonly after: string | null; readonly limit: number; readonly bounds: Bounds | null },
): Prisma.Sql {
  const index = INDEXES.find((fields) => fields.every((field) => equal[field] !== undefined)) ?? [];
  const column = (field: EqualFilter) => Prisma.raw(COLUMNS[field].name);
  const value = (field: EqualFilter) => Prisma.sql`${equal[field]}::${Prisma.raw(COLUMNS[field].type)}`;
  const key = (id: Prisma.Sql) => tuple([...index.map(value), id]);
  const columns = [...index.map(column), Prisma.sql`id`];
  const others = Object.keys(COLUMNS).filter(
    (field): field is EqualFilter =>
      equal[field as EqualFilter] !== undefined && !index.includes(field as EqualFilter),
  );
  // The times decide; the ids only let the index find the entries.
  const oldest = createdAfter ? firstUuidAt(createdAfter.getTime() - CLOCKS_APART_MS) : BELOW_ALL_IDS;
  const newest = createdBefore ? firstUuidAt(createdBefore.getTime() + CLOCKS_APART_MS) : ABOVE_ALL_IDS;
  const conditions = [
    Prisma.sql`${tuple(columns)} >= ${key(Prisma.sql`${oldest}::uuid`)}`,
    Prisma.sql`${tuple(columns)} < ${key(Prisma.sql`LEAST(${newest}::uuid, ${after}::uuid)`)}`,
    ...others.map((field) => Prisma.sql`${column(field)} = ${value(field)}`),
    ...(createdAfter ? [Prisma.sql`created_at >= ${createdAfter}::timestamptz`] : []),
    ...(createdBefore ? [Prisma.sql`created_at < ${createdBefore}::timestamptz`] : []),
    // Entries of a tenant are also those of its environments.
    ...(bounds
      ? [
          Prisma.sql`(tenant_id = ANY(${bounds.tenantIds}::uuid[]) OR environment_id = ANY(${bounds.environmentIds}::uuid[]))`,
        ]
      : []),
  ];
  const order = columns.map((name) => Prisma.sql`${name} DESC`);
  return Prisma.sql`
    SELECT id FROM audit_log WHERE ${Prisma.join(conditions, ' AND ')} ORDER BY ${Prisma.join(order)} LIMIT ${limit}`;
}

/** Entries about event types contain their schemas. */
const SIZE: Measured = {
  table: 'audit_log',
  bytes: Prisma.join([jsonBytes('before'), jsonBytes('after')], ' + '),
};

/** The entries with these ids, newest first. */
async function readEntries(
  db: Queryable,
  found: readonly { readonly id: string }[],
): Promise<AuditEntryRecord[]> {
  const ids = found.map(({ id }) => id);
  const rows = await db.auditEntry.findMany({ where: { id: { in: ids } }, orderBy: { id: 'desc' } });
  return rows.map((row) => ({
    ...row,
    before: row.before as JsonObject | null,
    after: row.after as JsonObject | null,
  }));
}

/** A page of the audit log, newest first. It ends before the entries exceed the size of a page. */
export async function listAuditEntries(
  db: Queryable,
  {
    filter,
    after,
    limit,
    bounds = null,
  }: PageRequest & { readonly filter: AuditFilter; readonly bounds?: Bounds | null },
): Promise<Page<AuditEntryRecord>> {
  const found = await db.$queryRaw<{ id: string }[]>(pageOfIds(filter, { after, bounds, limit: limit + 1 }));
  const all = pageOf(found, limit, ({ id }) => id);
  const { rows, nextAfter } = await fittingPage(db, all, SIZE);
  return { rows: await readEntries(db, rows), nextAfter };
}

export interface ChainedEntryRecord extends AuditEntryRecord {
  readonly sequence: number;
  readonly hash: Uint8Array;
  readonly chainedAt: Date;
}

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
  const page = await fittingPage(db, pageOf(links, limit, positionOf), SIZE, positionOf);
  const entries = new Map((await readEntries(db, page.rows)).map((entry) => [entry.id, entry]));
  const rows = page.rows.flatMap(({ id, sequence, hash, chainedAt }) => {
    const entry = entries.get(id);
    return entry ? [{ ...entry, sequence, hash, chainedAt }] : [];
  });
  return { rows, nextAfter: page.nextAfter };
}
