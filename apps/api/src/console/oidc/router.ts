import type { IncomingMessage } from 'node:http';
import {
  endProviderSessions,
  findSealedTokens,
  isDatabaseUnreachable,
  signInByProvider,
  type UnboundDatabase,
  type UsableSession,
} from '@postrider/db';
import {
  formatId,
  type IdSource,
  orRefusal,
  refuse,
  reject,
  retryLater,
  type SecretBox,
  sha256,
} from '@postrider/domain';
import { createFairSemaphore } from '@postrider/fairness';
import { clientOf, type OriginLookup } from '@postrider/listener';
import type { BoundedLog } from '@postrider/telemetry';
import type { Request, Router } from 'express';
import type { ActorOf } from '../../admin/authenticate.ts';
import { ok, type Success } from '../../http/reply.ts';
import type { RequestContext } from '../../http/request.ts';
import { mountResponders } from '../../http/routes.ts';
import { receiveForm } from '../body.ts';
import { createCookie, createSecret, isSameOrigin, SESSION_COOKIE, userAgentOf } from '../cookie.ts';
import type { SignInLimits } from '../limits.ts';
import type { ConsoleSessions } from '../sessions.ts';
import {
  CLOCK_TOLERANCE_S,
  type Confirmed,
  decryptTokens,
  encryptTokens,
  type FlowSecrets,
  LOGOUT_TOKEN_S,
  type OidcClient,
} from './client.ts';
import { failureOf, personOf, type SignInFailure } from './failures.ts';

/** How long a person may take at the provider, in seconds. */
const FLOW_S = 600;
/** Sessions that a sign-in replaces; a browser has one, unless a sibling domain planted others. */
const MAX_REPLACED = 8;

/** A sign-in that was begun in this browser. Its secrets are in an encrypted cookie, so that no request leaves a row. */
interface Flow extends FlowSecrets {
  readonly providerId: string;
  /** In milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The UUIDs of the browser's sessions, which the new one replaces: the callback comes without their cookies. */
  readonly replaces: readonly string[];
}

/** Lax, because the provider's page leads to the callback. */
const FLOW_COOKIE = createCookie('postrider_oidc', 'Lax');
const BINDING = 'sign-in';

/** Begins a sign-in. */
function createFlow(flow: Pick<Flow, 'providerId' | 'redirectUri' | 'replaces'>, nowMs: number): Flow {
  return {
    ...flow,
    replaces: flow.replaces.slice(0, MAX_REPLACED),
    state: createSecret(),
    nonce: createSecret(),
    verifier: createSecret(),
    expiresAt: nowMs + FLOW_S * 1_000,
  };
}

/** `Set-Cookie` of a flow. */
const flowCookie = (flow: Flow, secretBox: SecretBox, isSecure: boolean) =>
  FLOW_COOKIE.set(secretBox.encrypt(JSON.stringify(flow), BINDING), isSecure, FLOW_S);

/** The flow with this state that the browser has begun at this provider and that has not expired; null if there is none. */
function flowOf(
  http: IncomingMessage,
  {
    providerId,
    state,
    isSecure,
    nowMs,
  }: { providerId: string; state: string | null; isSecure: boolean; nowMs: number },
  secretBox: SecretBox,
): Flow | null {
  for (const value of FLOW_COOKIE.valuesIn(http, isSecure)) {
    const decrypted = secretBox.decrypt(value, BINDING);
    if (!decrypted.ok) continue;
    const flow = JSON.parse(decrypted.plaintext) as Flow;
    if (flow.providerId === providerId && flow.state === state && flow.expiresAt > nowMs) return flow;
  }
  return null;
}

/** The largest logout token, with its name in the form. */
const MAX_LOGOUT_BYTES = 16 * 1024;
/** Requests to one provider at once: a slow one holds no more. */
const AT_ONCE = { total: 16, perOwner: 4, waitMs: 5_000, maxWaiting: 64, maxWaitingPerOwner: 8 };

export interface ProviderDeps {
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  readonly secretBox: SecretBox;
  readonly providers: readonly OidcClient[];
  readonly sessions: ConsoleSessions;
  readonly limits: SignInLimits;
  readonly originOf: OriginLookup;
  readonly actorOf: ActorOf;
  readonly publicUrl: string | null;
  readonly log: BoundedLog;
}

/** A redirect within the console or to a provider. `location` is never from the request. */
const redirect = (location: string, cookies: readonly string[]): Success => ({
  status: 303,
  body: new Uint8Array(),
  headers: { Location: location, 'Set-Cookie': cookies },
});

/** The console, relative to the paths of a provider, so that a prefix that a proxy removes does not matter. */
const CONSOLE = '../../';

/** The console's page, which has words for the failure. */
const failed = (failure: SignInFailure, providerId: string, cookies: readonly string[] = []) =>
  redirect(`${CONSOLE}#sign-in=${failure}&provider=${providerId}`, cookies);

/**
 * The console's address as the browser sees it, without a slash at its end: that of PUBLIC_URL if this is its host, because a
 * proxy may add a path.
 */
function consoleUrlOf(http: Request, isSecure: boolean, publicUrl: string | null): string | null {
  const origin = `${isSecure ? 'https' : 'http'}://${http.headers.host ?? ''}`;
  if (!URL.canParse(origin)) return null;
  const { host, href, pathname, search, username } = new URL(origin);
  if (publicUrl !== null && new URL(publicUrl).host === host) return `${publicUrl}/console`;
  const isPlain = pathname === '/' && search === '' && username === '' && !href.includes('#');
  return isPlain ? `${href}console` : null;
}

const BAD_HOST = refuse('malformed_request', { message: 'The Host header is not a host.' });

/**
 * The console's address as the browser sees it.
 * @throws RefusedError if the Host header is not a host
 */
export const requireConsoleUrl = (http: Request, isSecure: boolean, publicUrl: string | null): string =>
  consoleUrlOf(http, isSecure, publicUrl) ?? reject(BAD_HOST);

/** `/console/oidc`: sign-in at OpenID providers (docs/console.md, "Sign in"). */
export function createProviders(deps: ProviderDeps): {
  readonly router: Router;
  readonly signOutUrl: (http: Request, session: UsableSession) => Promise<string | null>;
} {
  const { db, newId, secretBox, sessions, limits, originOf, actorOf, publicUrl } = deps;
  const clients = new Map(deps.providers.map((client) => [client.provider.id, client]));
  const slots = new Map(deps.providers.map((client) => [client.provider.id, createFairSemaphore(AT_ONCE)]));

  /** Runs requests to a provider, or fails as if it were away when too many wait for it. */
  async function ask<Result>(
    { provider: { id } }: OidcClient,
    owner: string,
    work: () => Promise<Result>,
  ): Promise<Result | SignInFailure> {
    const permit = await slots.get(id)?.acquire({ owner });
    if (!permit) return 'away';
    try {
      return await work();
    } catch (error) {
      const failure = failureOf(error);
      deps.log.warn(`${id} ${failure}`, 'a sign-in at a provider failed', { provider: id, failure, error });
      return failure;
    } finally {
      permit.release();
    }
  }

  async function start(http: Request, _context: RequestContext, client: OidcClient): Promise<Success> {
    const { id } = client.provider;
    const { address, isSecure } = originOf(http);
    const base = requireConsoleUrl(http, isSecure, publicUrl);
    const replaced = isSameOrigin(http) ? await sessions.of(http) : [];
    const flow = createFlow(
      {
        providerId: id,
        redirectUri: `${base}/oidc/${id}/callback`,
        replaces: replaced.map(({ session }) => session.id),
      },
      Date.now(),
    );
    const url = await ask(client, clientOf(address), () => client.authorizationUrl(flow));
    if (typeof url === 'string') return failed(url, id);
    return redirect(url.href, [flowCookie(flow, secretBox, isSecure)]);
  }

  /** Opens the session of the operator whom the provider confirmed. */
  async function open(
    http: Request,
    context: RequestContext,
    client: OidcClient,
    { tokens, sid, identity }: Confirmed,
    replaces: readonly string[],
  ): Promise<SignInFailure | { readonly cookie: string }> {
    const person = personOf(client.provider, identity);
    if (typeof person === 'string') return person;
    const sessionId = newId();
    const credentialId = formatId('ses', sessionId);
    const caller = { name: person.email, kind: 'operator', credentialId } as const;
    const actor = await orRefusal(async () => actorOf(http, context, caller));
    if ('refused' in actor) return 'invalid';
    const { address, isSecure } = originOf(http);
    const secret = createSecret();
    const outcome = await signInByProvider(
      { db, newId, actor },
      {
        person,
        sessionId,
        sid,
        sealedTokens: encryptTokens(tokens, sessionId, secretBox),
        seconds: client.provider.sessionSeconds,
        hash: sha256(secret),
        replaces,
        client: { address, userAgent: userAgentOf(http) },
      },
    );
    if (outcome.outcome === 'refused') return outcome.reason;
    context.facts.actor = outcome.session.actor;
    return { cookie: SESSION_COOKIE.set(secret, isSecure) };
  }

  async function finish(
    http: Request,
    context: RequestContext,
    client: OidcClient,
    flow: Flow,
  ): Promise<SignInFailure | { readonly cookie: string }> {
    const { id } = client.provider;
    const owner = clientOf(originOf(http).address);
    const attempt = await orRefusal(() => limits.begin(owner, `provider ${id}`));
    if ('refused' in attempt) return attempt.refused === 'rate_limited' ? 'too_many' : 'unavailable';
    if (!(await limits.once(`sign-in ${flow.state}`, FLOW_S))) return 'expired';
    const query = http.originalUrl.slice(http.originalUrl.indexOf('?'));
    const confirmed = await ask(client, owner, () => client.redeem(query, flow));
    if (confirmed === 'invalid' || confirmed === 'expired') return confirmed;
    // Anybody can write an error into the query, so it counts as a failed attempt.
    if (!new URLSearchParams(query).has('error')) await attempt.giveBack();
    if (typeof confirmed === 'string') return confirmed;
    return open(http, context, client, confirmed, flow.replaces);
  }

  async function callback(http: Request, context: RequestContext, client: OidcClient): Promise<Success> {
    const { id } = client.provider;
    const { isSecure } = originOf(http);
    const state = new URL(http.originalUrl, 'http://localhost').searchParams.get('state');
    const flow = flowOf(http, { providerId: id, state, isSecure, nowMs: Date.now() }, secretBox);
    if (!flow) return failed('expired', id);
    // A flow is used once.
    const ended = FLOW_COOKIE.remove(isSecure);
    const result = await finish(http, context, client, flow).catch((error: unknown) => {
      if (isDatabaseUnreachable(error)) return 'unavailable' as const;
      throw error;
    });
    return typeof result === 'string'
      ? failed(result, id, [ended])
      : redirect(CONSOLE, [result.cookie, ended]);
  }

  /** OpenID Connect Back-Channel Logout 1.0: the provider ends sessions that it confirmed. */
  async function logout(http: Request, context: RequestContext, client: OidcClient): Promise<Success> {
    const { id } = client.provider;
    const owner = clientOf(originOf(http).address);
    const attempt = await limits.begin(owner, `logout of ${id}`);
    const form = await receiveForm(http, MAX_LOGOUT_BYTES);
    const ended = await ask(client, owner, () => client.verifyLogout(form.get('logout_token') ?? ''));
    if (ended === 'away') reject(retryLater('service_unavailable', 5));
    if (typeof ended === 'string') reject(BAD_LOGOUT);
    await attempt.giveBack();
    const { jti, subject, sid } = ended;
    const actor = actorOf(http, context, { name: `provider:${id}`, kind: 'service', credentialId: null });
    const rate = { requestsPerSecond: 1 / (LOGOUT_TOKEN_S + 2 * CLOCK_TOLERANCE_S), burst: 1 };
    const once = { key: `logout of ${id} ${jti}`, rate, kind: 'strict' } as const;
    const isFirst = await endProviderSessions({ db, newId, actor }, { provider: id, subject, sid }, once);
    return isFirst ? ok({}) : reject(BAD_LOGOUT);
  }

  const shown = deps.providers.map(({ provider: { id, name } }) => ({ id, name }));
  /** A path of one provider. */
  const at =
    (respond: (http: Request, context: RequestContext, client: OidcClient) => Promise<Success>) =>
    async (http: Request, context: RequestContext): Promise<Success> => {
      const client = clients.get(String(http.params.provider));
      return client ? respond(http, context, client) : reject('route_not_found');
    };
  const router = mountResponders([
    { path: LIST, method: 'get', respond: () => ok({ providers: shown }) },
    { path: `${LIST}/{provider}/start`, method: 'get', respond: at(start) },
    { path: `${LIST}/{provider}/callback`, method: 'get', respond: at(callback) },
    { path: `${LIST}/{provider}/backchannel-logout`, method: 'post', respond: at(logout) },
  ]);
  return {
    router,
    async signOutUrl(http, { id: sessionId, confirmed }) {
      const client = confirmed && clients.get(confirmed.provider);
      const { address, isSecure } = originOf(http);
      const base = consoleUrlOf(http, isSecure, publicUrl);
      const stored = client && base ? await findSealedTokens(db, sessionId) : null;
      const tokens = stored && decryptTokens(stored.sealedTokens, sessionId, secretBox);
      if (!client || !tokens) return null;
      const { idToken } = tokens;
      const url = await ask(client, clientOf(address), () => client.endSessionUrl(idToken, `${base}/`));
      return url instanceof URL ? url.href : null;
    },
  };
}

const LIST = '/console/oidc';
const BAD_LOGOUT = refuse('malformed_request', { message: 'This is not a valid logout token.' });
