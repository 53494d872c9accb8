import {
  addressHash,
  formatId,
  refuse,
  reject,
  type ServiceKeys,
  type SuppressionRecord,
  type SuppressionSource,
  suppressionForAudit,
} from '@postrider/domain';
import type { Queryable } from '../client.ts';
import type { Suppression } from '../generated/client.ts';
import { newestFirst, type Page, type PageRequest } from '../pages.ts';
import { auditRecorderOf, type ConfigureDeps, recordAudit } from '../transactions/audit.ts';
import { limitSuppressions } from '../transactions/self-service-limits.ts';
import { inTransaction } from '../transactions/transaction.ts';
import { addressBoundTo } from './service-keys.ts';
import { type NewSuppression, suppressAll } from './suppress.ts';

/** Converts a row. An address that cannot be decrypted is shown like an erased one; the entry stays in force. */
function toRecord({ addresses }: ServiceKeys, row: Suppression): SuppressionRecord {
  const { id, environmentId, sealedAddress, scope, reason, createdAt, expiresAt } = row;
  const decrypted = sealedAddress === null ? null : addresses.decrypt(sealedAddress, addressBoundTo(id));
  return {
    id,
    environmentId,
    email: decrypted?.ok ? decrypted.plaintext : null,
    scope,
    reason,
    source: row.source as SuppressionRecord['source'],
    createdAt,
    expiresAt,
  };
}

const record = auditRecorderOf(
  ({ id, environmentId }: SuppressionRecord) => ({ resourceId: formatId('sup', id), environmentId }),
  suppressionForAudit,
);

/** The entries of an environment, newest first; with `email` only those of this address. */
export async function listSuppressions(
  db: Queryable,
  keys: ServiceKeys,
  {
    environmentId,
    email,
    ...page
  }: PageRequest & { readonly environmentId: string; readonly email?: string | null | undefined },
): Promise<Page<SuppressionRecord>> {
  const ofAddress = email ? { addressHash: addressHash(keys.addressHash, environmentId, email) } : {};
  return newestFirst(page, async (id, query) => {
    const rows = await db.suppression.findMany({ where: { environmentId, ...ofAddress, id }, ...query });
    return rows.map((row) => toRecord(keys, row));
  });
}

/** The streams of an environment, in order: those of its event types, and those that have names. */
export async function listStreams(db: Queryable, environmentId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ stream: string }[]>`
    SELECT stream FROM event_types WHERE environment_id = ${environmentId}::uuid AND stream IS NOT NULL
     UNION
    SELECT jsonb_object_keys(stream_names) FROM environments WHERE id = ${environmentId}::uuid
     ORDER BY stream`;
  return rows.map(({ stream }) => stream);
}

/** A new entry of an environment's list. */
export type SuppressionInput = Omit<NewSuppression, 'environmentId' | 'addressHash' | 'email'> & {
  readonly email: string;
};

const RECIPIENTS_WISH = refuse('forbidden', {
  message: 'The recipient complained or unsubscribed: only an operator can remove this entry.',
});

type ListDeps = ConfigureDeps & { readonly keys: ServiceKeys };

/**
 * Adds entries to the list of an environment, and returns the new ones.
 * @throws RefusedError if there is no such environment
 */
async function addAll(
  tx: Queryable,
  deps: ListDeps,
  environmentId: string,
  entries: readonly SuppressionInput[],
): Promise<readonly NewSuppression[]> {
  if ((await tx.environment.count({ where: { id: environmentId } })) === 0) reject('environment_not_found');
  await limitSuppressions(tx, { ...deps, environmentId });
  const ofEnvironment = entries.map((entry) => ({ ...entry, environmentId }));
  return suppressAll(tx, deps, ofEnvironment);
}

/**
 * Adds one address to the list. If it is already there in this scope, it returns the existing entry unchanged.
 * @throws RefusedError if there is no such environment
 */
export function addSuppression(
  deps: ListDeps,
  { environmentId, ...entry }: SuppressionInput & { readonly environmentId: string },
): Promise<SuppressionRecord> {
  return inTransaction(deps, async (tx) => {
    const added = await addAll(tx, deps, environmentId, [entry]);
    const hash = addressHash(deps.keys.addressHash, environmentId, entry.email);
    const row = await tx.suppression.findFirstOrThrow({
      where: { environmentId, addressHash: hash, scope: entry.scope ?? 'all' },
    });
    const suppression = toRecord(deps.keys, row);
    if (added.length > 0)
      await record(tx, deps, { action: 'suppression.created', before: null, after: suppression });
    return suppression;
  });
}

/**
 * Adds up to a thousand addresses in one transaction, with one audit entry if any is new.
 * @throws RefusedError if there is no such environment
 */
export function importSuppressions(
  deps: ListDeps,
  {
    environmentId,
    entries,
  }: { readonly environmentId: string; readonly entries: readonly SuppressionInput[] },
): Promise<{ readonly added: number; readonly existing: number }> {
  return inTransaction(deps, async (tx) => {
    const added = await addAll(tx, deps, environmentId, entries);
    if (added.length > 0) {
      await recordAudit(tx, deps, {
        action: 'suppression.imported',
        resourceId: formatId('env', environmentId),
        environmentId,
        before: null,
        after: { added: added.length },
      });
    }
    return { added: added.length, existing: entries.length - added.length };
  });
}

/**
 * Removes an entry. False if there is none.
 * @throws RefusedError if it is of one of the sources in `keep`
 */
export function removeSuppression(
  deps: ListDeps,
  { id, keep = [] }: { readonly id: string; readonly keep?: readonly SuppressionSource[] },
): Promise<boolean> {
  return inTransaction(deps, async (tx) => {
    const [locked] = await tx.$queryRaw<{ source: SuppressionSource }[]>`
      SELECT source FROM suppressions WHERE id = ${id}::uuid FOR UPDATE`;
    if (!locked) return false;
    if (keep.includes(locked.source)) reject(RECIPIENTS_WISH);
    const row = await tx.suppression.delete({ where: { id } });
    const before = toRecord(deps.keys, row);
    await record(tx, deps, { action: 'suppression.deleted', before, after: null });
    return true;
  });
}
