import { Prisma, type Queryable } from '../client.ts';

/** How many days before its end a secret is reported and listed. */
const AHEAD_DAYS = 14;
/**
 * How many days after its end a secret is still reported, such as to a new channel. Together with the days before, this is less than a
 * report is kept: otherwise a certificate that is used for longer would be reported again.
 */
const REPORTED_DAYS = 25;

export const EXPIRING_SECRET_TYPES = ['client_certificate', 'webhook_signing_secret', 'token'] as const;
type ExpiringSecretType = (typeof EXPIRING_SECRET_TYPES)[number];
const [CERTIFICATE, SIGNING_SECRET, TOKEN] = EXPIRING_SECRET_TYPES;

/** A secret that ends soon. */
export interface ExpiringSecret {
  readonly environmentId: string;
  readonly type: ExpiringSecretType;
  /** Id of the channel or token. */
  readonly id: string;
  /** Name of the channel or token. */
  readonly name: string;
  readonly expiresAt: Date;
}

/** Where webhooks and message brokers store the end of their certificate. */
const CERTIFICATE_ENDS = [`config #>> '{tls,expires_at}'`, `config ->> 'certificate_expires_at'`];

/** Channels whose config has a time at `end`. Another kind may store something else there, which must not fail the statement. */
const certificatesEndingAt = (end: string) => `
    SELECT environment_id, '${CERTIFICATE}' AS type, id, name, ends_at AS expires_at
      FROM channels
     CROSS JOIN LATERAL (SELECT CASE
       WHEN ${end} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$'
       THEN (${end})::timestamptz END AS ends_at) AS certificate
     WHERE channels.environment_id = scope.id AND deleted_at IS NULL AND ${end} IS NOT NULL`;

/**
 * SQL: the rows (environment_id, type, id, name, expires_at) of the secrets of the environments in `scope` (id) that end within
 * {@link AHEAD_DAYS} days by the database's clock. Deleted channels and revoked tokens are left out. Expired certificates are
 * included, because their channels still use them. Reads only rows that have an end, through the indexes
 * `channels_certificates`, `channels_broker_certificates`, `channels_previous_secrets` and `tokens_ending`.
 */
export const EXPIRING_SECRETS: Prisma.Sql = Prisma.raw(`(
  SELECT expiring.* FROM scope CROSS JOIN LATERAL (
    ${CERTIFICATE_ENDS.map(certificatesEndingAt).join(' UNION ALL ')}
    UNION ALL
    SELECT environment_id, '${SIGNING_SECRET}', id, name, previous_secret_expires_at FROM channels
     WHERE channels.environment_id = scope.id AND deleted_at IS NULL AND previous_secret_expires_at > now()
    UNION ALL
    SELECT environment_id, '${TOKEN}', id, name, expires_at FROM tokens
     WHERE tokens.environment_id = scope.id AND revoked_at IS NULL AND expires_at > now() AND portal_link_id IS NULL
  ) AS expiring
   WHERE expiring.expires_at <= now() + make_interval(days => ${AHEAD_DAYS}))`);

/** The secrets of these environments that end first, at most `limit` of each. */
export async function readExpiringSecrets(
  db: Queryable,
  environmentIds: readonly string[],
  limit: number,
): Promise<ExpiringSecret[]> {
  return db.$queryRaw<ExpiringSecret[]>`
    WITH scope AS MATERIALIZED (SELECT unnest(${[...environmentIds]}::uuid[]) AS id)
    SELECT environment_id AS "environmentId", type, id, name, expires_at AS "expiresAt"
      FROM (SELECT *, row_number() OVER (PARTITION BY environment_id ORDER BY expires_at, id) AS rank
              FROM ${EXPIRING_SECRETS} AS expiring) AS ranked
     WHERE rank <= ${limit} ORDER BY expires_at, id`;
}

/**
 * Reports secrets that end soon, once for each end, to environments with an operational channel. A rotated secret or
 * a new certificate has another end and is reported again. Returns how many were reported.
 */
export function reportExpiringSecrets(db: Queryable): Promise<number> {
  return db.$executeRaw`
    WITH scope AS MATERIALIZED (
      SELECT DISTINCT environment_id AS id FROM channels WHERE operational AND deleted_at IS NULL
    )
    INSERT INTO operational_events (environment_id, type, dedupe_key, payload)
    SELECT environment_id, 'secret.expiring', report.dedupe_key,
           jsonb_build_object(CASE WHEN expiring.type = ${TOKEN} THEN 'token_id' ELSE 'channel_id' END, id,
             'secret', expiring.type, 'name', name, 'expires_at',
             to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      FROM ${EXPIRING_SECRETS} AS expiring
     CROSS JOIN LATERAL (
       SELECT CASE WHEN expiring.type = ${SIGNING_SECRET} THEN 'secret' ELSE expiring.type END
              || '/' || id || '/' || extract(epoch FROM expires_at) AS dedupe_key) AS report
     WHERE expires_at > now() - make_interval(days => ${REPORTED_DAYS}::int)
       AND NOT EXISTS (SELECT FROM operational_events known WHERE known.dedupe_key = report.dedupe_key)
     ORDER BY report.dedupe_key
    ON CONFLICT (dedupe_key) DO NOTHING`;
}
