import { BUILT_IN_ROLES, type BuiltInRole } from '../access.ts';
import { formatId } from '../ids.ts';
import { presentFields } from '../present.ts';
import type { JsonObject } from '../storable-json.ts';
import type { AnyToken } from './tenants.ts';

/** The tenants and environments, by their UUIDs, that an operator or a token sees; if it is not `bounded`, all. */
export interface BoundsRecord {
  readonly bounded: boolean;
  readonly tenantIds: readonly string[];
  readonly environmentIds: readonly string[];
}

/** Bounds in the API's form: null for none. */
function presentBounds({ bounded, tenantIds, environmentIds }: BoundsRecord): JsonObject {
  return {
    tenants: bounded ? tenantIds.map((id) => formatId('ten', id)) : null,
    environments: bounded ? environmentIds.map((id) => formatId('env', id)) : null,
  };
}

/** What an administrator sets of an operator. */
export interface OperatorInput extends BoundsRecord {
  readonly email: string;
  readonly name: string;
  /** The code of a role. */
  readonly role: string;
}

/** A person who operates the installation. `id` is a UUID. */
export interface OperatorRecord extends OperatorInput {
  readonly id: string;
  /** {@link LOCAL_SOURCE}, or the provider that keeps role and bounds up to date. */
  readonly source: string;
  readonly createdAt: Date;
  /** To the minute. */
  readonly lastSeenAt: Date | null;
  readonly disabledAt: Date | null;
}

/** The source of operators that administrators created. */
export const LOCAL_SOURCE = 'local';

/** The fields of an operator that an administrator changes, in the API's form. */
export function presentOperatorFields(operator: OperatorRecord): JsonObject {
  const { name, role, disabledAt } = operator;
  return { name, role, ...presentBounds(operator), enabled: disabledAt === null };
}

/** An operator as the API and the audit log show it. */
export function presentOperator(operator: OperatorRecord): JsonObject {
  return {
    ...presentFields(operator, ['id', 'email'], 'opr'),
    ...presentOperatorFields(operator),
    ...presentFields(operator, ['source', 'createdAt', 'lastSeenAt', 'disabledAt']),
  };
}

/**
 * A token for the management API, without its secret. With an `operatorId` its rights are the operator's current ones, cut by
 * its own. Ids are UUIDs.
 */
export interface OperatorTokenRecord extends AnyToken, BoundsRecord {
  readonly operatorId: string | null;
  /** The code of a role; null if the token has scopes, or all rights of its operator. */
  readonly role: string | null;
}

/** A token as the API and the audit log show it. */
export function presentOperatorToken(token: OperatorTokenRecord): JsonObject {
  return {
    ...presentFields(token, ['id', 'name', 'prefix', 'lastFour', 'operatorId', 'role', 'scopes'], 'otk'),
    ...presentBounds(token),
    ...presentFields(token, ['createdAt', 'expiresAt', 'lastUsedAt', 'revokedAt']),
  };
}

export interface Role {
  readonly code: string;
  readonly name: string;
  /** A newer release may have stored others than this one knows. */
  readonly scopes: readonly string[];
}

/** A role of the installation, or a built-in one, which has no times. */
export interface RoleRecord extends Role {
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
}

const NAMES: Readonly<Record<BuiltInRole, string>> = {
  viewer: 'Viewer',
  support: 'Support',
  developer: 'Developer',
  admin: 'Administrator',
};

export const BUILT_IN_ROLE_RECORDS: readonly RoleRecord[] = Object.entries(BUILT_IN_ROLES).map(
  ([code, scopes]) => ({ code, name: NAMES[code as BuiltInRole], scopes, createdAt: null, updatedAt: null }),
);

export function isBuiltInRole(code: string): code is BuiltInRole {
  return Object.hasOwn(BUILT_IN_ROLES, code);
}

/** A role as the API and the audit log show it. */
export function presentRole(role: RoleRecord): JsonObject {
  return {
    ...presentFields(role, ['code', 'name', 'scopes']),
    built_in: isBuiltInRole(role.code),
    ...presentFields(role, ['createdAt', 'updatedAt']),
  };
}
