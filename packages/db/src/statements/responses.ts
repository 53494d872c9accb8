import { type IdempotencyClaim, idempotencyScope } from '@postrider/domain';
import type { ResponseToStore } from '../accept/idempotency.ts';
import type { AnyClient } from '../client.ts';
import { defineStatement } from '../statement.ts';

/** How long a stored response is replayed (docs/specification.md, "Idempotency"). */
const IDEMPOTENCY_RETENTION_HOURS = 24;

/** SQL of the last two columns of the rows of {@link storingResponses}. */
export const RESPONSE_TIMES = `now(), now() + interval '${IDEMPOTENCY_RETENTION_HOURS} h'`;

/**
 * SQL that stores responses whose keys are free: new, or older than {@link IDEMPOTENCY_RETENTION_HOURS}.
 * @param rows SQL of the rows: environment, operation, key, fingerprint, status, body and {@link RESPONSE_TIMES}
 */
export const storingResponses = (rows: string) => `
  INSERT INTO idempotency_records AS record
    (environment_id, operation, key, fingerprint, response_status, response_body, created_at, expires_at)
  ${rows}
  ON CONFLICT (environment_id, operation, key) DO UPDATE
    SET fingerprint = EXCLUDED.fingerprint, response_status = EXCLUDED.response_status,
        response_body = EXCLUDED.response_body, created_at = EXCLUDED.created_at, expires_at = EXCLUDED.expires_at
    WHERE record.expires_at <= now()`;

const insert = defineStatement<ResponseToStore, { stored: true }>({
  text: `${storingResponses(`
    VALUES (:environmentId::uuid, :operation, :key::uuid, :fingerprint::bytea, :status::int, :body::bytea, ${RESPONSE_TIMES})`)}
    RETURNING true AS stored`,
  environments: ({ environmentId }) => [environmentId],
});

/** Stores a response if its key is free: new, or older than 24 hours by the database's clock. Returns whether it was. */
export async function insertResponse(tx: AnyClient, response: ResponseToStore): Promise<boolean> {
  return (await insert(tx, response)).length > 0;
}

export type StoredResponse = Pick<ResponseToStore, 'fingerprint' | 'status' | 'body'>;

interface ResponseRow extends StoredResponse {
  readonly scope: string;
}

const find = defineStatement<readonly IdempotencyClaim[], ResponseRow>({
  text: `
    SELECT environment_id || ' ' || operation || ' ' || key AS scope, fingerprint, response_status AS status, response_body AS body
      FROM idempotency_records
      JOIN unnest(:environmentId::uuid[], :operation::text[], :key::uuid[])
        AS claim (environment_id, operation, key) USING (environment_id, operation, key)
     WHERE expires_at > now()`,
  environments: (claims) => claims.map(({ environmentId }) => environmentId),
});

/**
 * The stored responses for these scopes, in the order of the claims; null for none, or if it is older than 24 hours
 * by the database's clock.
 */
export async function findResponses(
  db: AnyClient,
  claims: readonly IdempotencyClaim[],
): Promise<(StoredResponse | null)[]> {
  const byScope = new Map((await find(db, claims)).map(({ scope, ...response }) => [scope, response]));
  return claims.map((claim) => byScope.get(idempotencyScope(claim)) ?? null);
}
