import { type BoundsRecord, BUILT_IN_ROLES, isBuiltInRole, withReads } from '@postrider/domain';
import { hexOf, inOrderOfHashes } from '../by-hash.ts';
import type { Queryable } from '../client.ts';

/** The tenants and environments, by their UUIDs, that a caller sees. */
export type Bounds = Omit<BoundsRecord, 'bounded'>;

/** An enabled operator when it was loaded. */
export interface OperatorSnapshot {
  readonly id: string;
  readonly email: string;
  /** With the `read` of each area. */
  readonly scopes: ReadonlySet<string>;
  /** Null: the whole installation. */
  readonly bounds: Bounds | null;
}

/** A token that was neither revoked nor expired, and whose operator was enabled, when it was loaded. */
export interface OperatorTokenSnapshot {
  readonly id: string;
  readonly name: string;
  /** Null for the token of a machine. */
  readonly operator: Pick<OperatorSnapshot, 'id' | 'email'> | null;
  readonly scopes: ReadonlySet<string>;
  readonly bounds: Bounds | null;
  /** The digest of the admin token with which it ends; null for most. */
  readonly adminDigest: Uint8Array | null;
  /** Its expiry in milliseconds of this process's monotonic clock; Infinity if it does not expire. */
  readonly expiresAt: number;
}

interface RightsRow {
  role: string | null;
  /** The scopes of the role, if it is one of the installation. */
  role_scopes: string[] | null;
  bounded: boolean;
  tenant_ids: string[];
  environment_ids: string[];
}

const boundsOf = (row: RightsRow): Bounds | null =>
  row.bounded ? { tenantIds: row.tenant_ids, environmentIds: row.environment_ids } : null;

function scopesOf({ role, role_scopes: own }: RightsRow): readonly string[] {
  if (role === null) return [];
  return isBuiltInRole(role) ? BUILT_IN_ROLES[role] : (own ?? []);
}

/** Finds enabled operators by their UUIDs, in the order of the ids; null for others. */
export async function loadOperators(
  db: Queryable,
  ids: readonly string[],
): Promise<(OperatorSnapshot | null)[]> {
  const rows = await db.$queryRaw<(RightsRow & { id: string; email: string })[]>`
    SELECT id, email, role, roles.scopes AS role_scopes, bounded, tenant_ids, environment_ids
      FROM operators LEFT JOIN roles ON roles.code = role
     WHERE id = ANY(${[...ids]}::uuid[]) AND disabled_at IS NULL`;
  const byId = new Map(
    rows.map((row) => [
      row.id,
      { id: row.id, email: row.email, scopes: withReads(scopesOf(row)), bounds: boundsOf(row) },
    ]),
  );
  return ids.map((id) => byId.get(id) ?? null);
}

interface TokenRow extends RightsRow {
  hash: string;
  id: string;
  name: string;
  scopes: string[];
  operator_id: string | null;
  admin_digest: Uint8Array | null;
  expires_in_ms: number | null;
}

/**
 * Finds valid tokens of operators and machines by the SHA-256 of their texts, in the order of the hashes; null for
 * others. Expiries are counted as those of tokens of environments are.
 */
export async function loadOperatorTokens(
  db: Queryable,
  hashes: readonly Uint8Array[],
  monotonicMs: () => number,
): Promise<(OperatorTokenSnapshot | null)[]> {
  const askedAt = monotonicMs();
  const rows = await db.$queryRaw<TokenRow[]>`
    SELECT encode(hash, 'hex') AS hash, token.id, token.name, token.scopes, operator_id, admin_digest, role,
           roles.scopes AS role_scopes, bounded, tenant_ids, environment_ids,
           (extract(epoch FROM expires_at - clock_timestamp()) * 1000)::float8 AS expires_in_ms
      FROM operator_tokens AS token LEFT JOIN roles ON roles.code = role
     WHERE hash IN (SELECT decode(text, 'hex') FROM unnest(${hexOf(hashes)}::text[]) AS text)
       AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())`;
  const operatorIds = rows.flatMap(({ operator_id: id }) => id ?? []);
  const operators = operatorIds.length > 0 ? await loadOperators(db, operatorIds) : [];
  const operatorById = new Map(operators.flatMap((operator) => (operator ? [[operator.id, operator]] : [])));
  const snapshots = await Promise.all(
    rows.map(async (row): Promise<[string, OperatorTokenSnapshot | null]> => {
      const operator = row.operator_id === null ? null : operatorById.get(row.operator_id);
      if (operator === undefined) return [row.hash, null];
      const { id, name, expires_in_ms: left } = row;
      const own = row.role === null ? row.scopes : scopesOf(row);
      const hasAll = row.role === null && row.scopes.length === 0;
      const rights = operator
        ? await cut(db, operator, hasAll ? null : own, boundsOf(row))
        : { scopes: withReads(own), bounds: boundsOf(row) };
      const expiresAt = left === null ? Number.POSITIVE_INFINITY : askedAt + left;
      return [row.hash, { id, name, operator, ...rights, adminDigest: row.admin_digest, expiresAt }];
    }),
  );
  return inOrderOfHashes(hashes, snapshots);
}

/** The rights of an operator that a token with these rights has. `scopes` null: all of the operator's. */
async function cut(
  db: Queryable,
  operator: OperatorSnapshot,
  scopes: readonly string[] | null,
  bounds: Bounds | null,
): Promise<Pick<OperatorSnapshot, 'scopes' | 'bounds'>> {
  const own = scopes && [...withReads(scopes)];
  return {
    scopes: own ? new Set(own.filter((scope) => operator.scopes.has(scope))) : operator.scopes,
    bounds:
      bounds && operator.bounds
        ? await commonBounds(db, bounds, operator.bounds)
        : (bounds ?? operator.bounds),
  };
}

/** What both see. An environment stays with its tenant, so the result holds for as long as the bounds do. */
async function commonBounds(db: Queryable, one: Bounds, other: Bounds): Promise<Bounds> {
  const ids = [...one.environmentIds, ...other.environmentIds];
  const rows = await db.$queryRaw<{ id: string; tenant_id: string }[]>`
    SELECT id, tenant_id FROM environments WHERE id = ANY(${ids}::uuid[])`;
  const sees = ({ tenantIds, environmentIds }: Bounds, row: { id: string; tenant_id: string }) =>
    tenantIds.includes(row.tenant_id) || environmentIds.includes(row.id);
  return {
    tenantIds: one.tenantIds.filter((id) => other.tenantIds.includes(id)),
    environmentIds: rows.filter((row) => sees(one, row) && sees(other, row)).map(({ id }) => id),
  };
}
