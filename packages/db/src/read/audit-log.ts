import type { JsonObject } from '@postrider/domain';
import { Prisma, type Queryable } from '../client.ts';
import { firstUuidAt } from '../first-id-at.ts';
import { firstThatFit, jsonBytes, type Measured, type Page, type PageRequest, pageOf } from '../pages.ts';
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

/** The range of ids of the times lets an index find the entries; the times decide. */
function condition({ createdAfter, createdBefore, ...equal }: AuditFilter): Prisma.AuditEntryWhereInput {
  const asked = Object.entries(equal).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(asked),
    createdAt: {
      ...(createdAfter && { gte: createdAfter }),
      ...(createdBefore && { lt: createdBefore }),
    },
    id: {
      ...(createdAfter && { gte: firstUuidAt(createdAfter.getTime() - CLOCKS_APART_MS) }),
      ...(createdBefore && { lt: firstUuidAt(createdBefore.getTime() + CLOCKS_APART_MS) }),
    },
  };
}

/** Entries of a tenant are also those of its environments. */
const within = ({ tenantIds, environmentIds }: Bounds): Prisma.AuditEntryWhereInput => ({
  OR: [{ tenantId: { in: [...tenantIds] } }, { environmentId: { in: [...environmentIds] } }],
});

/** Entries about event types contain their schemas. */
const SIZE: Measured = {
  table: 'audit_log',
  bytes: Prisma.join([jsonBytes('before'), jsonBytes('after')], ' + '),
};

/** The entries with these ids, newest first. */
async function readEntries(db: Queryable, ids: readonly string[]): Promise<AuditEntryRecord[]> {
  const rows = await db.auditEntry.findMany({ where: { id: { in: [...ids] } }, orderBy: { id: 'desc' } });
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
  const found = await db.auditEntry.findMany({
    where: {
      AND: [condition(filter), bounds ? within(bounds) : {}, after === null ? {} : { id: { lt: after } }],
    },
    select: { id: true },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const page = pageOf(found, limit, ({ id }) => id);
  const all = page.rows.map(({ id }) => id);
  const ids = await firstThatFit(db, all, SIZE);
  const rows = await readEntries(db, ids);
  return { rows, nextAfter: ids.length < all.length ? (ids.at(-1) ?? null) : page.nextAfter };
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
  const page = pageOf(found, limit, ({ sequence }) => String(sequence));
  const ids = await firstThatFit(
    db,
    page.rows.map(({ entryId }) => entryId),
    SIZE,
  );
  const links = page.rows.slice(0, ids.length);
  const entries = new Map((await readEntries(db, ids)).map((entry) => [entry.id, entry]));
  const rows = links.flatMap(({ entryId, sequence, hash, chainedAt }) => {
    const entry = entries.get(entryId);
    return entry ? [{ ...entry, sequence: Number(sequence), hash, chainedAt }] : [];
  });
  const isWhole = links.length === page.rows.length;
  return { rows, nextAfter: isWhole ? page.nextAfter : String(links.at(-1)?.sequence) };
}
