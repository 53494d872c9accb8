import type { IncomingMessage } from 'node:http';
import {
  type Actor,
  type Bounds,
  type Database,
  isWithin,
  type OperatorSnapshot,
  type Queryable,
  type RecordUse,
  readEnvironment,
  readInEnvironments,
  readOwnedBatch,
  readOwner,
  type Snapshots,
  seesTenant,
  type UnboundDatabase,
} from '@postrider/db';
import {
  ALL_SCOPES,
  formatId,
  hashToken,
  isWellFormedToken,
  parseId,
  type Refusal,
  refuse,
  reject,
  type Scope,
  tokenScopes,
  withReads,
} from '@postrider/domain';
import type { Holder } from '@postrider/fairness';
import type { ConsoleSessions } from '../console/sessions.ts';
import { bearerToken, UNAUTHORIZED } from '../http/reply.ts';
import { headerOf } from '../http/request.ts';
import { concernsInstallation } from '../openapi/operation.ts';
import type { ApiRequest, FirstStage, OperationRequest, Stage } from '../pipeline/stage.ts';

/** The sender of a request and what it may do, whether it has a token or a session. */
export interface Access {
  /** With the `read` of each area. Also the rights of tokens that no operation needs, such as `ignore_suppression`. */
  readonly scopes: ReadonlySet<string>;
  /** Null for a caller that is not bound. The token of an environment has no other bound: the pipeline has only that one. */
  readonly bounds: Bounds | null;
  /** Null for the token of an environment. */
  readonly actor: Actor | null;
  /** The consumer that the caller is bound to, which sees nothing of another; null for all other callers. */
  readonly consumerId: string | null;
  /** The UUID of the session in the console; null without one. */
  readonly sessionId: string | null;
  /** Whose share of memory and connections the request uses, such as the UUID of a token. */
  readonly callerId: string;
}

/**
 * Whose share of memory and turns a caller of a consumer uses. All consumers of a tenant together have one, apart from the
 * tenant's, so that they cannot keep its events out; each is a part of it, whatever tokens it has.
 */
const shareOfConsumer = (tenantId: string, environmentId: string, consumerId: string) => ({
  owner: `consumers ${tenantId}`,
  part: `${environmentId} ${consumerId}`,
});

/**
 * The holder of expensive work for an environment: tenants take turns, and so do the environments of a tenant, and apart from
 * them its consumers.
 * @param consumerId of the caller
 */
export async function holderOf(
  db: UnboundDatabase,
  environmentId: string,
  consumerId: string | null = null,
): Promise<Required<Holder>> {
  const environment = await readEnvironment(db, environmentId);
  const owner = environment?.tenantId ?? environmentId;
  return consumerId === null
    ? { owner, part: environmentId }
    : shareOfConsumer(owner, environmentId, consumerId);
}

/** The access of a caller of the management API. */
export type OperatorAccess = Access & { readonly actor: Actor };

const EVERYTHING = withReads([...ALL_SCOPES, 'ignore_suppression']);

/** Access with ADMIN_TOKEN, or in a session that it opened. */
export function accessOfAdminToken(actor: Actor, sessionId: string | null): OperatorAccess {
  return {
    scopes: EVERYTHING,
    bounds: null,
    actor,
    consumerId: null,
    sessionId,
    callerId: sessionId ?? 'admin',
  };
}

/**
 * Access of an operator, or with the token of one or of a machine. Who may change the list of suppressed addresses may also
 * send to them.
 */
export function accessOfOperator(
  actor: Actor,
  { id, scopes, bounds }: Pick<OperatorSnapshot, 'id' | 'scopes' | 'bounds'>,
  sessionId: string | null,
): OperatorAccess {
  const all = scopes.has('suppressions:write') ? new Set([...scopes, 'ignore_suppression']) : scopes;
  return { scopes: all, bounds, actor, consumerId: null, sessionId, callerId: id };
}

/** Access with the token of an environment or of a consumer. `scopes` are those of its snapshot. */
function accessOfToken(id: string, scopes: ReadonlySet<string>, consumerId: string | null = null): Access {
  return { scopes, bounds: null, actor: null, consumerId, sessionId: null, callerId: id };
}

/** Access in the session of an integrator: that of the token, without rights that pages do not need. */
export function accessOfIntegrator(tokenId: string, stored: readonly string[], sessionId: string): Access {
  const scopes = tokenScopes(stored).filter((scope) => scope.includes(':'));
  return { ...accessOfToken(tokenId, withReads(scopes)), sessionId };
}

/** Whether a caller may see payloads, recipients and responses. */
export const seesContent = ({ scopes }: Pick<Access, 'scopes'>): boolean => scopes.has('messages:content');

/**
 * Refuses a caller without this scope (RFC 6750 section 3.1).
 * @throws RefusedError
 */
export function requireScope({ scopes }: Pick<Access, 'scopes'>, needed: Scope): void {
  if (!scopes.has(needed)) reject(REFUSALS.get(needed) ?? 'forbidden');
}

const NOT_FOR_CONSUMERS = refuse('forbidden', {
  message: 'Tokens of a consumer and sessions of its portal cannot call this.',
});

const REFUSALS: ReadonlyMap<Scope, Refusal> = new Map(
  ALL_SCOPES.map((scope) => [
    scope,
    refuse('forbidden', {
      message: `This requires the scope ${scope}.`,
      headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
    }),
  ]),
);

export interface ResolveEnvironmentDeps {
  readonly snapshots: Pick<Snapshots, 'token' | 'environment' | 'consumer' | 'drop'>;
  /** Called for each accepted token. */
  readonly recordUse: RecordUse;
  /** Sessions of integrators in the console; null if there are none. */
  readonly sessions: Pick<ConsoleSessions, 'authenticate'> | null;
}

/** The access with a token of this environment. */
type TokenAccess = Access & { readonly environmentId: string };

/**
 * The first stage: finds the environment and tenant of the token. A token with a wrong checksum is refused without a query. A
 * request without an Authorization header may have a console session, which represents its token. The token of a consumer that
 * is disabled or deleted is refused.
 */
export function createResolveEnvironmentFromToken({
  snapshots,
  recordUse,
  sessions,
}: ResolveEnvironmentDeps): FirstStage {
  async function ofSession(http: IncomingMessage): Promise<TokenAccess> {
    const session = (await sessions?.authenticate(http, 'integrator')) ?? reject(UNAUTHORIZED);
    const { tokenId, environmentId, tokenScopes } = session;
    if (!tokenId || !environmentId) reject(UNAUTHORIZED);
    return { ...accessOfIntegrator(tokenId, tokenScopes, session.id), environmentId };
  }

  async function ofToken(authorization: string): Promise<TokenAccess> {
    const text = bearerToken(authorization);
    if (text === undefined || !isWellFormedToken(text)) reject(UNAUTHORIZED);
    const token = (await snapshots.token(hashToken(text))) ?? reject(UNAUTHORIZED);
    const { environmentId, consumerId } = token;
    if (consumerId !== null) {
      const consumer = await snapshots.consumer({ environmentId, id: consumerId });
      if (!consumer?.enabled) reject(UNAUTHORIZED);
    }
    return { ...accessOfToken(token.id, token.scopes, consumerId), environmentId };
  }

  return async ({ http, context, operation }) => {
    const authorization = headerOf(http, 'authorization');
    const token = await (authorization === undefined ? ofSession(http) : ofToken(authorization));
    const { environmentId, ...access } = token;
    const snapshot = (await snapshots.environment(environmentId)) ?? reject(UNAUTHORIZED);
    recordUse('tokens', access.callerId);
    context.facts.tenant_id = formatId('ten', snapshot.tenant.id);
    context.facts.environment_id = formatId('env', snapshot.environment.id);
    const { tenant } = snapshot;
    const { callerId, consumerId } = access;
    if (consumerId !== null && !operation.forConsumers) reject(NOT_FOR_CONSUMERS);
    requireScope(access, operation.scope);
    const holder =
      consumerId === null
        ? { owner: tenant.id, part: callerId }
        : shareOfConsumer(tenant.id, environmentId, consumerId);
    return { ...access, snapshot, holder };
  };
}

type Owned = { readonly consumerId: string | null } | null;
type Find = (db: Queryable, environmentId: string, text: string) => Promise<Owned>;

const OWNER = { consumerId: true } as const;

/** Finds the consumer that owns a resource, by the name of its path parameter. */
const FIND_OWNER: Readonly<Record<string, Find>> = {
  consumer: async (_db, _environmentId, consumerId) => ({ consumerId }),
  async channelId(db, environmentId, text) {
    const id = parseId('chn', text);
    return id === null
      ? null
      : db.channel.findFirst({ where: { id, environmentId, deletedAt: null }, select: OWNER });
  },
  async deliveryRunId(db, environmentId, text) {
    const id = parseId('run', text);
    const run =
      id && (await db.deliveryRun.findFirst({ where: { id, environmentId }, select: { channelId: true } }));
    return run
      ? db.channel.findFirst({ where: { id: run.channelId, deletedAt: null }, select: OWNER })
      : null;
  },
  async replayId(db, environmentId, text) {
    const id = parseId('rpb', text);
    return id === null ? null : readOwnedBatch(db, { id, environmentId });
  },
};

/**
 * Empties the parameters of a path that the caller may not know of. The empty text is no id, so that the operation answers exactly as
 * for one that does not exist.
 */
async function hideUnseen(
  request: Pick<OperationRequest, 'params'>,
  isSeen: (name: string, text: string) => boolean | Promise<boolean>,
): Promise<void> {
  const visible: Record<string, string> = {};
  for (const [name, text] of Object.entries(request.params))
    visible[name] = (await isSeen(name, text)) ? text : '';
  request.params = visible;
}

/** Path parameters that every consumer may read. */
const SHARED: ReadonlySet<string> = new Set(['eventKey']);

/** For a caller of one consumer: hides each id in the path that is not of its own consumer, and those that nothing is known about. */
export function createHideOthers({ db }: { readonly db: Database }): Stage {
  function hideOthers(request: ApiRequest, consumerId: string): Promise<void> {
    const environmentId = request.snapshot.environment.id;
    return readInEnvironments(db, [environmentId], (tx) =>
      hideUnseen(
        request,
        async (name, text) =>
          SHARED.has(name) || (await FIND_OWNER[name]?.(tx, environmentId, text))?.consumerId === consumerId,
      ),
    );
  }

  return (request) => (request.consumerId === null ? undefined : hideOthers(request, request.consumerId));
}

/** The 403 for a caller with bounds, of what concerns no tenant. */
export const WHOLE_INSTALLATION = refuse('forbidden', {
  message:
    'This concerns the whole installation, but your access is limited to some tenants or environments.',
});

/**
 * For a caller with bounds: hides each id in the path that is outside of them, and from outsiders the operational channels.
 * @throws RefusedError for an operation on the whole installation
 */
export async function hideBeyondBounds(
  db: UnboundDatabase,
  request: Pick<OperationRequest, 'bounds' | 'operation' | 'params'> & { readonly isOutsider: boolean },
): Promise<void> {
  const { bounds, operation, isOutsider } = request;
  if (bounds === null) return;
  if (concernsInstallation(operation)) reject(WHOLE_INSTALLATION);

  await hideUnseen(request, async (name, text) => {
    const parameter = operation.parameters.find((each) => each.name === name);
    if (!parameter || !('parse' in parameter)) return true;
    const { owner, parse } = parameter;
    const id = parse(text);
    if (id === null || owner === 'environment of the path' || owner === 'installation') return true;
    // The names of a tenant are around those of its environments, but only the whole tenant can be changed.
    if (owner === 'tenant')
      return operation.method === 'get' ? seesTenant(db, bounds, id) : bounds.tenantIds.includes(id);
    const found = await readOwner(db, owner, id);
    return found !== null && isWithin(bounds, found) && !(isOutsider && found.isForOperators);
  });
}
