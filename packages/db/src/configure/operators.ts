import { isDeepStrictEqual } from 'node:util';
import {
  alreadyExists,
  formatId,
  type JsonObject,
  LOCAL_SOURCE,
  type OperatorInput,
  type OperatorRecord,
  presentOperator,
  reject,
} from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { newestFirst, type Page, type PageRequest } from '../pages.ts';
import { auditRecorderOf, type ConfigureDeps } from '../transactions/audit.ts';
import { lockRights } from './roles.ts';

/** The operator with this UUID, or null. */
export function readOperator(db: Queryable, id: string): Promise<OperatorRecord | null> {
  return db.operator.findFirst({ where: { id } });
}

/** Operators, newest first, including disabled ones. */
export function listOperators(db: Queryable, page: PageRequest): Promise<Page<OperatorRecord>> {
  return newestFirst(page, (id, query) => db.operator.findMany({ where: { id }, ...query }));
}

/** Writes a change of an operator to the audit log. When it was last seen is not part of one. */
export const recordOperator = auditRecorderOf(
  ({ id }: OperatorRecord) => ({ resourceId: formatId('opr', id) }),
  (operator) => {
    const { last_seen_at: _seen, ...shown } = presentOperator(operator);
    return shown as JsonObject;
  },
);

/** Whether an operator has the address, in any case. */
export async function isEmailTaken(
  tx: Queryable,
  email: string,
  exceptId: string | null = null,
): Promise<boolean> {
  const [taken] = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM operators WHERE lower(email) = lower(${email}) AND id IS DISTINCT FROM ${exceptId}::uuid`;
  return taken !== undefined;
}

const toData = ({ tenantIds, environmentIds, ...rest }: Omit<OperatorInput, 'email'>) => ({
  ...rest,
  tenantIds: [...tenantIds],
  environmentIds: [...environmentIds],
});

/**
 * Creates an operator. The transaction holds {@link lockRights}.
 * @throws RefusedError if another one has the email, in any case
 */
export async function createOperator(
  tx: Queryable,
  deps: ConfigureDeps,
  { email, ...input }: OperatorInput,
): Promise<OperatorRecord> {
  if (await isEmailTaken(tx, email)) reject(alreadyExists('/email'));
  const data = { ...toData(input), id: deps.newId(), email, source: LOCAL_SOURCE };
  const operator = await tx.operator.create({ data });
  await recordOperator(tx, deps, { action: 'operator.created', before: null, after: operator });
  return operator;
}

/** Like {@link readOperator}, and holds {@link lockRights} until the transaction ends. */
export async function lockOperator(tx: Queryable, id: string): Promise<OperatorRecord | null> {
  await lockRights(tx);
  return readOperator(tx, id);
}

/**
 * Changes an operator that the transaction has locked. If nothing differs, it writes nothing. A disabled operator has no
 * access from then on, with any session or token.
 */
export async function changeOperator(
  tx: Queryable,
  deps: ConfigureDeps,
  current: OperatorRecord,
  { enabled, ...next }: Omit<OperatorInput, 'email'> & { readonly enabled: boolean },
): Promise<OperatorRecord> {
  const { name, role, bounded, tenantIds, environmentIds } = current;
  const isSwitched = enabled !== (current.disabledAt === null);
  if (!isSwitched && isDeepStrictEqual(next, { name, role, bounded, tenantIds, environmentIds }))
    return current;
  const { id } = current;
  await tx.operator.update({ where: { id }, data: toData(next) });
  if (isSwitched) {
    await tx.$executeRaw`
      UPDATE operators SET disabled_at = CASE WHEN ${enabled} THEN NULL ELSE clock_timestamp() END
       WHERE id = ${id}::uuid`;
  }
  const operator = await tx.operator.findUniqueOrThrow({ where: { id } });
  await recordOperator(tx, deps, { action: 'operator.updated', before: current, after: operator });
  return operator;
}

/** Whether there is an enabled operator, or a token that was not revoked. */
export async function hasOperators(db: Queryable): Promise<boolean> {
  const enabled = await db.operator.findFirst({ where: { disabledAt: null }, select: { id: true } });
  return Boolean(
    enabled ?? (await db.operatorToken.findFirst({ where: { revokedAt: null }, select: { id: true } })),
  );
}
