import { formatId, type OperatorTokenRecord } from '@postrider/domain';
import { bytes, type Queryable, type UnboundDatabase } from '../client.ts';
import { type EndsWith, issueOperatorToken } from '../configure/operator-tokens.ts';
import type { ConfigureDeps } from '../transactions/audit.ts';
import { inTransaction } from '../transactions/transaction.ts';

/** Seconds: how long codes can be used, how often the command line may ask, and how long its token lasts. */
export const DEVICE_LOGIN_S = 600;
export const DEVICE_POLL_S = 5;
const TOKEN_S = 43_200;

/** A sign-in of a command line that waits for a person. */
export interface DeviceLogin {
  /** What asks, in its own words. */
  readonly client: string;
  readonly address: string;
  readonly createdAt: Date;
}

/** Stores a sign-in by the SHA-256 of its codes. False if another one has one of them. */
export async function startDeviceLogin(
  { db, newId }: Pick<ConfigureDeps, 'db' | 'newId'>,
  login: Omit<DeviceLogin, 'createdAt'> & { readonly deviceHash: Uint8Array; readonly userHash: Uint8Array },
): Promise<boolean> {
  const { client, address, deviceHash, userHash } = login;
  const stored = await db.$executeRaw`
    INSERT INTO device_logins (id, device_hash, user_hash, client, address, created_at, expires_at)
    SELECT ${newId()}::uuid, ${bytes(deviceHash)}::bytea, ${bytes(userHash)}::bytea, ${client}, ${address}, now,
           now + make_interval(secs => ${DEVICE_LOGIN_S}::float8)
      FROM (SELECT clock_timestamp()) AS clock (now)
    ON CONFLICT DO NOTHING`;
  return stored > 0;
}

/** The sign-in with this user code that nobody has decided yet; null if there is none. */
export async function findDeviceLogin(
  db: UnboundDatabase,
  userHash: Uint8Array,
): Promise<DeviceLogin | null> {
  const [found] = await db.$queryRaw<DeviceLogin[]>`
    SELECT client, address, created_at AS "createdAt" FROM device_logins
     WHERE user_hash = ${bytes(userHash)}::bytea AND expires_at > clock_timestamp() AND NOT denied
       AND session_id IS NULL`;
  return found ?? null;
}

/** Approves or denies a sign-in, once. False if nobody waits with this user code. */
export async function decideDeviceLogin(
  db: UnboundDatabase,
  decision: { readonly userHash: Uint8Array; readonly sessionId: string; readonly isApproved: boolean },
): Promise<boolean> {
  const { userHash, sessionId, isApproved } = decision;
  const decided = await db.$executeRaw`
    UPDATE device_logins
       SET denied = NOT ${isApproved}, session_id = CASE WHEN ${isApproved} THEN ${sessionId}::uuid END
     WHERE user_hash = ${bytes(userHash)}::bytea AND expires_at > clock_timestamp() AND NOT denied
       AND session_id IS NULL`;
  return decided > 0;
}

/** RFC 8628 section 3.5. `unknown`: there is no such code, or it was used. */
export type DeviceLoginOutcome =
  | { readonly outcome: 'unknown' | 'expired' | 'denied' | 'slow_down' | 'pending' }
  | { readonly outcome: 'issued'; readonly token: OperatorTokenRecord; readonly secret: string };

interface Waiting {
  readonly id: string;
  readonly client: string;
  readonly denied: boolean;
  readonly expired: boolean;
  readonly isTooSoon: boolean;
  readonly sessionId: string | null;
}

interface Approver extends EndsWith, Pick<OperatorTokenRecord, 'operatorId' | 'expiresAt'> {
  readonly actor: string;
}

/**
 * The usable session that approved a sign-in, locked so that its end also finds the token. It is none of a token's link:
 * the new token would outlive that one. Also until when its token lasts: that of the admin token no longer than it.
 */
async function approverOf(tx: Queryable, sessionId: string): Promise<Approver | null> {
  const [row = null] = await tx.$queryRaw<Approver[]>`
    SELECT COALESCE(email, actor) AS actor, operator_id AS "operatorId", admin_digest AS "adminDigest",
           CASE WHEN session_id IS NOT NULL THEN COALESCE(sid, '') END AS "providerSid",
           CASE WHEN operator_id IS NULL THEN LEAST(expires_at, latest) ELSE latest END AS "expiresAt"
      FROM console_sessions LEFT JOIN operators ON operators.id = operator_id
      LEFT JOIN provider_sessions ON session_id = console_sessions.id
     CROSS JOIN (SELECT clock_timestamp() + make_interval(secs => ${TOKEN_S}::float8)) AS clock (latest)
     WHERE console_sessions.id = ${sessionId}::uuid AND ended_at IS NULL AND expires_at > clock_timestamp()
       AND disabled_at IS NULL AND operator_token_id IS NULL FOR SHARE OF console_sessions`;
  return row;
}

/**
 * Exchanges an approved sign-in for a token, once. The token has the rights of the operator who approved it; one that a session
 * of the admin token approved has the role `admin`, and ends with that admin token.
 */
export function redeemDeviceLogin(deps: ConfigureDeps, deviceHash: Uint8Array): Promise<DeviceLoginOutcome> {
  return inTransaction(deps, async (tx): Promise<DeviceLoginOutcome> => {
    const [waiting] = await tx.$queryRaw<Waiting[]>`
      SELECT id, client, denied, session_id AS "sessionId", expires_at <= clock_timestamp() AS expired,
             COALESCE(polled_at > clock_timestamp() - make_interval(secs => ${DEVICE_POLL_S - 1}::float8), false) AS "isTooSoon"
        FROM device_logins WHERE device_hash = ${bytes(deviceHash)}::bytea FOR UPDATE`;
    if (!waiting) return { outcome: 'unknown' };
    const { id, client, denied, sessionId, expired, isTooSoon } = waiting;
    if (expired) return { outcome: 'expired' };
    if (!denied && (isTooSoon || sessionId === null)) {
      await tx.$executeRaw`UPDATE device_logins SET polled_at = clock_timestamp() WHERE id = ${id}::uuid`;
      return { outcome: isTooSoon ? 'slow_down' : 'pending' };
    }
    await tx.$executeRaw`DELETE FROM device_logins WHERE id = ${id}::uuid`;
    const approver = sessionId === null ? null : await approverOf(tx, sessionId);
    if (!approver) return { outcome: 'denied' };
    const { actor: name, operatorId, expiresAt } = approver;
    const kind = operatorId === null ? 'admin_token' : 'operator';
    const credentialId = sessionId && formatId('ses', sessionId);
    const issued = await issueOperatorToken(
      tx,
      { ...deps, actor: { ...deps.actor, name, kind, credentialId } },
      {
        name: `postrider login on ${client}`,
        operatorId,
        role: operatorId === null ? 'admin' : null,
        scopes: [],
        bounded: false,
        tenantIds: [],
        environmentIds: [],
        expiresAt,
      },
      approver,
    );
    return issued ? { outcome: 'issued', ...issued } : { outcome: 'expired' };
  });
}
