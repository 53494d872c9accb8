import { type ConsoleSessionRecord, formatId, presentConsoleSession } from '@postrider/domain';
import { bytes, Prisma, type Queryable } from '../client.ts';
import { type ConfigureDeps, recordAudit } from '../transactions/audit.ts';

/** Total time after which a session ends, in seconds. */
export const ABSOLUTE_S = 43_200;

/** Who a session acts for: a token of an environment, an operator, or the holder of the admin token with this digest. */
export type SessionOwner =
  | { readonly role: 'operator'; readonly adminDigest: Uint8Array }
  | { readonly role: 'operator'; readonly operatorId: string }
  | { readonly role: 'integrator'; readonly environmentId: string; readonly tokenId: string };

/** The columns of a session, or of the row with this alias, by the fields of {@link ConsoleSessionRecord}. */
export const columnsOf = (table: 'console_sessions' | 'link'): Prisma.Sql =>
  Prisma.raw(`${table}.id, ${table}.role, ${table}.actor, ${table}.environment_id AS "environmentId",
    ${table}.operator_id AS "operatorId", ${table}.issuer_id AS "issuerId", ${table}.address, ${table}.user_agent AS "userAgent",
    ${table}.created_at AS "createdAt", ${table}.last_used_at AS "lastUsedAt", ${table}.expires_at AS "expiresAt"`);
export const COLUMNS = columnsOf('console_sessions');

/** Writes the audit entry of a session or a link that was opened, or has ended. */
export async function recordSession(
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
  const shown = presentConsoleSession(session);
  await recordAudit(tx, deps, {
    action,
    resourceId: formatId('ses', session.id),
    environmentId,
    before: ended ? shown : null,
    after: ended ? null : shown,
  });
}

/** Where a session is opened. */
export interface SessionClient {
  /** The IP address. */
  readonly address: string;
  /** The program, as it describes itself. */
  readonly userAgent: string | null;
}

/** The session that issues a link, or the token of an operator; a session that a token's link opened has both. */
export interface LinkIssuer {
  readonly id: string | null;
  readonly operatorTokenId: string | null;
  readonly expiresAt: Date | null;
}

interface NewRow {
  /** A new one by default. */
  readonly id?: string;
  readonly owner: SessionOwner;
  /** That of the actor by default. */
  readonly name?: string;
  /** Where the session was opened; null for a link, which nobody has opened. */
  readonly client: SessionClient | null;
  /** SHA-256 of the cookie, or of a link's code. */
  readonly secret: { readonly hash: Uint8Array } | { readonly linkHash: Uint8Array };
  readonly lifeSeconds: number;
  /** What issues a link, which lives no longer than it. */
  readonly issuer?: LinkIssuer | null;
}

/** Inserts a session or a link, without an audit entry. */
export async function insertSession(
  tx: Queryable,
  deps: ConfigureDeps,
  row: NewRow,
): Promise<ConsoleSessionRecord> {
  const { owner, secret, lifeSeconds, issuer, client } = row;
  const { id = deps.newId(), name = deps.actor.name } = row;
  const hash = 'hash' in secret ? bytes(secret.hash) : null;
  const linkHash = 'linkHash' in secret ? bytes(secret.linkHash) : null;
  const digest = 'adminDigest' in owner ? bytes(owner.adminDigest) : null;
  const operatorId = 'operatorId' in owner ? owner.operatorId : null;
  const { environmentId, tokenId } =
    owner.role === 'integrator' ? owner : { environmentId: null, tokenId: null };
  const [inserted] = await tx.$queryRaw<ConsoleSessionRecord[]>`
    INSERT INTO console_sessions (id, role, actor, environment_id, token_id, admin_digest, operator_id, hash, link_hash,
                                  issuer_id, operator_token_id, address, user_agent, created_at, last_used_at, expires_at)
    SELECT ${id}::uuid, ${owner.role}, ${name}, ${environmentId}::uuid, ${tokenId}::uuid,
           ${digest}::bytea, ${operatorId}::uuid, ${hash}::bytea, ${linkHash}::bytea, ${issuer?.id ?? null}::uuid,
           ${issuer?.operatorTokenId ?? null}::uuid,
           ${client?.address ?? null}, ${client?.userAgent ?? null}, now, now,
           LEAST(now + make_interval(secs => ${lifeSeconds}::float8), ${issuer?.expiresAt ?? null}::timestamptz)
      FROM (SELECT clock_timestamp()) AS clock (now)
    RETURNING ${COLUMNS}`;
  if (!inserted) throw new Error('a session was not stored');
  return inserted;
}

/**
 * Ends sessions and links, each with the links that it issued and the sessions that those opened, and writes an audit
 * entry for each one that had not ended. `except` stays.
 */
export async function endWithIssued(
  tx: Queryable,
  deps: ConfigureDeps,
  ids: readonly string[],
  except: string | null = null,
): Promise<void> {
  let issuers = [...ids];
  // One statement for each generation: a link that is issued meanwhile holds its issuer, and is found by the next one.
  while (issuers.length > 0) {
    const ended = await tx.$queryRaw<(ConsoleSessionRecord & { isLink: boolean })[]>`
      UPDATE console_sessions SET ended_at = clock_timestamp()
       WHERE id = ANY(${issuers}::uuid[]) AND ended_at IS NULL
      RETURNING ${COLUMNS}, link_hash IS NOT NULL AS "isLink"`;
    for (const { isLink, ...session } of ended) {
      const action = isLink ? 'console_session.link_revoked' : 'console_session.ended';
      await recordSession(tx, deps, { action, session, ended: true });
    }
    const issued = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM console_sessions
       WHERE issuer_id = ANY(${issuers}::uuid[]) AND id IS DISTINCT FROM ${except}::uuid`;
    issuers = issued.map(({ id }) => id);
  }
}
