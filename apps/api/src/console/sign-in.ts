import {
  endConsoleSession,
  openConsoleSession,
  redeemConsoleLink,
  SERVICE_ACTORS,
  type Snapshots,
  type UnboundDatabase,
} from '@postrider/db';
import {
  type ConsoleSessionRecord,
  formatId,
  formatTime,
  hashToken,
  type IdSource,
  isWellFormedToken,
  type JsonObject,
} from '@postrider/domain';
import { clientOf, type OriginLookup } from '@postrider/listener';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { createIsAdminToken, isActorName, isServiceActor } from '../admin/authenticate.ts';
import { admitRequest, type BytesInFlight } from '../http/admission.ts';
import { receiveBytes } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import {
  created,
  noContent,
  ok,
  type Refusal,
  type Reply,
  refuse,
  send,
  UNAUTHORIZED,
} from '../http/reply.ts';
import { contextOf, type RequestContext } from '../http/request.ts';
import { methodNotAllowed, prepared } from '../http/routes.ts';
import { compileBody, invalid, parseBody, withRules } from '../validation/body.ts';
import { createAttempts, FAILURES, SESSIONS_OF_TOKEN } from './attempts.ts';
import {
  createSecret,
  csrfTokenOf,
  expiredCookie,
  isCsrfToken,
  isSameOrigin,
  isSecret,
  sessionCookie,
  sha256,
} from './cookie.ts';
import { adminDigestOf, type ConsoleSessions } from './sessions.ts';

/** More than any token or code needs. */
const MAX_SIGN_IN_BYTES = 4 * 1024;
/** The actor of an operator without a name. */
const UNNAMED = 'console';

export interface SignInDeps {
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  readonly snapshots: Pick<Snapshots, 'token' | 'environment'>;
  readonly adminToken: string | null;
  readonly monotonicNow: () => number;
  readonly bytesInFlight: BytesInFlight;
  readonly sessions: ConsoleSessions;
  readonly originOf: OriginLookup;
  /** The URL of a trace; null if there is none. */
  readonly traceUrlTemplate: string | null;
}

interface SignInBody {
  readonly token?: string;
  readonly link?: string;
  readonly actor?: string;
}

const BAD_ACTOR = invalid([
  {
    path: '/actor',
    code: 'invalid_value',
    message: `must be 1 to 128 visible ASCII characters, and not one of ${SERVICE_ACTORS.join(', ')}`,
  },
]);

const TEXT = { type: 'string', minLength: 1, maxLength: 1_024 } as const;
const ONE_OF_BOTH = {
  path: '',
  code: 'required',
  message: 'must have either a token or a link',
} as const;
const validate = withRules<SignInBody>(
  compileBody({
    type: 'object',
    additionalProperties: false,
    properties: { token: TEXT, link: TEXT, actor: TEXT },
  }),
  [
    {
      reads: ['/token', '/link'],
      issuesOf: ({ token, link }) => ((token === undefined) === (link === undefined) ? [ONE_OF_BOTH] : []),
    },
  ],
);

interface Opened {
  readonly session: ConsoleSessionRecord;
  readonly secret: string;
}

const CROSS_ORIGIN = refuse('forbidden', { message: 'Sign in from the page of this service.' });

function tooMany(what: string, retryAfterMs: number): Refusal {
  const retryAfter = String(Math.max(1, Math.ceil(retryAfterMs / 1_000)));
  return refuse('rate_limited', {
    message: `${what}: wait as long as Retry-After says.`,
    headers: { 'Retry-After': retryAfter },
  });
}

/** `/console/session`: signs in, shows the session, and signs out. See docs/console.md, "Sessions". */
export function createSignIn(deps: SignInDeps): Router {
  const { db, newId, snapshots, adminToken, sessions, originOf } = deps;
  const failures = createAttempts(FAILURES, deps.monotonicNow);
  const sessionsOfToken = createAttempts(SESSIONS_OF_TOKEN, deps.monotonicNow);
  const isAdminToken = adminToken === null ? () => false : createIsAdminToken(adminToken);

  async function present(session: ConsoleSessionRecord, secret: string, idle: Date): Promise<JsonObject> {
    const { environmentId } = session;
    const snapshot = environmentId === null ? null : await snapshots.environment(environmentId);
    return {
      id: formatId('ses', session.id),
      role: session.role,
      actor: session.actor,
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
    body: SignInBody,
    context: RequestContext,
    replaces: readonly string[],
  ): Promise<Opened | Refusal> {
    const secret = createSecret();
    const hash = sha256(secret);
    const { requestId, traceId } = context;
    const depsOf = (name: string) => ({ db, newId, actor: { name, requestId, traceId } });
    const name = body.actor ?? UNNAMED;
    if (isServiceActor(name) || !isActorName(name)) return BAD_ACTOR;
    const { token: text = '', link: code } = body;
    if (code !== undefined) {
      if (adminToken === null || !isSecret(code)) return UNAUTHORIZED;
      const link = { linkHash: sha256(code), hash, replaces, adminDigest: adminDigestOf(adminToken) };
      const session = await redeemConsoleLink(depsOf(name), link);
      return session ? { session, secret } : UNAUTHORIZED;
    }
    if (adminToken !== null && isAdminToken(text)) {
      const owner = { role: 'operator', adminDigest: adminDigestOf(adminToken) } as const;
      return { session: await openConsoleSession(depsOf(name), { owner, hash, replaces }), secret };
    }
    const token = isWellFormedToken(text) ? await snapshots.token(hashToken(text)) : null;
    if (!token) return UNAUTHORIZED;
    const attempt = sessionsOfToken(token.id);
    if (attempt.outcome === 'refused')
      return tooMany('This token opens too many sessions', attempt.retryAfterMs);
    const owner = { role: 'integrator', environmentId: token.environmentId, tokenId: token.id } as const;
    const session = await openConsoleSession(depsOf(formatId('tok', token.id)), { owner, hash, replaces });
    return { session, secret };
  }

  async function signIn(http: Request, context: RequestContext, res: Response): Promise<Reply> {
    const { address, isSecure } = originOf(http);
    if (!isSameOrigin(http)) return CROSS_ORIGIN;
    const holder = { owner: `sign-in ${clientOf(address)}` };
    const admitted = await admitRequest(deps.bytesInFlight, {
      http,
      res,
      holder,
      use: 'required',
      limit: MAX_SIGN_IN_BYTES,
    });
    if ('reply' in admitted) return admitted.reply;
    const attempt = failures(clientOf(address));
    if (attempt.outcome === 'refused') {
      return tooMany('Too many failed attempts to sign in', attempt.retryAfterMs);
    }
    const received = await receiveBytes(http, 'required', MAX_SIGN_IN_BYTES);
    if (received.outcome === 'refused') return received.refusal;
    const parsed = parseBody(received.bytes);
    if (parsed.outcome === 'refused') return parsed.refusal;
    const validated = validate(parsed.value);
    if (!('body' in validated)) return invalid(validated.issues);
    // The new cookie replaces that of these sessions, so that nobody could end them from this browser.
    const replaced = await sessions.of(http);
    const opened = await open(
      validated.body,
      context,
      replaced.map(({ session }) => session.id),
    );
    if ('refused' in opened) return opened;
    attempt.giveBack();
    for (const { secret } of replaced) sessions.forget(secret);
    const { session, secret } = opened;
    context.facts.actor = session.actor;
    const read = await sessions.find(secret);
    const body = await present(session, secret, read?.idleExpiresAt ?? session.expiresAt);
    return { ...created(body), headers: { 'Set-Cookie': sessionCookie(secret, isSecure) } };
  }

  async function show(http: Request): Promise<Reply> {
    const [found] = isSameOrigin(http) ? await sessions.of(http) : [];
    if (!found) return UNAUTHORIZED;
    return ok(await present(found.session, found.secret, found.session.idleExpiresAt));
  }

  async function signOut(http: Request, { requestId, traceId }: RequestContext): Promise<Reply> {
    const found = isSameOrigin(http) ? await sessions.of(http) : [];
    const [first] = found;
    if (!first) return UNAUTHORIZED;
    if (!isCsrfToken(first.secret, http.get('x-csrf-token'))) {
      return refuse('forbidden', { message: 'X-CSRF-Token is missing or wrong.' });
    }
    // All of them, or the page would be signed in again by the next cookie.
    for (const { session, secret } of found) {
      await endConsoleSession({ db, newId, actor: { name: session.actor, requestId, traceId } }, session.id);
      sessions.forget(secret);
    }
    return { ...noContent(), headers: { 'Set-Cookie': expiredCookie(originOf(http).isSecure) } };
  }

  const route =
    (answer: (http: Request, context: RequestContext, res: Response) => Promise<Reply>): RequestHandler =>
    async (http, res) => {
      const context = contextOf(res);
      context.facts.route = SESSION_PATH;
      send(http, res, await answer(http, context, res));
    };
  const router = Router({ caseSensitive: true });
  router.use(SESSION_PATH, prepared(noStore));
  router
    .post(SESSION_PATH, route(signIn))
    .get(SESSION_PATH, route(show))
    .delete(SESSION_PATH, route(signOut));
  router.all(SESSION_PATH, methodNotAllowed(SESSION_PATH, ['POST', 'GET', 'DELETE']));
  return router;
}

const SESSION_PATH = '/console/session';
