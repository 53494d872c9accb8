import type { JsonObject } from '@postrider/domain';
import type { Prisma, Queryable } from '../client.ts';
import type { AuditedResource } from '../configure/audit.ts';
import { type Page, type PageRequest, pageOf } from '../configure/change.ts';

/**
 * One change, as it was written down. `id`, `tenantId` and `environmentId` are UUIDs, `resourceId` is public.
 */
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

/** What is looked for; undefined looks at everything. */
export interface AuditFilter {
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

function condition({ createdAfter, createdBefore, ...equal }: AuditFilter): Prisma.AuditEntryWhereInput {
  const asked = Object.entries(equal).filter(([, value]) => value !== undefined);
  const createdAt = {
    ...(createdAfter && { gte: createdAfter }),
    ...(createdBefore && { lt: createdBefore }),
  };
  return { ...Object.fromEntries(asked), createdAt };
}

/** A page of the audit log, newest first. */
export async function listAuditEntries(
  db: Queryable,
  { filter, after, limit }: PageRequest & { readonly filter: AuditFilter },
): Promise<Page<AuditEntryRecord>> {
  const rows = await db.auditEntry.findMany({
    where: { AND: [condition(filter), after === null ? {} : { id: { lt: after } }] },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const records = rows.map((row) => ({
    ...row,
    before: row.before as JsonObject | null,
    after: row.after as JsonObject | null,
  }));
  return pageOf(records, limit, ({ id }) => id);
}
