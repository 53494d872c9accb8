import {
  hasAdministrator,
  inTransaction,
  lockRights,
  type Queryable,
  readCurrentAccess,
  readRole,
} from '@postrider/db';
import {
  ALL_SCOPES,
  type BoundsRecord,
  CONSUMER_SCOPES,
  conflict,
  type Detail,
  invalidValue,
  PLAN_CODE_PATTERN,
  parseId,
  refuse,
  reject,
  SCOPES,
  TOKEN_SCOPES,
  withReads,
} from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import {
  type Access,
  accessOfOperator,
  type OperatorAccess,
  requireScope,
  WHOLE_INSTALLATION,
} from '../../access/access.ts';
import { UNAUTHORIZED } from '../../http/reply.ts';
import type { AdminDeps, CallDeps } from '../operation.ts';

/** More would make each check of a bound slow. */
const MAX_BOUNDS = 500;

const SCOPE_TEXTS = ALL_SCOPES.map((scope) => `- \`${scope}\`: ${SCOPES[scope]}`).join('\n');

export const SCOPES_SCHEMA = {
  type: 'array',
  minItems: 1,
  maxItems: ALL_SCOPES.length,
  uniqueItems: true,
  items: { title: 'Scope', type: 'string', enum: [...ALL_SCOPES] },
  description: `What is allowed. Every action of an area includes its \`read\`.\n\n${SCOPE_TEXTS}`,
} as const satisfies SchemaObject;

export const ROLE_SCHEMA = {
  type: 'string',
  pattern: PLAN_CODE_PATTERN,
  description: 'The code of a role: `viewer`, `support`, `developer`, `admin`, or one of the installation.',
} as const satisfies SchemaObject;

const boundSchema = (what: string) =>
  ({
    type: ['array', 'null'],
    maxItems: MAX_BOUNDS,
    uniqueItems: true,
    items: { type: 'string', maxLength: 64 },
    default: null,
    description:
      `The ids of the ${what} that are visible. If \`tenants\` and \`environments\` are both null, everything ` +
      'is; otherwise only these environments and those of these tenants.',
  }) as const satisfies SchemaObject;

export const BOUNDS_SCHEMAS = {
  tenants: boundSchema('tenants'),
  environments: boundSchema('environments'),
} as const;

type BoundsBody = { readonly [Bound in keyof typeof BOUNDS_SCHEMAS]?: readonly string[] | null };

/** An id that no row has, for a text that is not an id. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

export function toBounds({ tenants = null, environments = null }: BoundsBody): BoundsRecord {
  return {
    bounded: tenants !== null || environments !== null,
    tenantIds: (tenants ?? []).map((text) => parseId('ten', text) ?? NOBODY),
    environmentIds: (environments ?? []).map((text) => parseId('env', text) ?? NOBODY),
  };
}

/** The scopes of a role, or these. */
export async function scopesOf(
  tx: Queryable,
  { role, scopes = [] }: { readonly role: string | null; readonly scopes?: readonly string[] },
): Promise<readonly string[]> {
  return role === null ? scopes : ((await readRole(tx, role))?.scopes ?? []);
}

/** Those of the scopes that the caller does not have. */
export const lackedScopes = ({ scopes: own }: Access, scopes: Iterable<string>): readonly string[] =>
  [...withReads(scopes)].filter(
    (scope) => (Object.hasOwn(SCOPES, scope) || Object.hasOwn(TOKEN_SCOPES, scope)) && !own.has(scope),
  );

/** Rejects rights that the caller does not have, and so cannot give or change. */
export function requireRights(access: Access, scopes: Iterable<string>): void {
  const lacked = lackedScopes(access, scopes).toSorted().join(', ');
  const message = `You can give and change only rights that you have yourself. You lack ${lacked}.`;
  if (lacked !== '') reject(refuse('forbidden', { message }));
}

/** The issues of scopes that the token or the session of a consumer cannot have. */
export const consumerScopeIssues = (scopes: readonly string[]): Detail[] =>
  scopes.flatMap((scope, index) =>
    (CONSUMER_SCOPES as readonly string[]).includes(scope)
      ? []
      : [invalidValue(`/scopes/${index}`, 'is not a scope of consumers')],
  );

/**
 * Locks the rights of everybody until the transaction ends, and returns the caller's current access: while the request waited for the
 * lock, somebody may have taken it away. Rejects a caller who could not begin the request any more.
 */
async function lockCaller(tx: Queryable, caller: OperatorAccess): Promise<OperatorAccess> {
  await lockRights(tx);
  const { actor, callerId, sessionId } = caller;
  // ADMIN_TOKEN itself.
  if (actor.credentialId === null) return caller;
  const current = (await readCurrentAccess(tx, actor.credentialId)) ?? reject(UNAUTHORIZED);
  if (current.rights === null) return caller;
  const now = accessOfOperator(actor, { ...current.rights, id: callerId }, sessionId);
  requireScope(now, 'operators:admin');
  return now.bounds === null ? now : reject(WHOLE_INSTALLATION);
}

const LAST_ADMINISTRATOR = conflict(
  'Nobody could manage operators any more, because ADMIN_TOKEN is off: give another operator without bounds a role with ' +
    'operators:admin first.',
);

/**
 * Runs a change that may take rights away, in a transaction and alone. It is undone and refused if nobody could administer the
 * installation any more and there is no admin token to repair it with.
 * @throws RefusedError
 */
export async function keepingAdministrator<Result>(
  { db, adminToken }: Pick<AdminDeps, 'db' | 'adminToken'>,
  change: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  return inTransaction({ db }, async (tx) => {
    await lockRights(tx);
    const before = adminToken === null && (await hasAdministrator(tx));
    const result = await change(tx);
    if (before && !(await hasAdministrator(tx))) reject(LAST_ADMINISTRATOR);
    return result;
  });
}

/** Runs a change of rights with what the caller may do now, see {@link keepingAdministrator}. */
export const changeRights = <Result>(
  request: OperatorAccess,
  deps: CallDeps,
  change: (tx: Queryable, caller: OperatorAccess) => Promise<Result>,
): Promise<Result> => keepingAdministrator(deps, async (tx) => change(tx, await lockCaller(tx, request)));
