import { formatId } from '@postrider/domain';
import { recordAudit } from '../configure/audit.ts';
import { type ConfigureDeps, inTransaction } from '../configure/change.ts';
import { recipientHash } from '../recipient-hash.ts';
import { type ErasureRecord, presentErasure, toErasure } from './erasure-record.ts';

export interface ErasureInput {
  readonly tenantId: string;
  readonly environmentId: string;
  /** Case matters before the `@` alone. */
  readonly recipientEmail: string;
}

/**
 * Asks for the erasure of a recipient's data in the messages that are there now; the workers carry it out. The audit
 * entry names the address by its hash alone.
 */
export function createErasure(deps: ConfigureDeps, input: ErasureInput): Promise<ErasureRecord> {
  const { tenantId, environmentId, recipientEmail } = input;
  return inTransaction(deps, async (tx) => {
    const [clock] = await tx.$queryRaw<{ now: Date }[]>`SELECT date_trunc('milliseconds', now()) AS now`;
    if (!clock) throw new Error('Postgres did not tell the time');
    const row = await tx.erasure.create({
      data: {
        id: deps.newId(),
        environmentId,
        status: 'pending',
        recipientEmail,
        recipientSha256: recipientHash(environmentId, recipientEmail),
        createdAt: clock.now,
      },
    });
    const erasure = toErasure(row);
    await recordAudit(tx, deps, {
      action: 'erasure.created',
      resourceId: formatId('era', erasure.id),
      tenantId,
      environmentId,
      before: null,
      after: presentErasure(erasure),
    });
    return erasure;
  });
}
