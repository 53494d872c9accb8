import type { OidcProvider } from '@postrider/config';
import { hasControlCharacter, type SecretBox } from '@postrider/domain';
import { createRemoteJWKSet, type JWTPayload, customFetch as joseFetch, jwtVerify } from 'jose';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  fetchUserInfo,
  refreshTokenGrant,
  type TokenEndpointResponse,
} from 'openid-client';
import { fetchFromProvider } from './fetch.ts';

/** How far the clocks of a provider and of this process may differ, in seconds. */
export const CLOCK_TOLERANCE_S = 60;
/** How long a discovery document is used, and how soon it is fetched again after a failure. */
const DISCOVERY_MS = 3_600_000;
const RETRY_MS = 5_000;
/** A key set is fetched again for an unknown key, but not more often than this, and when it is this old. */
const KEYS_COOLDOWN_MS = 10_000;
const KEYS_MAX_AGE_MS = 600_000;
/** Signatures with keys of the provider. A shared secret would let anyone who has it issue tokens. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** The most groups of a person that are looked at, and the longest text of a claim. */
const MAX_GROUPS = 2_000;
const MAX_TEXT = 256;
/** The event of a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.4). */
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** How old a logout token may be, in seconds. Its id must be remembered for as long. */
export const LOGOUT_TOKEN_S = 600;
/** A token counts as expired this long before the provider says so, because the response took time. */
const EXPIRY_MARGIN_MS = 5_000;
/** Other tokens are not kept, which ends the session sooner (RFC 6749, appendix A: visible ASCII characters). */
const KEPT_TOKEN = /^[\x21-\x7e]{1,16384}$/;

/** The secrets of one sign-in, which its browser keeps. */
export interface FlowSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

/** A person, as the provider describes them. */
export interface Identity {
  readonly subject: string;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly name: string | null;
  readonly groups: readonly string[];
}

/** What a session needs to ask the provider again, and to sign out there. */
interface ProviderTokens {
  readonly idToken: string;
  readonly refreshToken: string | null;
  readonly accessToken: string | null;
  /**
   * When the token that can confirm the session expires, in milliseconds since the epoch; null if the provider does not say.
   * Sessions that the release before stored have none.
   */
  readonly expiresAt?: number | null;
}

export interface Confirmed {
  readonly identity: Identity;
  readonly tokens: ProviderTokens;
  /** The provider's session; null if it names none. */
  readonly sid: string | null;
}

/** The sessions that a logout token ends: one, or all of a person. */
interface Logout {
  readonly jti: string;
  readonly subject: string | null;
  readonly sid: string | null;
}

export interface OidcClient {
  readonly provider: OidcProvider;
  readonly authorizationUrl: (secrets: FlowSecrets) => Promise<URL>;
  /** Exchanges the code in the query of the callback. Verifies state, nonce, issuer, audience, times and signature. */
  readonly redeem: (query: string, secrets: FlowSecrets) => Promise<Confirmed>;
  /**
   * Asks about a person again, with the refresh token or at the userinfo endpoint. Null if the provider has neither, or if the token
   * has expired: its refusal would say nothing about the person.
   * @throws ResponseBodyError or WWWAuthenticateChallengeError if the provider refuses
   */
  readonly confirm: (subject: string, tokens: ProviderTokens) => Promise<Confirmed | null>;
  /** Where a browser signs out at the provider; null if it has no such page. */
  readonly endSessionUrl: (idToken: string, returnTo: string) => Promise<URL | null>;
  readonly verifyLogout: (token: string) => Promise<Logout>;
}

/** A provider's document and its keys. */
interface Known {
  readonly config: Configuration;
  readonly keys: ReturnType<typeof createRemoteJWKSet>;
}

/** The response of the provider violates the standard. */
export class InvalidResponse extends Error {}

/** On one line and storable: PostgreSQL refuses NUL, and stores all halves of surrogate pairs as the same character. */
const isText = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length > 0 &&
  value.length <= MAX_TEXT &&
  !hasControlCharacter(value) &&
  !/\p{Surrogate}/u.test(value);
const textOf = (value: unknown): string | null => (isText(value) ? value : null);
/** When a token expires, 5 s early; null if the response does not say. Keycloak gives 0 for a token without an end. */
const expiryOf = (seconds: unknown): number | null =>
  typeof seconds === 'number' && seconds > 0 ? Date.now() + seconds * 1_000 - EXPIRY_MARGIN_MS : null;
const keptToken = (value: string | undefined): string | null =>
  value !== undefined && KEPT_TOKEN.test(value) ? value : null;

/** A client of one provider. Opens no connection until it is used, and fetches the provider's document once. */
export function createOidcClient(
  provider: OidcProvider,
  {
    monotonicMs,
    keysCooldownMs = KEYS_COOLDOWN_MS,
  }: { readonly monotonicMs: () => number; readonly keysCooldownMs?: number },
): OidcClient {
  const { issuer, clientId, clientSecret, groupsClaim } = provider;
  const isInsecure = issuer.startsWith('http://');
  let loading: { readonly known: Promise<Known>; readonly until: number } | null = null;

  const schemes = isInsecure ? ['https:', 'http:'] : ['https:'];
  /** Whether an address of the document may be used: over TLS unless the issuer itself is not. */
  const isUsable = (url: string | undefined): url is string =>
    url !== undefined && URL.canParse(url) && schemes.includes(new URL(url).protocol);

  async function discover(): Promise<Known> {
    const config = await discovery(
      new URL(issuer),
      clientId,
      { client_secret: clientSecret, [clockTolerance]: CLOCK_TOLERANCE_S },
      (server, client, body, headers) => {
        const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
        const isPost = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
        const authenticate = isPost ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
        authenticate(server, client, body, headers);
      },
      {
        [customFetch]: (url, options) => fetchFromProvider(url, options as RequestInit),
        execute: isInsecure ? [allowInsecureRequests] : [],
      },
    );
    const {
      authorization_endpoint: authorize,
      token_endpoint: token,
      jwks_uri: keysUrl,
    } = config.serverMetadata();
    if (!isUsable(authorize) || !isUsable(token) || !isUsable(keysUrl))
      throw new InvalidResponse(
        'the discovery document has no usable authorization_endpoint, token_endpoint or jwks_uri',
      );
    const keys = createRemoteJWKSet(new URL(keysUrl), {
      cooldownDuration: keysCooldownMs,
      cacheMaxAge: KEYS_MAX_AGE_MS,
      [joseFetch]: fetchFromProvider,
    });
    return { config, keys };
  }

  function load(): Promise<Known> {
    if (loading && monotonicMs() < loading.until) return loading.known;
    const known = discover();
    loading = { known, until: monotonicMs() + DISCOVERY_MS };
    known.catch(() => {
      loading = { known, until: monotonicMs() + RETRY_MS };
    });
    return known;
  }

  /** The claims of a signed token for this client. */
  async function verify(
    { keys }: Known,
    token: string,
    more: { readonly maxTokenAge?: number } = {},
  ): Promise<JWTPayload> {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_S,
      ...more,
    });
    return payload;
  }

  /** Reads a person from the claims of an ID token, and from the userinfo endpoint what is missing there. */
  async function identify(
    { config }: Known,
    subject: string,
    claims: Readonly<Record<string, unknown>>,
    accessToken: string | null,
  ): Promise<Identity> {
    const isComplete = claims[groupsClaim] !== undefined && claims.email !== undefined;
    const canAsk = accessToken !== null && isUsable(config.serverMetadata().userinfo_endpoint);
    const more: Readonly<Record<string, unknown>> =
      !isComplete && canAsk ? await fetchUserInfo(config, accessToken, subject) : {};
    const all: Readonly<Record<string, unknown>> = { ...more, ...claims };
    const groups = all[groupsClaim];
    const email = textOf(all.email);
    // The two documents can name different addresses, and each verifies only its own. If they disagree about the same address, it is not
    // verified. Amazon Cognito and Apple send the claim as text.
    const verifications = [claims, more]
      .filter((one) => one.email === email && one.email_verified !== undefined)
      .map((one) => one.email_verified === true || one.email_verified === 'true');
    const isVerified = verifications.includes(true) && !verifications.includes(false);
    return {
      subject,
      email,
      isEmailVerified: isVerified || provider.trustsEmail,
      name: textOf(all.name) ?? textOf(all.preferred_username),
      groups: (Array.isArray(groups) ? groups.slice(0, MAX_GROUPS) : [groups]).filter(isText),
    };
  }

  function tokensOf(response: TokenEndpointResponse, before: ProviderTokens | null): ProviderTokens {
    const refreshToken = keptToken(response.refresh_token) ?? before?.refreshToken ?? null;
    return {
      idToken: keptToken(response.id_token) ?? before?.idToken ?? '',
      refreshToken,
      accessToken: keptToken(response.access_token),
      // Keycloak and others say when a refresh token expires, which no standard defines.
      expiresAt: expiryOf(refreshToken === null ? response.expires_in : response.refresh_expires_in),
    };
  }

  return {
    provider,
    async authorizationUrl({ state, nonce, verifier, redirectUri }) {
      const { config } = await load();
      return buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: provider.scopes.join(' '),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },
    async redeem(query, { state, nonce, verifier, redirectUri }) {
      const known = await load();
      const url = new URL(redirectUri);
      url.search = query;
      const response = await authorizationCodeGrant(known.config, url, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = await verify(known, response.id_token ?? '');
      if (!isText(claims.sub)) throw new InvalidResponse('the ID token has no usable subject');
      const tokens = tokensOf(response, null);
      const identity = await identify(known, claims.sub, claims, tokens.accessToken);
      return { identity, tokens, sid: textOf(claims.sid) };
    },
    async confirm(subject, before) {
      const known = await load();
      const { refreshToken, accessToken, expiresAt } = before;
      if (typeof expiresAt === 'number' && Date.now() >= expiresAt) return null;
      if (refreshToken === null) {
        if (accessToken === null || !isUsable(known.config.serverMetadata().userinfo_endpoint)) return null;
        return { identity: await identify(known, subject, {}, accessToken), tokens: before, sid: null };
      }
      const response = await refreshTokenGrant(known.config, refreshToken);
      const tokens = tokensOf(response, before);
      const claims = response.id_token === undefined ? {} : await verify(known, response.id_token);
      if (claims.sub !== undefined && claims.sub !== subject)
        throw new InvalidResponse('the refreshed ID token is of another subject');
      if (claims[groupsClaim] === undefined && !isUsable(known.config.serverMetadata().userinfo_endpoint))
        return null;
      return { identity: await identify(known, subject, claims, tokens.accessToken), tokens, sid: null };
    },
    async endSessionUrl(idToken, returnTo) {
      const { config } = await load();
      if (!isUsable(config.serverMetadata().end_session_endpoint)) return null;
      return buildEndSessionUrl(config, {
        ...(idToken === '' ? {} : { id_token_hint: idToken }),
        post_logout_redirect_uri: returnTo,
      });
    },
    async verifyLogout(token) {
      const { jti, sub, sid, events, nonce } = await verify(await load(), token, {
        maxTokenAge: LOGOUT_TOKEN_S,
      });
      const [subject, session] = [textOf(sub), textOf(sid)];
      const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events;
      if (!isLogout || nonce !== undefined || !isText(jti))
        throw new InvalidResponse('the token is not a logout token');
      if (subject === null && session === null)
        throw new InvalidResponse('the logout token names neither a person nor a session');
      return { jti, subject, sid: session };
    },
  };
}

const bindingOf = (sessionId: string) => `session:${sessionId}`;

export function encryptTokens(tokens: ProviderTokens, sessionId: string, secretBox: SecretBox): string {
  return secretBox.encrypt(JSON.stringify(tokens), bindingOf(sessionId));
}

/** Decrypts them; null if their key is no longer configured. */
export function decryptTokens(
  encrypted: string,
  sessionId: string,
  secretBox: SecretBox,
): ProviderTokens | null {
  const result = secretBox.decrypt(encrypted, bindingOf(sessionId));
  return result.ok ? (JSON.parse(result.plaintext) as ProviderTokens) : null;
}
