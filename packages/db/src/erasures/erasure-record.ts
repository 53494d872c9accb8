import { formatId, formatOptionalTime, formatTime, type JsonObject } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { type Page, type PageRequest, pageOf } from '../configure/change.ts';
import type { Erasure } from '../generated/client.ts';

export const ERASURE_STATUSES = ['pending', 'running', 'completed'] as const;

/** The erasure of one recipient's data. Ids are UUIDs. */
export interface ErasureRecord extends Omit<Erasure, 'status'> {
  readonly status: (typeof ERASURE_STATUSES)[number];
}

export function toErasure(row: Erasure): ErasureRecord {
  return { ...row, status: row.status as ErasureRecord['status'] };
}

/** An erasure as the API presents it and the audit log keeps it: without the address. */
export function presentErasure(erasure: ErasureRecord): JsonObject {
  return {
    id: formatId('era', erasure.id),
    environment_id: formatId('env', erasure.environmentId),
    status: erasure.status,
    recipient_sha256: erasure.recipientSha256,
    messages_erased: erasure.messagesErased,
    runs_cancelled: erasure.runsCancelled,
    created_at: formatTime(erasure.createdAt),
    started_at: formatOptionalTime(erasure.startedAt),
    completed_at: formatOptionalTime(erasure.completedAt),
  };
}

/** The erasure of this UUID, or null. */
export async function readErasure(db: Queryable, id: string): Promise<ErasureRecord | null> {
  const row = await db.erasure.findUnique({ where: { id } });
  return row && toErasure(row);
}

/** An environment's erasures, newest first. */
export async function listErasures(
  db: Queryable,
  { environmentId, after, limit }: PageRequest & { readonly environmentId: string },
): Promise<Page<ErasureRecord>> {
  const rows = await db.erasure.findMany({
    where: { environmentId, ...(after === null ? {} : { id: { lt: after } }) },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  return pageOf(rows.map(toErasure), limit, ({ id }) => id);
}
