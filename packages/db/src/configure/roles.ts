import { isDeepStrictEqual } from 'node:util';
import {
  alreadyExists,
  type BoundsRecord,
  BUILT_IN_ROLE_RECORDS,
  conflict,
  invalid,
  invalidValue,
  isBuiltInRole,
  presentRole,
  type Role,
  type RoleRecord,
  reject,
} from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { type Page, type PageRequest, pageOf } from '../pages.ts';
import { holdLock } from '../transactions/advisory-locks.ts';
import { auditRecorderOf, type ConfigureDeps } from '../transactions/audit.ts';
import { timeOf } from '../transactions/transaction.ts';

/** The most roles of an installation besides the built-in ones. */
export const MAX_ROLES = 100;

const record = auditRecorderOf(({ code }: RoleRecord) => ({ resourceId: code }), presentRole);

/** The role with this code, or null. */
export async function readRole(db: Queryable, code: string): Promise<RoleRecord | null> {
  if (isBuiltInRole(code)) return BUILT_IN_ROLE_RECORDS.find((role) => role.code === code) ?? null;
  return db.role.findFirst({ where: { code } });
}

/** The built-in roles and those of the installation, by code. */
export async function listRoles(db: Queryable, { after, limit }: PageRequest): Promise<Page<RoleRecord>> {
  const own = await db.role.findMany();
  const rows = [...BUILT_IN_ROLE_RECORDS, ...own]
    .filter(({ code }) => after === null || code > after)
    .sort((one, other) => (one.code < other.code ? -1 : 1));
  return pageOf(rows.slice(0, limit + 1), limit, ({ code }) => code);
}

/**
 * Creates a role. The codes of built-in roles are taken. The transaction holds {@link lockRights}.
 * @throws RefusedError if the code is taken, or there are too many roles
 */
export async function createRole(
  tx: Queryable,
  deps: ConfigureDeps,
  { scopes, ...role }: Role,
): Promise<RoleRecord> {
  if (isBuiltInRole(role.code)) reject(alreadyExists('/code'));
  if ((await tx.role.count()) >= MAX_ROLES)
    reject(conflict(`There are already ${MAX_ROLES} roles: delete one first.`));
  const data = { ...role, scopes: [...scopes] };
  const [created] = await tx.role.createManyAndReturn({ data: [data], skipDuplicates: true });
  if (!created) reject(alreadyExists('/code'));
  await record(tx, deps, { action: 'role.created', before: null, after: created });
  return created;
}

/** Like {@link readRole}, and locks a role of the installation until the transaction ends. */
export async function lockRole(tx: Queryable, code: string): Promise<RoleRecord | null> {
  await lockRights(tx);
  return readRole(tx, code);
}

/** Changes a role of the installation that the transaction has locked. If nothing differs, it writes nothing. */
export async function changeRole(
  tx: Queryable,
  deps: ConfigureDeps,
  current: RoleRecord,
  { name, scopes }: Omit<Role, 'code'>,
): Promise<RoleRecord> {
  const { code } = current;
  if (isDeepStrictEqual({ name, scopes }, { name: current.name, scopes: current.scopes })) return current;
  const role = await tx.role.update({
    where: { code },
    data: { name, scopes: [...scopes], updatedAt: await timeOf(tx) },
  });
  await record(tx, deps, { action: 'role.updated', before: current, after: role });
  return role;
}

/**
 * Deletes a role of the installation. False if there is none.
 * @throws RefusedError if operators or tokens that were not revoked have it
 */
export async function deleteRole(tx: Queryable, deps: ConfigureDeps, code: string): Promise<boolean> {
  const role = await lockRole(tx, code);
  if (!role) return false;
  const operators = await tx.operator.count({ where: { role: code } });
  const tokens = await tx.operatorToken.count({ where: { role: code, revokedAt: null } });
  if (operators + tokens > 0)
    reject(conflict('Operators or tokens have this role: give them another one first.'));
  await tx.role.delete({ where: { code } });
  await record(tx, deps, { action: 'role.deleted', before: role, after: null });
  return true;
}

/**
 * Locks the rights of operators, tokens and roles until the transaction ends. They change rarely, and a check such as
 * {@link hasAdministrator} depends on all of them.
 */
export const lockRights = (tx: Queryable): Promise<void> => holdLock(tx, 'rights');

/**
 * Whether somebody can still administer operators in the whole installation: an enabled operator, or the token of a
 * machine that does not expire. Call it after the change, which {@link lockRights} has locked.
 */
export async function hasAdministrator(tx: Queryable): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ found: boolean }[]>`
    WITH administering AS (
      SELECT code FROM roles WHERE 'operators:admin' = ANY(scopes)
      UNION ALL SELECT unnest(${ADMINISTERING_ROLES}::text[]))
    SELECT EXISTS (
        SELECT FROM operators WHERE disabled_at IS NULL AND NOT bounded AND role IN (SELECT code FROM administering))
      OR EXISTS (
        SELECT FROM operator_tokens
         WHERE revoked_at IS NULL AND expires_at IS NULL AND NOT bounded AND operator_id IS NULL
           AND ('operators:admin' = ANY(scopes) OR role IN (SELECT code FROM administering))) AS found`;
  return row?.found ?? false;
}

const ADMINISTERING_ROLES = BUILT_IN_ROLE_RECORDS.filter(({ scopes }) =>
  scopes.includes('operators:admin'),
).map(({ code }) => code);

/**
 * Requires that a role, and the tenants and environments of bounds, exist.
 * @throws RefusedError with the fields of a request that name others
 */
export async function requireKnown(
  tx: Queryable,
  { role, tenantIds, environmentIds }: BoundsRecord & { readonly role: string | null },
): Promise<void> {
  const idIn = (ids: readonly string[]) => ({ where: { id: { in: [...ids] } }, select: { id: true } });
  const found = [
    ...(await tx.tenant.findMany(idIn(tenantIds))),
    ...(await tx.environment.findMany(idIn(environmentIds))),
  ];
  const known = new Set(found.map(({ id }) => id));
  const unknown = (path: string, what: string) => invalidValue(path, `there is no such ${what}`);
  const missing = (ids: readonly string[], field: string, what: string) =>
    ids.flatMap((id, index) => (known.has(id) ? [] : [unknown(`/${field}/${index}`, what)]));
  const issues = [
    ...(role === null || (await readRole(tx, role)) ? [] : [unknown('/role', 'role')]),
    ...missing(tenantIds, 'tenants', 'tenant'),
    ...missing(environmentIds, 'environments', 'environment'),
  ];
  if (issues.length > 0) reject(invalid(issues));
}
