import type { JsonObject } from '@postrider/domain';
import type { Prisma, Queryable } from '../client.ts';
import { compose, joined, type SqlText, sql } from '../compose.ts';
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

const COLUMNS: Readonly<Record<EqualFilter, { readonly name: SqlText; readonly value: SqlText }>> = {
  environmentId: { name: sql`environment_id`, value: sql`:environmentId::uuid` },
  tenantId: { name: sql`tenant_id`, value: sql`:tenantId::uuid` },
  actor: { name: sql`actor`, value: sql`:actor::text` },
  action: { name: sql`action`, value: sql`:action::text` },
  resourceType: { name: sql`resource_type`, value: sql`:resourceType::text` },
  resourceId: { name: sql`resource_id`, value: sql`:resourceId::text` },
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
  const columns = [...index.map((field) => COLUMNS[field].name), sql`id`];
  const key = joined(
    index.map((field) => sql`${COLUMNS[field].value}, `),
    '',
  );
  const others = (Object.keys(COLUMNS) as EqualFilter[]).filter(
    (field) => equal[field] !== undefined && !index.includes(field),
  );
  const conditions = [
    sql`(${joined(columns)}) >= (${key}:oldest::uuid)`,
    sql`(${joined(columns)}) < (${key}LEAST(:newest::uuid, :after::uuid))`,
    ...others.map((field) => sql`${COLUMNS[field].name} = ${COLUMNS[field].value}`),
    ...(createdAfter ? [sql`created_at >= :createdAfter::timestamptz`] : []),
    ...(createdBefore ? [sql`created_at < :createdBefore::timestamptz`] : []),
    // Entries of a tenant are also those of its environments.
    ...(bounds
      ? [sql`(tenant_id = ANY(:tenantIds::uuid[]) OR environment_id = ANY(:environmentIds::uuid[]))`]
      : []),
  ];
  const order = columns.map((name) => sql`${name} DESC`);
  // The times decide; the ids only let the index find the entries.
  const oldest = createdAfter ? firstUuidAt(createdAfter.getTime() - CLOCKS_APART_MS) : BELOW_ALL_IDS;
  const newest = createdBefore ? firstUuidAt(createdBefore.getTime() + CLOCKS_APART_MS) : ABOVE_ALL_IDS;
  return compose(
    sql`
    SELECT id FROM audit_log WHERE ${joined(conditions, ' AND ')} ORDER BY ${joined(order)} LIMIT :limit`,
    { ...equal, createdAfter, createdBefore, ...bounds, oldest, newest, after, limit },
  );
}

/** Entries about event types contain their schemas. */
const SIZE: Measured = {
  table: 'audit_log',
  bytes: sql`${jsonBytes('before')} + ${jsonBytes('after')}`,
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
