import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  createBatcher,
  createSecretMemo,
  findConsoleSessions,
  recordConsoleSessionUse,
  type Snapshots,
  type UnboundDatabase,
  type UsableSession,
} from '@postrider/db';
import { type ConsoleRole, refuse, reject, sha256 } from '@postrider/domain';
import type { OriginLookup } from '@postrider/listener';
import { UNAUTHORIZED } from '../http/reply.ts';
import { headerOf } from '../http/request.ts';
import { isCsrfToken, isSameOrigin, secretsIn } from './cookie.ts';

/** The most sessions in the cache of a process. */
const MAX_SESSIONS = 5_000;
/** Unknown cookies share queries and never use more than two connections. */
const BATCHES = { maxItems: 256, maxInFlight: 2 };

/** Methods that change nothing and therefore need no CSRF token. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

const BAD_CSRF_TOKEN = refuse('forbidden', {
  message: 'X-CSRF-Token is missing or wrong: read it from GET /console/session.',
});

/** The digest of the admin token in a session or a token of `postrider login`, which end when the admin token changes. */
export function adminDigestOf(adminToken: string): Buffer {
  return sha256(`postrider console ${adminToken}`);
}

export function createIsAdminDigest(adminToken: string | null): (digest: Uint8Array) => boolean {
  const own = adminToken === null ? null : adminDigestOf(adminToken);
  return (digest) => own !== null && timingSafeEqual(digest, own);
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
   * The session of a request without an Authorization header from a page of this origin.
   * @throws RefusedError 401 without a session of this role, and 403 if it changes something without the session's CSRF token
   */
  readonly authenticate: (http: IncomingMessage, role: ConsoleRole) => Promise<UsableSession>;
  /** The usable session of a cookie's secret; null if there is none. */
  readonly find: (secret: string) => Promise<UsableSession | null>;
  /** Removes a cookie's session from the cache of this process. */
  readonly forget: (secret: string) => void;
}

/**
 * Reads sessions from the cookies of requests. A cached session is dropped by a notice that it, its token, its operator or
 * the operator's role has changed, and is at most 4.5 s old if the notice is lost.
 */
export function createConsoleSessions({
  db,
  snapshots,
  adminToken,
  originOf,
  monotonicMs,
  onRead,
}: {
  readonly db: UnboundDatabase;
  readonly snapshots: Pick<Snapshots, 'onDrop'>;
  readonly adminToken: string | null;
  readonly originOf: OriginLookup;
  readonly monotonicMs: () => number;
  /** Gets each session that was read from the database. */
  readonly onRead: (session: UsableSession) => void;
}): ConsoleSessions {
  const isAdminDigest = createIsAdminDigest(adminToken);
  const load = createBatcher((hashes: readonly Uint8Array[]) => findConsoleSessions(db, hashes), BATCHES);
  const sessions = createSecretMemo(monotonicMs, MAX_SESSIONS, read);
  const find = (secret: string) => sessions.find(sha256(secret));

  snapshots.onDrop((notice) => {
    if (notice === null) return sessions.clear();
    const [subject, id] = notice.split(/:(.*)/, 2);
    if (subject === 'session') sessions.dropWhere((session) => session.id === id);
    else if (subject === 'access') sessions.dropWhere(({ operatorId }) => operatorId !== null);
    else if (subject === 'environment') sessions.dropWhere(({ environmentId }) => environmentId === id);
  });

  async function read(hash: Uint8Array): Promise<UsableSession | null> {
    const session = await load(hash);
    if (!session || (session.adminDigest && !isAdminDigest(session.adminDigest))) return null;
    // If the last use is not written, an idle session ends early. Nothing else depends on it.
    if (session.isUseStale) await recordConsoleSessionUse(db, session.id).catch(() => undefined);
    onRead(session);
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
      if (headerOf(http, 'authorization') !== undefined || !isSameOrigin(http)) reject(UNAUTHORIZED);
      const [open] = await of(http);
      if (open?.session.role !== role) reject(UNAUTHORIZED);
      const isSafe = SAFE_METHODS.has(http.method ?? '');
      return isSafe || isCsrfToken(open.secret, headerOf(http, 'x-csrf-token'))
        ? open.session
        : reject(BAD_CSRF_TOKEN);
    },
    forget(secret) {
      sessions.forget(sha256(secret));
    },
  };
}
