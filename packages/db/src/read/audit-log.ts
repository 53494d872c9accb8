import type { JsonObject } from '@postrider/domain';
import { Prisma, type Queryable } from '../client.ts';
import { firstUuidAt } from '../first-id-at.ts';
import { firstThatFit, jsonBytes, type Measured, type Page, type PageRequest, pageOf } from '../pages.ts';
import type { AuditedResource } from '../transactions/audit.ts';

/** One audited change. `id`, `tenantId` and `environmentId` are UUIDs, `resourceId` is public. */
export interface AuditEntryRecord {
  readonly id: string;
  readonly actor: string;
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

/** Entries about event types contain their schemas. */
const SIZE: Measured = {
  table: Prisma.sql`audit_log`,
  condition: Prisma.sql`true`,
  bytes: Prisma.join([jsonBytes('before'), jsonBytes('after')], ' + '),
};

/** A page of the audit log, newest first. It ends before the entries exceed the size of a page. */
export async function listAuditEntries(
  db: Queryable,
  { filter, after, limit }: PageRequest & { readonly filter: AuditFilter },
): Promise<Page<AuditEntryRecord>> {
  const found = await db.auditEntry.findMany({
    where: { AND: [condition(filter), after === null ? {} : { id: { lt: after } }] },
    select: { id: true },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const page = pageOf(found, limit, ({ id }) => id);
  const all = page.rows.map(({ id }) => id);
  const ids = await firstThatFit(db, all, SIZE);
  const rows = await db.auditEntry.findMany({ where: { id: { in: [...ids] } }, orderBy: { id: 'desc' } });
  const records = rows.map((row) => ({
    ...row,
    before: row.before as JsonObject | null,
    after: row.after as JsonObject | null,
  }));
  return { rows: records, nextAfter: ids.length < all.length ? (ids.at(-1) ?? null) : page.nextAfter };
}
