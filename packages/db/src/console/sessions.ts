import { type ConsoleSessionRecord, formatId, parseId } from '@postrider/domain';
import { hexOf, inOrderOfHashes } from '../by-hash.ts';
import { bytes, type Queryable, type UnboundDatabase } from '../client.ts';
import { ABOVE_ALL_IDS } from '../first-id-at.ts';
import { type Page, type PageRequest, pageOf } from '../pages.ts';
import { loadOperators, loadOperatorTokens, type OperatorSnapshot } from '../snapshot/access.ts';
import type { ConfigureDeps } from '../transactions/audit.ts';
import { inTransaction } from '../transactions/transaction.ts';
import { IDLE_S, issuedByValidToken, USABLE } from '../usable-issuers.ts';
import {
  ABSOLUTE_S,
  COLUMNS,
  columnsOf,
  endWithIssued,
  insertSession,
  type LinkIssuer,
  recordSession,
  type SessionClient,
  type SessionOwner,
} from './session-rows.ts';

/** The lifetime of a link in seconds. */
const LINK_S = 600;

/** The last use is written if it is older than this, in seconds. More often would add nothing. */
const USE_RESOLUTION_S = 60;

/** The hash of a new session's cookie, and the sessions that it replaces in its browser, which end. */
export interface NewSession {
  /** SHA-256 of its cookie. */
  readonly hash: Uint8Array;
  readonly replaces: readonly string[];
  readonly client: SessionClient;
}

/** Opens a session, with its audit entry. */
export function openConsoleSession(
  deps: ConfigureDeps,
  { owner, hash, replaces, client }: NewSession & { readonly owner: SessionOwner },
): Promise<ConsoleSessionRecord> {
  return inTransaction(deps, async (tx) => {
    const session = await insertSession(tx, deps, {
      owner,
      client,
      secret: { hash },
      lifeSeconds: ABSOLUTE_S,
    });
    await recordSession(tx, deps, { action: 'console_session.opened', session });
    await endWithIssued(tx, deps, replaces);
    return session;
  });
}

interface NewLink {
  readonly owner: Extract<SessionOwner, { role: 'operator' }>;
  /** The name that the session will have. */
  readonly name: string;
  /** SHA-256 of its code. */
  readonly linkHash: Uint8Array;
  /** The session with which the link ends; null if it ends with none. */
  readonly issuerId: string | null;
  /** The UUID of the token with which it ends; null if it ends with none. */
  readonly operatorTokenId: string | null;
}

/** Stores a one-time link. Null if the session or the token that issues it has ended. */
export function issueConsoleLink(
  deps: ConfigureDeps,
  { owner, name, linkHash, issuerId, operatorTokenId }: NewLink,
): Promise<ConsoleSessionRecord | null> {
  return inTransaction(deps, async (tx) => {
    // The lock makes the end of the issuer wait until its link can be found.
    const [issuer = null] = issuerId
      ? await tx.$queryRaw<LinkIssuer[]>`
          SELECT id, operator_token_id AS "operatorTokenId", expires_at AS "expiresAt" FROM console_sessions
           WHERE id = ${issuerId}::uuid AND hash IS NOT NULL AND ${USABLE} FOR SHARE`
      : await tx.$queryRaw<LinkIssuer[]>`
          SELECT NULL AS id, id AS "operatorTokenId", expires_at AS "expiresAt" FROM operator_tokens
           WHERE id = ${operatorTokenId}::uuid AND revoked_at IS NULL`;
    if ((issuerId ?? operatorTokenId) && !issuer) return null;
    const row = { owner, name, client: null, secret: { linkHash }, lifeSeconds: LINK_S, issuer };
    const link = await insertSession(tx, deps, row);
    await recordSession(tx, deps, { action: 'console_session.link_issued', session: link });
    return link;
  });
}

/**
 * Exchanges a link for a session, once, under the name that the link has. The session ends no later than the one that
 * issued the link, or the token that did. Null if the link is unknown, expired, used, revoked, of another admin token or of a
 * disabled operator, or if its issuer has ended.
 */
export function redeemConsoleLink(
  deps: ConfigureDeps,
  {
    linkHash,
    hash,
    replaces,
    client,
    adminDigest,
  }: NewSession & { readonly linkHash: Uint8Array; readonly adminDigest: Uint8Array | null },
): Promise<ConsoleSessionRecord | null> {
  return inTransaction(deps, async (tx) => {
    const [session] = await tx.$queryRaw<ConsoleSessionRecord[]>`
      UPDATE console_sessions AS link
         SET link_hash = NULL, hash = ${bytes(hash)}::bytea, last_used_at = clock_timestamp(),
             address = ${client.address}, user_agent = ${client.userAgent},
             expires_at = LEAST(clock_timestamp() + make_interval(secs => ${ABSOLUTE_S}::float8),
               (SELECT issuer.expires_at FROM console_sessions AS issuer WHERE issuer.id = link.issuer_id),
               (SELECT issuer.expires_at FROM operator_tokens AS issuer WHERE issuer.id = link.operator_token_id))
       WHERE link_hash = ${bytes(linkHash)}::bytea AND ended_at IS NULL AND expires_at > clock_timestamp()
         AND (admin_digest = ${adminDigest && bytes(adminDigest)}::bytea
              OR EXISTS (SELECT FROM operators WHERE operators.id = link.operator_id AND disabled_at IS NULL))
         AND ${issuedByValidToken('link.operator_token_id')}
         AND (issuer_id IS NULL
              OR EXISTS (SELECT FROM console_sessions WHERE console_sessions.id = link.issuer_id AND ${USABLE}))
      RETURNING ${columnsOf('link')}`;
    if (!session) return null;
    const kind = session.operatorId === null ? 'admin_token' : 'operator';
    const credentialId = formatId('ses', session.id);
    const ofSession = { ...deps, actor: { ...deps.actor, name: session.actor, kind, credentialId } as const };
    await recordSession(tx, ofSession, { action: 'console_session.opened', session });
    // A browser may open a link of its own session: that session ends, and the new one stays.
    await endWithIssued(tx, ofSession, replaces, session.id);
    return session;
  });
}

/** A session that was usable when it was read, with its owner. */
export interface UsableSession extends ConsoleSessionRecord {
  readonly tokenId: string | null;
  /** The stored scopes of the token; empty for an operator. */
  readonly tokenScopes: readonly string[];
  readonly adminDigest: Uint8Array | null;
  /** The provider that confirmed it, and how many seconds ago; null if none did. */
  readonly confirmed: { readonly provider: string; readonly secondsAgo: number } | null;
  readonly idleExpiresAt: Date;
  /** Whether its last use should be written. */
  readonly isUseStale: boolean;
}

/** Finds usable sessions by the SHA-256 of their cookies, in the order of the hashes; null for others. */
export async function findConsoleSessions(
  db: UnboundDatabase,
  hashes: readonly Uint8Array[],
): Promise<(UsableSession | null)[]> {
  const rows = await db.$queryRaw<(UsableSession & { readonly cookieHash: string })[]>`
    SELECT ${COLUMNS}, encode(hash, 'hex') AS "cookieHash", token_id AS "tokenId", admin_digest AS "adminDigest",
           CASE WHEN provider IS NOT NULL THEN json_build_object('provider', provider, 'secondsAgo',
             extract(epoch FROM clock_timestamp() - checked_at)::float8) END AS confirmed,
           LEAST(console_sessions.last_used_at + make_interval(secs => ${IDLE_S}::float8), console_sessions.expires_at)
             AS "idleExpiresAt",
           COALESCE((SELECT scopes FROM tokens WHERE tokens.id = token_id), '{}') AS "tokenScopes",
           console_sessions.last_used_at < clock_timestamp() - make_interval(secs => ${USE_RESOLUTION_S}::float8)
             AS "isUseStale"
      FROM console_sessions LEFT JOIN provider_sessions ON session_id = console_sessions.id
     WHERE hash IN (SELECT decode(text, 'hex') FROM unnest(${hexOf(hashes)}::text[]) AS text) AND ${USABLE}`;
  return inOrderOfHashes(
    hashes,
    rows.map(({ cookieHash, ...session }) => [cookieHash, session]),
  );
}

/** Records that a session was used now, at most once a minute. */
export async function recordConsoleSessionUse(db: UnboundDatabase, id: string): Promise<void> {
  await db.$executeRaw`
    UPDATE console_sessions SET last_used_at = clock_timestamp()
     WHERE id = ${id}::uuid AND ended_at IS NULL
       AND last_used_at < clock_timestamp() - make_interval(secs => ${USE_RESOLUTION_S}::float8)`;
}

/** A session with the provider that confirmed it; null if none did. */
type ListedSession = ConsoleSessionRecord & { readonly provider: string | null };

interface SessionsQuery extends PageRequest {
  readonly of: 'sessions' | 'links';
  readonly operatorId: string | null;
}

async function pageOfRows(
  db: Queryable,
  { after, limit, of, operatorId }: SessionsQuery,
): Promise<Page<ListedSession>> {
  const rows = await db.$queryRaw<ListedSession[]>`
    SELECT ${COLUMNS}, (SELECT provider FROM provider_sessions WHERE session_id = console_sessions.id) AS provider
      FROM console_sessions
     WHERE CASE ${of}::text WHEN 'links' THEN link_hash ELSE hash END IS NOT NULL AND ${USABLE}
       AND (${operatorId}::uuid IS NULL OR operator_id = ${operatorId}::uuid)
       AND console_sessions.id < ${after ?? ABOVE_ALL_IDS}::uuid
     ORDER BY console_sessions.id DESC LIMIT ${limit + 1}`;
  return pageOf(rows, limit, ({ id }) => id);
}

/** The sessions that have not ended, newest first; with `operatorId` only those of this operator. */
export const listConsoleSessions = (
  db: Queryable,
  page: PageRequest & { readonly operatorId: string | null },
): Promise<Page<ListedSession>> => pageOfRows(db, { ...page, of: 'sessions' });

/** The links that can still be used, newest first. */
export const listConsoleLinks = (db: Queryable, page: PageRequest): Promise<Page<ConsoleSessionRecord>> =>
  pageOfRows(db, { ...page, of: 'links', operatorId: null });

/**
 * Ends a session or a link, with the links that it issued and their sessions; every process that gets notices refuses them within 1 s.
 * False if there is none with this id, or, with `operatorId`, it is not this operator's. A second call changes nothing.
 */
export function endConsoleSession(
  deps: ConfigureDeps,
  id: string,
  operatorId: string | null = null,
): Promise<boolean> {
  return inTransaction(deps, async (tx) => {
    const where = operatorId === null ? { id } : { id, operatorId };
    if ((await tx.consoleSession.count({ where })) === 0) return false;
    await endWithIssued(tx, deps, [id]);
    return true;
  });
}

/** What a caller may do now. */
interface CurrentAccess {
  /** Null for a session of the admin token, which has all rights. */
  readonly rights: Pick<OperatorSnapshot, 'scopes' | 'bounds'> | null;
}

/**
 * Reads what a session (`ses_…`) or a token (`otk_…`) gives now, for a change that has waited for a lock. Null if it has ended, or
 * its operator is disabled.
 */
export async function readCurrentAccess(tx: Queryable, credential: string): Promise<CurrentAccess | null> {
  const sessionId = parseId('ses', credential);
  if (sessionId !== null) {
    const [session] = await tx.$queryRaw<{ operator_id: string | null }[]>`
      SELECT operator_id FROM console_sessions WHERE id = ${sessionId}::uuid AND hash IS NOT NULL AND ${USABLE}`;
    if (!session) return null;
    if (session.operator_id === null) return { rights: null };
    const [rights] = await loadOperators(tx, [session.operator_id]);
    return rights ? { rights } : null;
  }
  const tokenId = parseId('otk', credential);
  const stored =
    tokenId && (await tx.operatorToken.findUnique({ where: { id: tokenId }, select: { hash: true } }));
  const [rights] = stored ? await loadOperatorTokens(tx, [stored.hash], () => 0) : [];
  return rights ? { rights } : null;
}
