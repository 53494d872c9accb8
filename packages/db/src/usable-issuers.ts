import { Prisma } from './client.ts';

/** Idle time after which a session of the console ends, in seconds. */
export const IDLE_S = 3_600;

/** Whether the token that issued this session's link, if one did, is still valid. `column` has its id. */
export const issuedByValidToken = (column: string) =>
  Prisma.raw(`(${column} IS NULL OR EXISTS (
  SELECT FROM operator_tokens AS issuing WHERE issuing.id = ${column} AND issuing.revoked_at IS NULL
     AND (issuing.expires_at IS NULL OR issuing.expires_at > clock_timestamp())))`);

/** A session that has not ended, and whose token is still valid, was not rotated, and is not bound to a consumer. */
export const USABLE = Prisma.raw(`ended_at IS NULL AND console_sessions.expires_at > clock_timestamp()
  AND console_sessions.last_used_at > clock_timestamp() - make_interval(secs => ${IDLE_S}::float8)
  AND (token_id IS NULL OR EXISTS (
    SELECT FROM tokens WHERE tokens.id = token_id AND revoked_at IS NULL AND replaced_by_id IS NULL
       AND tokens.consumer_id IS NULL
       AND (tokens.expires_at IS NULL OR tokens.expires_at > clock_timestamp())))
  AND (console_sessions.operator_id IS NULL OR EXISTS (
    SELECT FROM operators WHERE operators.id = console_sessions.operator_id AND disabled_at IS NULL))
  AND ${issuedByValidToken('console_sessions.operator_token_id').sql}`);

/**
 * Whether a session of the portal is not one of an issuer that has ended: a token, an operator, or a session of the console. `column` has
 * the id of its link, or null.
 */
export const issuedByValidIssuer = (column: string) =>
  Prisma.raw(`NOT EXISTS (
  SELECT FROM portal_links AS link
    LEFT JOIN tokens AS issuer ON issuer.id = link.issuer_id
    LEFT JOIN operator_tokens AS operators_token ON operators_token.id = link.operator_token_id
    LEFT JOIN operators AS operator ON operator.id = COALESCE(link.operator_id, operators_token.operator_id)
   WHERE link.id = ${column}
     AND (issuer.revoked_at IS NOT NULL OR issuer.expires_at <= clock_timestamp() OR operator.disabled_at IS NOT NULL
          OR operators_token.revoked_at IS NOT NULL OR operators_token.expires_at <= clock_timestamp()
          OR EXISTS (SELECT FROM console_sessions WHERE console_sessions.id = link.console_session_id AND NOT (${USABLE.sql}))))`);
