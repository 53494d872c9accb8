import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  type JWK,
  SignJWT,
} from 'jose';
import Provider, { type AccountClaims, type Configuration } from 'oidc-provider';

/** A person at the provider; the key of the account is the subject. */
export interface Person {
  readonly email: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups: readonly string[];
}

/** How the provider fails: `hang` never responds, `error` responds with 500. */
type Fault = 'hang' | 'error' | null;

/** Changes the claims of ID tokens before they are signed again with the provider's key. */
type Tamper = (claims: Record<string, unknown>) => Record<string, unknown>;

export interface TestProvider {
  readonly issuer: string;
  readonly clientSecret: string;
  /** By subject; changes count from the next token on. */
  readonly people: Map<string, Person>;
  /** The paths of requests, in order. */
  readonly requests: string[];
  setFault: (fault: Fault) => void;
  /** Applies to ID tokens from now on. */
  setTamper: (tamper: Tamper | null) => void;
  /** How long access tokens last from now on; an hour by default. */
  setAccessTokenSeconds: (seconds: number) => void;
  /** Signs with a new key from now on; the old one is no longer published. */
  rotateKeys: () => Promise<void>;
  /** Signs claims as the provider does. */
  sign: (claims: Record<string, unknown>) => Promise<string>;
  /** Revokes the grants of a person, with their refresh tokens. */
  revoke: (subject: string) => Promise<void>;
  /** Stops listening; requests are refused. `open` listens on the same port again. */
  close: () => Promise<void>;
  open: () => Promise<void>;
}

const CLIENT_ID = 'postrider';
const CLIENT_SECRET = 'secret-of-the-test-client-0123456789';

async function createKey(): Promise<{ key: CryptoKey; jwk: JWK }> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  return {
    key: privateKey,
    jwk: { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'RS256', use: 'sig' },
  };
}

interface ProviderOptions {
  /** The base of the console, without a slash at its end. */
  readonly consoleUrl: string;
  /** The id of the provider in the configuration of the service. */
  readonly id: string;
  /** Whether claims about people are only at the userinfo endpoint; false by default. */
  readonly onlyUserinfo?: boolean;
  /** Whether it issues refresh tokens; true by default. */
  readonly refreshTokens?: boolean;
}

/** An OpenID provider on loopback: oidc-provider with its own sign-in pages, where any password is right. */
export async function startOidcProvider({
  consoleUrl,
  id,
  onlyUserinfo = false,
  refreshTokens = true,
}: ProviderOptions): Promise<TestProvider> {
  const people = new Map<string, Person>();
  const requests: string[] = [];
  const grants = new Map<string, Set<string>>();
  let fault: Fault = null;
  let tamper: Tamper | null = null;
  let accessTokenSeconds = 3_600;
  let signing = await createKey();
  let handle: RequestListener = (_request, response) => response.writeHead(503).end();
  const server: Server = createServer((request, response) => {
    requests.push((request.url ?? '').split('?', 1)[0] ?? '');
    if (fault === 'hang') return;
    if (fault === 'error') response.writeHead(500).end('{}');
    else handle(request, response);
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;

  const sign = (claims: Record<string, unknown>) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: String(signing.jwk.kid) }).sign(signing.key);

  function createProvider(): Provider {
    const configuration: Configuration = {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: [`${consoleUrl}/oidc/${id}/callback`],
          post_logout_redirect_uris: [`${consoleUrl}/`],
          backchannel_logout_uri: `${consoleUrl}/oidc/${id}/backchannel-logout`,
          backchannel_logout_session_required: true,
          grant_types: ['authorization_code', ...(refreshTokens ? ['refresh_token'] : [])],
        },
      ],
      claims: {
        openid: ['sub', 'sid'],
        email: ['email', 'email_verified'],
        profile: ['name'],
        groups: ['groups'],
      },
      scopes: ['openid', 'email', 'profile', 'groups', 'offline_access'],
      conformIdTokenClaims: onlyUserinfo,
      cookies: { keys: ['a key of the test provider'] },
      features: { backchannelLogout: { enabled: true }, rpInitiatedLogout: { enabled: true } },
      // Without its own protection, which refuses loopback addresses.
      fetch: (url, { dispatcher: _protecting, ...options }: RequestInit & { dispatcher?: unknown } = {}) =>
        fetch(url, options),
      issueRefreshToken: async () => refreshTokens,
      jwks: { keys: [signing.jwk as never] },
      findAccount: (_context, subject) => ({
        accountId: subject,
        claims: async (): Promise<AccountClaims> => {
          const person = people.get(subject);
          return { sub: subject, email_verified: true, ...person };
        },
      }),
      ttl: {
        AccessToken: () => accessTokenSeconds,
        AuthorizationCode: 60,
        Grant: 3_600,
        IdToken: 3_600,
        Interaction: 600,
        RefreshToken: 3_600,
        Session: 3_600,
      },
    };
    const provider = new Provider(issuer, configuration);
    provider.on('grant.success', (context) => {
      const { grant } = context.oidc.entities as { grant?: { accountId?: string; jti?: string } };
      const { Grant: saved } = context.oidc.entities as { Grant?: { accountId?: string; jti?: string } };
      const { accountId, jti } = saved ?? grant ?? {};
      if (accountId === undefined || jti === undefined) return;
      grants.set(accountId, (grants.get(accountId) ?? new Set()).add(jti));
    });
    provider.use(async (context, next) => {
      await next();
      const body = context.body as { id_token?: string } | undefined;
      if (context.path !== '/token' || !tamper || body?.id_token === undefined) return;
      context.body = { ...body, id_token: await sign(tamper(decodeJwt(body.id_token))) };
    });
    handle = provider.callback();
    return provider;
  }
  let provider = createProvider();

  return {
    issuer,
    clientSecret: CLIENT_SECRET,
    people,
    requests,
    setFault(next) {
      fault = next;
    },
    setTamper(next) {
      tamper = next;
    },
    setAccessTokenSeconds(seconds) {
      accessTokenSeconds = seconds;
    },
    async rotateKeys() {
      signing = await createKey();
      provider = createProvider();
    },
    sign,
    async revoke(subject) {
      for (const grantId of grants.get(subject) ?? []) await provider.Grant.adapter.revokeByGrantId(grantId);
      for (const grantId of grants.get(subject) ?? []) await (await provider.Grant.find(grantId))?.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    open: () => listen(port),
  };
}
