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
  refuse,
} from '@postrider/domain';
import type { Request, Router } from 'express';
import { type Access, accessOfIntegrator, type OperatorAccess } from '../access/access.ts';
import type { ActorOf, Authenticate } from '../admin/authenticate.ts';
import { keepingAdministrator } from '../admin/operators/rights.ts';
import { noContent, ok, type Reply, UNAUTHORIZED } from '../http/reply.ts';
import type { RequestContext } from '../http/request.ts';
import { mountAnswers } from '../http/routes.ts';
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
  async function integratorOf(http: Request): Promise<Reply | null> {
    const session = await sessions.authenticate(http, 'integrator');
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

  async function whoAmI(http: Request, context: RequestContext): Promise<Reply> {
    const integrator = await integratorOf(http);
    if (integrator) return integrator;
    const access = await authenticate(http, context);
    if ('refused' in access) return access;
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
  async function revokeToken(http: Request, context: RequestContext): Promise<Reply> {
    const access = await authenticate(http, context);
    if ('refused' in access) return access;
    const { actor } = access;
    const tokenId = parseId('otk', actor.credentialId ?? '');
    if (tokenId === null)
      return conflict('Only a token of an operator or a machine can be revoked like this.');
    return orRefusal(() =>
      keepingAdministrator(deps, async (tx) => {
        const token = await lockOperatorToken(tx, tokenId);
        if (token) await revokeOperatorToken(tx, { db, newId, actor }, token);
        return noContent();
      }),
    );
  }

  /** The operator whose session a request has. Sessions of the admin token and of integrators have none. */
  async function ownerOf(http: Request): Promise<string | null> {
    const session = await sessions.authenticate(http, 'operator');
    return 'refused' in session ? null : session.operatorId;
  }

  async function listOwn(http: Request): Promise<Reply> {
    const operatorId = await ownerOf(http);
    if (operatorId === null) return UNAUTHORIZED;
    const page = { after: null, limit: MAX_OWN_SESSIONS, operatorId };
    const { rows } = await listConsoleSessions(db, page);
    return ok({ data: rows.map(presentListedSession) });
  }

  async function endOwn(http: Request, context: RequestContext): Promise<Reply> {
    const session = await sessions.authenticate(http, 'operator');
    if ('refused' in session) return session;
    const { operatorId } = session;
    const id = parseId('ses', String(http.params.session));
    const credentialId = formatId('ses', session.id);
    const actor = actorOf(http, context, { name: session.actor, kind: 'operator', credentialId });
    if ('refused' in actor) return actor;
    const isEnded =
      operatorId !== null && id !== null && (await endConsoleSession({ db, newId, actor }, id, operatorId));
    return isEnded ? noContent() : refuse('console_session_not_found');
  }

  return mountAnswers([
    { path: '/console/whoami', method: 'get', answer: whoAmI },
    { path: '/console/token', method: 'delete', answer: revokeToken },
    { path: '/console/sessions', method: 'get', answer: listOwn },
    { path: '/console/sessions/{session}', method: 'delete', answer: endOwn },
  ]);
}

const rightsOf = ({ scopes, bounds }: Pick<Access, 'scopes' | 'bounds'>) => ({
  scopes: [...scopes].filter((scope) => scope.includes(':')).sort(),
  tenants: bounds === null ? null : bounds.tenantIds.map((id) => formatId('ten', id)),
  environments: bounds === null ? null : bounds.environmentIds.map((id) => formatId('env', id)),
});

const operatorOf = ({ actor, callerId }: OperatorAccess): string | null =>
  actor.kind === 'operator' ? callerId : null;
