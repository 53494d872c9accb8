import { type ErasureRecord, formatId, presentErasure } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import type { Erasure } from '../generated/client.ts';
import { newestFirst, type Page, type PageRequest } from '../pages.ts';
import { erasedHash } from '../recipient-address.ts';
import { auditRecorderOf, type ConfigureDeps } from '../transactions/audit.ts';
import { inTransaction, timeOf } from '../transactions/transaction.ts';

/** Types a row as a record; the table's checks guarantee it. */
export const toErasure = (row: Erasure) => row as ErasureRecord & Erasure;

export const recordErasure = auditRecorderOf(
  ({ id, environmentId }: ErasureRecord) => ({ resourceId: formatId('era', id), environmentId }),
  presentErasure,
);

/** The erasure with this UUID, or null. */
export async function readErasure(db: Queryable, id: string): Promise<ErasureRecord | null> {
  const row = await db.erasure.findFirst({ where: { id } });
  return row && toErasure(row);
}

/** An environment's erasures, newest first. */
export async function listErasures(
  db: Queryable,
  { environmentId, ...page }: PageRequest & { readonly environmentId: string },
): Promise<Page<ErasureRecord>> {
  return newestFirst(page, async (id, query) =>
    (await db.erasure.findMany({ where: { environmentId, id }, ...query })).map(toErasure),
  );
}

interface ErasureInput {
  readonly environmentId: string;
  /** In any case; or else the id. */
  readonly recipientEmail?: string | undefined;
  /** The `id` of the recipient. */
  readonly recipientId?: string | undefined;
  /** All messages of this consumer. */
  readonly consumerId?: string | undefined;
}

/**
 * Requests the erasure of the data of a recipient or a consumer in the messages that exist now; the workers carry it out. The audit
 * entry only has a hash of the address or id.
 */
export function createErasure(deps: ConfigureDeps, input: ErasureInput): Promise<ErasureRecord> {
  const { environmentId, recipientEmail = null, recipientId = null, consumerId = null } = input;
  return inTransaction(deps, async (tx) => {
    const row = await tx.erasure.create({
      data: {
        id: deps.newId(),
        environmentId,
        status: 'pending',
        recipientEmail,
        recipientId,
        consumerId,
        recipientSha256: erasedHash(environmentId, { recipientEmail, recipientId, consumerId }),
        anyCase: recipientEmail !== null,
        createdAt: await timeOf(tx),
      },
    });
    const erasure = toErasure(row);
    await recordErasure(tx, deps, { action: 'erasure.created', before: null, after: erasure });
    return erasure;
  });
}

/** Erasures that are not completed, in random order, so that none is always last. */
export async function findOpenErasures(db: Queryable, limit: number): Promise<{ readonly id: string }[]> {
  return db.$queryRaw`
    SELECT id FROM erasures WHERE completed_at IS NULL ORDER BY random() LIMIT ${limit}`;
}
