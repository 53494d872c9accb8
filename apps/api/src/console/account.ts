import {
  endConsoleSession,
  listConsoleSessions,
  lockOperatorToken,
  readOperator,
  revokeOperatorToken,
  type UnboundDatabase,
} from '@postrider/db';
import {
  conflict,
  formatId,
  formatOptionalTime,
  type IdSource,
  orRefusal,
  parseId,
  presentListedSession,
  presentOperator,
  reject,
} from '@postrider/domain';
import type { Request, Router } from 'express';
import { type Access, accessOfIntegrator, type OperatorAccess } from '../access/access.ts';
import type { ActorOf, Authenticate } from '../admin/authenticate.ts';
import { keepingAdministrator } from '../admin/operators/rights.ts';
import { noContent, ok, type Success, UNAUTHORIZED } from '../http/reply.ts';
import type { RequestContext } from '../http/request.ts';
import { mountResponders } from '../http/routes.ts';
import type { ConsoleSessions } from './sessions.ts';

/** An operator has a few sessions; more than these are not listed. */
const MAX_OWN_SESSIONS = 100;

interface AccountDeps {
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  readonly sessions: ConsoleSessions;
  readonly authenticate: Authenticate;
  /** Null if it is switched off. */
  readonly adminToken: string | null;
  readonly actorOf: ActorOf;
}

/**
 * What callers may see and end of their own, whatever their scopes are: as whom they are known, the token that they use, and the
 * sessions of the operator. See docs/console.md, "Sessions".
 */
export function createAccountRouter(deps: AccountDeps): Router {
  const { db, newId, sessions, authenticate, actorOf } = deps;

  /** The session of an integrator: it may do what the token may that opened it. Null without one. */
  async function integratorOf(http: Request): Promise<Success | null> {
    const session = await orRefusal(() => sessions.authenticate(http, 'integrator'));
    if ('refused' in session || session.tokenId === null || session.environmentId === null) return null;
    const access = accessOfIntegrator(session.tokenId, session.tokenScopes, session.id);
    return ok({
      name: session.actor,
      kind: 'environment_token',
      credential: formatId('ses', session.id),
      operator: null,
      ...rightsOf({ ...access, bounds: { tenantIds: [], environmentIds: [session.environmentId] } }),
      expires_at: null,
    });
  }

  async function whoAmI(http: Request, context: RequestContext): Promise<Success> {
    const integrator = await integratorOf(http);
    if (integrator) return integrator;
    const access = await authenticate(http, context);
    const { actor } = access;
    const operatorId = operatorOf(access);
    const operator = operatorId === null ? null : await readOperator(db, operatorId);
    const tokenId = parseId('otk', actor.credentialId ?? '');
    const token = tokenId === null ? null : await db.operatorToken.findFirst({ where: { id: tokenId } });
    return ok({
      name: actor.name,
      kind: actor.kind,
      credential: actor.credentialId,
      operator: operator && presentOperator(operator),
      ...rightsOf(access),
      expires_at: token ? formatOptionalTime(token.expiresAt) : null,
    });
  }

  /** RFC 7009 in spirit: who has a token may end it. */
  async function revokeToken(http: Request, context: RequestContext): Promise<Success> {
    const { actor } = await authenticate(http, context);
    const tokenId = parseId('otk', actor.credentialId ?? '');
    if (tokenId === null)
      reject(conflict('Only a token of an operator or a machine can be revoked like this.'));
    return keepingAdministrator(deps, async (tx) => {
      const token = await lockOperatorToken(tx, tokenId);
      if (token) await revokeOperatorToken(tx, { db, newId, actor }, token);
      return noContent();
    });
  }

  async function listOwn(http: Request): Promise<Success> {
    // Sessions of the admin token have no operator.
    const { operatorId } = await sessions.authenticate(http, 'operator');
    if (operatorId === null) reject(UNAUTHORIZED);
    const page = { after: null, limit: MAX_OWN_SESSIONS, operatorId };
    const { rows } = await listConsoleSessions(db, page);
    return ok({ data: rows.map(presentListedSession) });
  }

  async function endOwn(http: Request, context: RequestContext): Promise<Success> {
    const session = await sessions.authenticate(http, 'operator');
    const { operatorId } = session;
    const id = parseId('ses', String(http.params.session));
    const credentialId = formatId('ses', session.id);
    const actor = actorOf(http, context, { name: session.actor, kind: 'operator', credentialId });
    const isEnded =
      operatorId !== null && id !== null && (await endConsoleSession({ db, newId, actor }, id, operatorId));
    return isEnded ? noContent() : reject('console_session_not_found');
  }

  return mountResponders([
    { path: '/console/whoami', method: 'get', respond: whoAmI },
    { path: '/console/token', method: 'delete', respond: revokeToken },
    { path: '/console/sessions', method: 'get', respond: listOwn },
    { path: '/console/sessions/{session}', method: 'delete', respond: endOwn },
  ]);
}

const rightsOf = ({ scopes, bounds }: Pick<Access, 'scopes' | 'bounds'>) => ({
  scopes: [...scopes].filter((scope) => scope.includes(':')).sort(),
  tenants: bounds === null ? null : bounds.tenantIds.map((id) => formatId('ten', id)),
  environments: bounds === null ? null : bounds.environmentIds.map((id) => formatId('env', id)),
});

const operatorOf = ({ actor, callerId }: OperatorAccess): string | null =>
  actor.kind === 'operator' ? callerId : null;
