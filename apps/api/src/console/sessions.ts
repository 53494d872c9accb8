import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  createBatcher,
  findConsoleSessions,
  recordConsoleSessionUse,
  SNAPSHOT_MAX_AGE_MS,
  type UnboundDatabase,
  type UsableSession,
} from '@postrider/db';
import { type ConsoleRole, LRUCache } from '@postrider/domain';
import type { OriginLookup } from '@postrider/listener';
import { type Refusal, refuse, UNAUTHORIZED } from '../http/reply.ts';
import { headerOf } from '../http/request.ts';
import { isCsrfToken, isSameOrigin, secretsIn, sha256 } from './cookie.ts';

/**
 * The size of two caches, of sessions and of unknown cookies. They are separate, so that invented cookies evict no
 * session.
 */
const MAX_SESSIONS = 5_000;
const MAX_UNKNOWN = 5_000;
/** Unknown cookies share queries and never use more than two connections. */
const BATCHES = { maxItems: 256, maxInFlight: 2, isItemError: () => false };

/** Methods that change nothing and therefore need no CSRF token. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

const BAD_CSRF_TOKEN = refuse('forbidden', {
  message: 'X-CSRF-Token is missing or wrong: read it from GET /console/session.',
});

/** The digest of the admin token in an operator's session. A changed admin token ends the session. */
export function adminDigestOf(adminToken: string): Buffer {
  return sha256(`postrider console ${adminToken}`);
}

/** A usable session and the secret that its request came with. */
interface OpenSession {
  readonly session: UsableSession;
  readonly secret: string;
}

export interface ConsoleSessions {
  /** The usable sessions of the request's cookies, for any role and method. The first one is the request's session. */
  readonly of: (http: IncomingMessage) => Promise<readonly OpenSession[]>;
  /**
   * The session of a request without an Authorization header from a page of this origin. Refuses with 401 without a
   * session of this role, and with 403 if it changes something without the session's CSRF token.
   */
  readonly authenticate: (http: IncomingMessage, role: ConsoleRole) => Promise<UsableSession | Refusal>;
  /** The usable session of a cookie's secret; null if there is none. */
  readonly find: (secret: string) => Promise<UsableSession | null>;
  /** Removes a cookie's session from the cache of this process. */
  readonly forget: (secret: string) => void;
}

/**
 * Reads sessions from the cookies of requests. Sessions are cached for at most 4.5 s, so that they end everywhere
 * within 5 s of their token.
 */
export function createConsoleSessions({
  db,
  adminToken,
  originOf,
  monotonicNow,
}: {
  readonly db: UnboundDatabase;
  readonly adminToken: string | null;
  readonly originOf: OriginLookup;
  readonly monotonicNow: () => number;
}): ConsoleSessions {
  const life = { ttl: SNAPSHOT_MAX_AGE_MS, ttlResolution: 0, perf: { now: monotonicNow } };
  const known = new LRUCache<string, Promise<UsableSession | null>>({ ...life, max: MAX_SESSIONS });
  const unknown = new LRUCache<string, true>({ ...life, max: MAX_UNKNOWN });
  const adminDigest = adminToken === null ? null : adminDigestOf(adminToken);
  const load = createBatcher((hashes: readonly Uint8Array[]) => findConsoleSessions(db, hashes), BATCHES);

  const isOfThisAdminToken = (digest: Uint8Array | null) =>
    digest === null || (adminDigest !== null && timingSafeEqual(digest, adminDigest));

  async function read(hash: Buffer): Promise<UsableSession | null> {
    const session = await load(hash);
    if (!session || !isOfThisAdminToken(session.adminDigest)) return null;
    // If the last use is not written, an idle session ends early. Nothing else depends on it.
    if (session.isUseStale) await recordConsoleSessionUse(db, session.id).catch(() => undefined);
    return session;
  }

  async function find(secret: string): Promise<UsableSession | null> {
    const hash = sha256(secret);
    const key = hash.toString('base64');
    if (unknown.has(key)) return null;
    let loading = known.get(key);
    if (!loading) {
      loading = read(hash);
      known.set(key, loading);
    }
    const session = await loading.catch((error) => {
      known.delete(key);
      throw error;
    });
    if (!session) {
      known.delete(key);
      unknown.set(key, true);
    }
    return session;
  }

  async function of(http: IncomingMessage): Promise<readonly OpenSession[]> {
    const secrets = secretsIn(http, originOf(http).isSecure);
    const found = await Promise.all(secrets.map(async (secret) => ({ secret, session: await find(secret) })));
    return found.flatMap(({ secret, session }) => (session ? [{ secret, session }] : []));
  }

  return {
    of,
    find,
    async authenticate(http, role) {
      if (headerOf(http, 'authorization') !== undefined || !isSameOrigin(http)) return UNAUTHORIZED;
      const [open] = await of(http);
      if (open?.session.role !== role) return UNAUTHORIZED;
      const isSafe = SAFE_METHODS.has(http.method ?? '');
      return isSafe || isCsrfToken(open.secret, headerOf(http, 'x-csrf-token'))
        ? open.session
        : BAD_CSRF_TOKEN;
    },
    forget(secret) {
      known.delete(sha256(secret).toString('base64'));
    },
  };
}
