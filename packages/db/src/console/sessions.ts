import {
  type ConsoleRole,
  type ConsoleSessionRecord,
  formatId,
  presentConsoleSession,
} from '@postrider/domain';
import { Prisma, type Queryable, type UnboundDatabase } from '../client.ts';
import { type Page, type PageRequest, pageOf } from '../pages.ts';
import { type ConfigureDeps, recordAudit } from '../transactions/audit.ts';
import { inTransaction } from '../transactions/transaction.ts';

/** Seconds: idle time and total time after which a session ends, and the lifetime of a link. */
const IDLE_S = 3_600;
const ABSOLUTE_S = 43_200;
const LINK_S = 600;

/** The last use is written if it is older than this, in seconds. More often would add nothing. */
const USE_RESOLUTION_S = 60;

/** Who a session acts for: a token of an environment, or the operator whose admin token has this digest. */
type SessionOwner =
  | { readonly role: 'operator'; readonly adminDigest: Uint8Array }
  | { readonly role: 'integrator'; readonly environmentId: string; readonly tokenId: string };

interface SessionRow {
  id: string;
  role: ConsoleRole;
  actor: string;
  environment_id: string | null;
  issuer_id: string | null;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  is_link: boolean;
}

const COLUMNS = Prisma.sql`console_sessions.id, role, actor, console_sessions.environment_id,
  console_sessions.issuer_id, console_sessions.created_at, console_sessions.last_used_at,
  console_sessions.expires_at, link_hash IS NOT NULL AS is_link`;

/** A session that has not ended, and whose token is still valid and was not rotated. */
const USABLE = Prisma.sql`ended_at IS NULL AND console_sessions.expires_at > clock_timestamp()
  AND console_sessions.last_used_at > clock_timestamp() - make_interval(secs => ${IDLE_S}::float8)
  AND (token_id IS NULL OR EXISTS (
    SELECT FROM tokens WHERE tokens.id = token_id AND revoked_at IS NULL AND replaced_by_id IS NULL
       AND (tokens.expires_at IS NULL OR tokens.expires_at > clock_timestamp())))`;

const toRecord = (row: SessionRow): ConsoleSessionRecord => ({
  id: row.id,
  role: row.role,
  actor: row.actor,
  environmentId: row.environment_id,
  issuerId: row.issuer_id,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
});

/** Copies into its own buffer, as Prisma's type for bytes requires. */
const bytes = (value: Uint8Array) => Uint8Array.from(value);

async function record(
  tx: Queryable,
  deps: ConfigureDeps,
  change: {
    readonly action: `console_session.${string}`;
    readonly session: ConsoleSessionRecord;
    readonly ended?: boolean;
  },
): Promise<void> {
  const { action, session, ended = false } = change;
  const { environmentId } = session;
  const environment = environmentId && (await tx.environment.findUnique({ where: { id: environmentId } }));
  const shown = presentConsoleSession(session);
  await recordAudit(tx, deps, {
    action,
    resourceId: formatId('ses', session.id),
    tenantId: environment ? environment.tenantId : null,
    environmentId,
    before: ended ? shown : null,
    after: ended ? null : shown,
  });
}

interface NewRow {
  readonly owner: SessionOwner;
  /** SHA-256 of the cookie, or of a link's code. */
  readonly secret: { readonly hash: Uint8Array } | { readonly linkHash: Uint8Array };
  readonly lifeSeconds: number;
  /** The session that issues a link, which lives no longer than it. */
  readonly issuer?: { readonly id: string; readonly expiresAt: Date } | null;
}

async function insert(tx: Queryable, deps: ConfigureDeps, row: NewRow): Promise<ConsoleSessionRecord> {
  const { owner, secret, lifeSeconds, issuer } = row;
  const hash = 'hash' in secret ? bytes(secret.hash) : null;
  const linkHash = 'linkHash' in secret ? bytes(secret.linkHash) : null;
  const digest = owner.role === 'operator' ? bytes(owner.adminDigest) : null;
  const { environmentId, tokenId } =
    owner.role === 'integrator' ? owner : { environmentId: null, tokenId: null };
  const [inserted] = await tx.$queryRaw<SessionRow[]>`
    INSERT INTO console_sessions (id, role, actor, environment_id, token_id, admin_digest, hash, link_hash, issuer_id,
                                  created_at, last_used_at, expires_at)
    SELECT ${deps.newId()}::uuid, ${owner.role}, ${deps.actor.name}, ${environmentId}::uuid, ${tokenId}::uuid,
           ${digest}::bytea, ${hash}::bytea, ${linkHash}::bytea, ${issuer?.id ?? null}::uuid, now, now,
           LEAST(now + make_interval(secs => ${lifeSeconds}::float8), ${issuer?.expiresAt ?? null}::timestamptz)
      FROM (SELECT clock_timestamp()) AS clock (now)
    RETURNING ${COLUMNS}`;
  if (!inserted) throw new Error('a session was not stored');
  return toRecord(inserted);
}

/**
 * Ends sessions and links, each with the links that it issued and the sessions that those opened, and writes an audit
 * entry for each one that had not ended. `except` stays.
 */
async function endWithIssued(
  tx: Queryable,
  deps: ConfigureDeps,
  ids: readonly string[],
  except: string | null = null,
): Promise<void> {
  let issuers = [...ids];
  // One statement for each generation: a link that is issued meanwhile holds its issuer, and is found by the next one.
  while (issuers.length > 0) {
    const ended = await tx.$queryRaw<SessionRow[]>`
      UPDATE console_sessions SET ended_at = clock_timestamp()
       WHERE id = ANY(${issuers}::uuid[]) AND ended_at IS NULL RETURNING ${COLUMNS}`;
    for (const row of ended) {
      const action = row.is_link ? 'console_session.link_revoked' : 'console_session.ended';
      await record(tx, deps, { action, session: toRecord(row), ended: true });
    }
    const issued = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM console_sessions
       WHERE issuer_id = ANY(${issuers}::uuid[]) AND id IS DISTINCT FROM ${except}::uuid`;
    issuers = issued.map(({ id }) => id);
  }
}

/** The hash of a new session's cookie, and the sessions that it replaces in its browser, which end. */
interface NewSession {
  /** SHA-256 of its cookie. */
  readonly hash: Uint8Array;
  readonly replaces: readonly string[];
}

/** Opens a session, with its audit entry. */
export function openConsoleSession(
  deps: ConfigureDeps,
  { owner, hash, replaces }: NewSession & { readonly owner: SessionOwner },
): Promise<ConsoleSessionRecord> {
  return inTransaction(deps, async (tx) => {
    const session = await insert(tx, deps, { owner, secret: { hash }, lifeSeconds: ABSOLUTE_S });
    await record(tx, deps, { action: 'console_session.opened', session });
    await endWithIssued(tx, deps, replaces);
    return session;
  });
}

interface NewLink {
  readonly adminDigest: Uint8Array;
  /** SHA-256 of its code. */
  readonly linkHash: Uint8Array;
  /** The session that issues it; null for the admin token. */
  readonly issuerId: string | null;
}

/** Stores a one-time link for an operator. Null if the session that issues it has ended. */
export function issueConsoleLink(
  deps: ConfigureDeps,
  { adminDigest, linkHash, issuerId }: NewLink,
): Promise<ConsoleSessionRecord | null> {
  return inTransaction(deps, async (tx) => {
    // The lock makes the end of the issuer wait until its link can be found.
    const [issuer = null] = issuerId
      ? await tx.$queryRaw<{ id: string; expiresAt: Date }[]>`
          SELECT id, expires_at AS "expiresAt" FROM console_sessions
           WHERE id = ${issuerId}::uuid AND hash IS NOT NULL AND ${USABLE} FOR SHARE`
      : [];
    if (issuerId && !issuer) return null;
    const owner = { role: 'operator', adminDigest } as const;
    const link = await insert(tx, deps, { owner, secret: { linkHash }, lifeSeconds: LINK_S, issuer });
    await record(tx, deps, { action: 'console_session.link_issued', session: link });
    return link;
  });
}

/**
 * Exchanges a link for a session, once, in the name of the actor who requested the link. The session ends no later than
 * the one that issued the link. Null if the link is unknown, expired, used, revoked, or of another admin token, or if its
 * issuer has ended.
 */
export function redeemConsoleLink(
  deps: ConfigureDeps,
  { linkHash, hash, replaces, adminDigest }: NewSession & { linkHash: Uint8Array; adminDigest: Uint8Array },
): Promise<ConsoleSessionRecord | null> {
  return inTransaction(deps, async (tx) => {
    const [row] = await tx.$queryRaw<SessionRow[]>`
      UPDATE console_sessions AS link
         SET link_hash = NULL, hash = ${bytes(hash)}::bytea, last_used_at = clock_timestamp(),
             expires_at = LEAST(clock_timestamp() + make_interval(secs => ${ABSOLUTE_S}::float8),
               (SELECT issuer.expires_at FROM console_sessions AS issuer WHERE issuer.id = link.issuer_id))
       WHERE link_hash = ${bytes(linkHash)}::bytea AND ended_at IS NULL AND expires_at > clock_timestamp()
         AND admin_digest = ${bytes(adminDigest)}::bytea
         AND (issuer_id IS NULL
              OR EXISTS (SELECT FROM console_sessions WHERE console_sessions.id = link.issuer_id AND ${USABLE}))
      RETURNING id, role, actor, environment_id, issuer_id, created_at, last_used_at, expires_at, false AS is_link`;
    if (!row) return null;
    const session = toRecord(row);
    const actor = { ...deps.actor, name: session.actor };
    await record(tx, { ...deps, actor }, { action: 'console_session.opened', session });
    // A browser may open a link of its own session: that session ends, and the new one stays.
    await endWithIssued(tx, { ...deps, actor }, replaces, session.id);
    return session;
  });
}

/** A session that was usable when it was read, with its owner. */
export interface UsableSession extends ConsoleSessionRecord {
  readonly tokenId: string | null;
  readonly adminDigest: Uint8Array | null;
  readonly idleExpiresAt: Date;
  /** Whether its last use should be written. */
  readonly isUseStale: boolean;
}

interface UsableRow extends SessionRow {
  hash: string;
  token_id: string | null;
  admin_digest: Uint8Array | null;
  is_use_stale: boolean;
}

/** Finds usable sessions by the SHA-256 of their cookies, in the order of the hashes; null for others. */
export async function findConsoleSessions(
  db: UnboundDatabase,
  hashes: readonly Uint8Array[],
): Promise<(UsableSession | null)[]> {
  const texts = hashes.map((hash) => Buffer.from(hash).toString('hex'));
  const rows = await db.$queryRaw<UsableRow[]>`
    SELECT ${COLUMNS}, encode(hash, 'hex') AS hash, token_id, admin_digest,
           console_sessions.last_used_at < clock_timestamp() - make_interval(secs => ${USE_RESOLUTION_S}::float8)
             AS is_use_stale
      FROM console_sessions
     WHERE hash IN (SELECT decode(text, 'hex') FROM unnest(${texts}::text[]) AS text) AND ${USABLE}`;
  const byHash = new Map(
    rows.map((row) => [
      row.hash,
      {
        ...toRecord(row),
        tokenId: row.token_id,
        adminDigest: row.admin_digest,
        idleExpiresAt: new Date(
          Math.min(row.last_used_at.getTime() + IDLE_S * 1_000, row.expires_at.getTime()),
        ),
        isUseStale: row.is_use_stale,
      },
    ]),
  );
  return texts.map((text) => byHash.get(text) ?? null);
}

/** Records that a session was used now, at most once a minute. */
export async function recordConsoleSessionUse(db: UnboundDatabase, id: string): Promise<void> {
  await db.$executeRaw`
    UPDATE console_sessions SET last_used_at = clock_timestamp()
     WHERE id = ${id}::uuid AND ended_at IS NULL
       AND last_used_at < clock_timestamp() - make_interval(secs => ${USE_RESOLUTION_S}::float8)`;
}

async function pageOfRows(
  db: Queryable,
  { after, limit }: PageRequest,
  which: Prisma.Sql,
): Promise<Page<ConsoleSessionRecord>> {
  const before = after === null ? Prisma.empty : Prisma.sql`AND console_sessions.id < ${after}::uuid`;
  const rows = await db.$queryRaw<SessionRow[]>`
    SELECT ${COLUMNS} FROM console_sessions
     WHERE ${which} AND ${USABLE} ${before} ORDER BY console_sessions.id DESC LIMIT ${limit + 1}`;
  return pageOf(rows.map(toRecord), limit, ({ id }) => id);
}

/** The sessions that have not ended, newest first. */
export function listConsoleSessions(db: Queryable, page: PageRequest): Promise<Page<ConsoleSessionRecord>> {
  return pageOfRows(db, page, Prisma.sql`hash IS NOT NULL`);
}

/** The links that can still be used, newest first. */
export function listConsoleLinks(db: Queryable, page: PageRequest): Promise<Page<ConsoleSessionRecord>> {
  return pageOfRows(db, page, Prisma.sql`link_hash IS NOT NULL`);
}

/**
 * Ends a session or a link, with the links that it issued and their sessions; every process refuses them within 5 s.
 * False if there is none with this id. A second call changes nothing.
 */
export function endConsoleSession(deps: ConfigureDeps, id: string): Promise<boolean> {
  return inTransaction(deps, async (tx) => {
    await endWithIssued(tx, deps, [id]);
    return (await tx.consoleSession.count({ where: { id } })) > 0;
  });
}

/** Removes up to `limit` expired sessions and links. Returns how many. */
export function deleteExpiredConsoleSessions(db: UnboundDatabase, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM console_sessions WHERE id = ANY(ARRAY(
      SELECT id FROM console_sessions WHERE expires_at <= now() ORDER BY expires_at LIMIT ${limit}))`;
}
