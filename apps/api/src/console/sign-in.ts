import {
  type ActorKind,
  endConsoleSession,
  openConsoleSession,
  redeemConsoleLink,
  SERVICE_ACTORS,
  type Snapshots,
  type UnboundDatabase,
  type UsableSession,
} from '@postrider/db';
import {
  type BucketRate,
  type ConsoleSessionRecord,
  formatId,
  formatTime,
  hashToken,
  type IdSource,
  invalid,
  invalidValue,
  isWellFormedToken,
  type JsonObject,
  refuse,
  reject,
  sha256,
  tokenLastFour,
  tokenPrefix,
} from '@postrider/domain';
import { clientOf, type OriginLookup } from '@postrider/listener';
import type { Request, Response, Router } from 'express';
import type { ActorOf } from '../admin/authenticate.ts';
import { createIsAdminToken, isActorName, isServiceActor } from '../admin/authenticate.ts';
import type { ByteLimit } from '../http/admission.ts';
import { created, noContent, ok, type Success, UNAUTHORIZED } from '../http/reply.ts';
import type { RequestContext } from '../http/request.ts';
import { mountResponders } from '../http/routes.ts';
import { type BodyOf, closedObject } from '../openapi/schema.ts';
import { compileBody, withRules } from '../validation/body.ts';
import { admitJson } from './body.ts';
import {
  createSecret,
  csrfTokenOf,
  isCsrfToken,
  isSameOrigin,
  SESSION_COOKIE,
  userAgentOf,
} from './cookie.ts';
import type { SignInLimits } from './limits.ts';
import { adminDigestOf, type ConsoleSessions } from './sessions.ts';

/** New sessions of a token, each of which adds a row and an audit entry: 20 at once, then one a minute. */
const SESSIONS_OF_TOKEN: BucketRate = { requestsPerSecond: 1 / 60, burst: 20 };
/** The actor of an operator without a name. */
const UNNAMED = 'console';

export interface SignInDeps {
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  readonly snapshots: Pick<Snapshots, 'token' | 'environment'>;
  readonly adminToken: string | null;
  readonly limits: SignInLimits;
  readonly bytesInFlight: ByteLimit;
  readonly sessions: ConsoleSessions;
  readonly originOf: OriginLookup;
  readonly actorOf: ActorOf;
  /** Where a browser signs out at the provider that confirmed its session; null if there is no such page. */
  readonly providerSignOut: (http: Request, session: UsableSession) => Promise<string | null>;
  /** The URL of a trace; null if there is none. */
  readonly traceUrlTemplate: string | null;
}

const BAD_ACTOR = invalid([
  invalidValue(
    '/actor',
    `must be 1 to 128 visible ASCII characters, and not one of ${SERVICE_ACTORS.join(', ')}`,
  ),
]);

const TEXT = { type: 'string', minLength: 1, maxLength: 1_024 } as const;
const ONE_OF_BOTH = {
  path: '',
  code: 'required',
  message: 'must have either a token or a link',
} as const;
const SIGN_IN_SCHEMA = closedObject([], { token: TEXT, link: TEXT, actor: TEXT });
type SignInBody = BodyOf<typeof SIGN_IN_SCHEMA>;
const validate = withRules(compileBody<SignInBody>(SIGN_IN_SCHEMA), [
  {
    reads: ['/token', '/link'],
    issuesOf: ({ token, link }) => ((token === undefined) === (link === undefined) ? [ONE_OF_BOTH] : []),
  },
]);

const kindOf = ({ role, operatorId }: ConsoleSessionRecord): ActorKind => {
  if (operatorId !== null) return 'operator';
  return role === 'operator' ? 'admin_token' : 'environment_token';
};

interface Opened {
  readonly session: ConsoleSessionRecord;
  readonly secret: string;
}

const CROSS_ORIGIN = refuse('forbidden', { message: 'Sign in from the page of this service.' });

/** What failed attempts with these credentials count against. A token is known by the parts that are shown of it. */
function accountOf({ token, link }: SignInBody): string {
  if (link !== undefined) return 'links';
  const text = token ?? '';
  return isWellFormedToken(text) ? `token ${tokenPrefix(text)} ${tokenLastFour(text)}` : 'admin token';
}

/** `/console/session`: signs in, shows the session, and signs out. See docs/console.md, "Sessions". */
export function createSignIn(deps: SignInDeps): Router {
  const { db, newId, snapshots, adminToken, sessions, limits, originOf, actorOf } = deps;
  const isAdminToken = createIsAdminToken(adminToken);

  async function present(session: ConsoleSessionRecord, secret: string, idle: Date): Promise<JsonObject> {
    const { environmentId } = session;
    const snapshot = environmentId === null ? null : await snapshots.environment(environmentId);
    return {
      id: formatId('ses', session.id),
      role: session.role,
      actor: session.actor,
      operator_id: session.operatorId && formatId('opr', session.operatorId),
      environment_id: environmentId && formatId('env', environmentId),
      environment_name: snapshot?.environment.name ?? null,
      tenant_id: snapshot && formatId('ten', snapshot.tenant.id),
      tenant_name: snapshot?.tenant.name ?? null,
      csrf_token: csrfTokenOf(secret),
      idle_expires_at: formatTime(idle),
      expires_at: formatTime(session.expiresAt),
      trace_url_template: deps.traceUrlTemplate,
    };
  }

  async function open(
    http: Request,
    context: RequestContext,
    body: SignInBody,
    replaces: readonly string[],
  ): Promise<Opened> {
    const secret = createSecret();
    const hash = sha256(secret);
    const name = body.actor ?? UNNAMED;
    if (isServiceActor(name) || !isActorName(name)) reject(BAD_ACTOR);
    const actor = actorOf(http, context, { name, kind: 'admin_token', credentialId: null });
    const ofOperator = { db, newId, actor };
    const opening = {
      hash,
      replaces,
      client: { address: originOf(http).address, userAgent: userAgentOf(http) },
    };
    const { token: text = '', link: code } = body;
    if (code !== undefined) {
      const adminDigest = adminToken === null ? null : adminDigestOf(adminToken);
      const link = { ...opening, linkHash: sha256(code), adminDigest };
      const session = await redeemConsoleLink(ofOperator, link);
      return session ? { session, secret } : reject(UNAUTHORIZED);
    }
    if (adminToken !== null && isAdminToken(text)) {
      const owner = { role: 'operator', adminDigest: adminDigestOf(adminToken) } as const;
      return { session: await openConsoleSession(ofOperator, { owner, ...opening }), secret };
    }
    // Also for a text that cannot be a token: the response takes as long for it as for an unknown or revoked one.
    const token = await snapshots.token(hashToken(text));
    // The console is for environments: a consumer has the portal.
    if (!token || token.consumerId !== null) reject(UNAUTHORIZED);
    await limits.take(`sessions of ${token.id}`, SESSIONS_OF_TOKEN, 'This token opens too many sessions');
    const owner = { role: 'integrator', environmentId: token.environmentId, tokenId: token.id } as const;
    const credentialId = formatId('tok', token.id);
    const ofToken = { ...actor, name: credentialId, kind: 'environment_token', credentialId } as const;
    const session = await openConsoleSession({ db, newId, actor: ofToken }, { owner, ...opening });
    return { session, secret };
  }

  async function signIn(http: Request, context: RequestContext, res: Response): Promise<Success> {
    const { address, isSecure } = originOf(http);
    if (!isSameOrigin(http)) reject(CROSS_ORIGIN);
    const client = clientOf(address);
    const owner = `sign-in ${client}`;
    const body = await admitJson(deps.bytesInFlight, { http, res, owner }, validate);
    const attempt = await limits.begin(client, accountOf(body));
    // The new cookie replaces that of these sessions, so that nobody could end them from this browser.
    const replaced = await sessions.of(http);
    const replacedIds = replaced.map(({ session }) => session.id);
    const opened = await open(http, context, body, replacedIds);
    await attempt.giveBack();
    for (const { secret } of replaced) sessions.forget(secret);
    const { session, secret } = opened;
    context.facts.actor = session.actor;
    const read = await sessions.find(secret);
    const shown = await present(session, secret, read?.idleExpiresAt ?? session.expiresAt);
    return { ...created(shown), headers: { 'Set-Cookie': SESSION_COOKIE.set(secret, isSecure) } };
  }

  async function show(http: Request): Promise<Success> {
    const [found] = isSameOrigin(http) ? await sessions.of(http) : [];
    if (!found) reject(UNAUTHORIZED);
    return ok(await present(found.session, found.secret, found.session.idleExpiresAt));
  }

  async function signOut(http: Request, context: RequestContext): Promise<Success> {
    const found = isSameOrigin(http) ? await sessions.of(http) : [];
    const [first] = found;
    if (!first) reject(UNAUTHORIZED);
    if (!isCsrfToken(first.secret, http.get('x-csrf-token'))) {
      reject(refuse('forbidden', { message: 'X-CSRF-Token is missing or wrong.' }));
    }
    // All of them, or the page would be signed in again by the next cookie.
    const elsewhere = await deps.providerSignOut(http, first.session);
    for (const { session, secret } of found) {
      const caller = {
        name: session.actor,
        kind: kindOf(session),
        credentialId: formatId('ses', session.id),
      } as const;
      const actor = actorOf(http, context, caller);
      await endConsoleSession({ db, newId, actor }, session.id);
      sessions.forget(secret);
    }
    const headers = { 'Set-Cookie': SESSION_COOKIE.remove(originOf(http).isSecure) };
    // The page then signs out at the provider, too.
    return { ...(elsewhere ? ok({ provider_sign_out_url: elsewhere }) : noContent()), headers };
  }

  const path = '/console/session';
  return mountResponders([
    { path, method: 'post', respond: signIn },
    { path, method: 'get', respond: show },
    { path, method: 'delete', respond: signOut },
  ]);
}
