import { type ArrayValues, arrays, unnest } from '../arrays.ts';
import { createBatcher } from '../batcher.ts';
import {
  type AnyClient,
  type Database,
  isLockNotAvailable,
  Prisma,
  type Queryable,
  TRANSACTION_LIMITS,
} from '../client.ts';
import { environmentScope } from '../scope/environment-scope.ts';
import { queryRows } from '../statement.ts';
import { changeInEnvironments } from '../transactions/transaction.ts';
import { beginAccepting, createLanes } from './runs.ts';
import type { IdempotencyClaim, IdempotencyRefusal, ResponseToStore } from './types.ts';

/** How long a stored response is replayed (docs/specification.md, "Idempotency"). */
const IDEMPOTENCY_RETENTION_HOURS = 24;

/**
 * How long a request waits for another one that holds the same key (docs/specification.md, "Idempotency":
 * `idempotency_in_progress`).
 */
export const IDEMPOTENCY_WAIT_MS = 2_000;

export interface StoredResponse {
  readonly fingerprint: Uint8Array;
  readonly status: number;
  readonly body: Uint8Array;
}

/**
 * Another transaction held the key for longer than {@link IDEMPOTENCY_WAIT_MS}. The transaction of the caller is
 * aborted.
 */
export class IdempotencyKeyHeldError extends Error {}

/** Thrown inside the transaction to roll it back: the key already has a response. */
class IdempotencyKeyTakenError extends Error {}

/** The identity of a record as one string. */
export function idempotencyScope({ environmentId, operation, key }: IdempotencyClaim): string {
  return `${environmentId} ${operation} ${key}`;
}

/**
 * Stores a response in the caller's transaction and returns whether its key was free (new, or older than 24 hours by
 * the database's clock). Waits for another transaction that is storing the same key, up to the lock timeout, and then
 * throws {@link IdempotencyKeyHeldError}.
 */
export async function storeResponse(tx: AnyClient, response: ResponseToStore): Promise<boolean> {
  try {
    const rows = await tx.$queryRaw<unknown[]>`
      WITH response AS (
        SELECT * FROM ${unnest('response', {
          environment_id: arrays.uuid([response.environmentId]),
          ...responseArrays((read) => [read(response)]),
        })}
      )
      ${insertResponses(Prisma.sql`response`)}
      RETURNING 1 ${environmentScope([response.environmentId])}`;
    return rows.length > 0;
  } catch (error) {
    if (isLockNotAvailable(error)) throw new IdempotencyKeyHeldError();
    throw error;
  }
}

/**
 * Like {@link storeResponse}, for a transaction of {@link createAccepting} that has already done its work: a taken
 * key rolls it back, and the outcome is `duplicate`.
 */
export async function storeOnlyResponse(tx: AnyClient, response: ResponseToStore): Promise<void> {
  if (!(await storeResponse(tx, response))) throw new IdempotencyKeyTakenError();
}

/** Runs an accepting transaction in one environment. It commits completely or leaves nothing. */
export type Accept = <Result>(
  environmentId: string,
  work: (tx: Queryable) => Promise<Result>,
) => Promise<Result | IdempotencyRefusal>;

/** Creates {@link Accept} with a queue, so that calls wait for their turn and not for a connection. */
export function createAccepting(db: Database): Accept {
  const inLane = createLanes();
  return async <Result>(environmentId: string, work: (tx: Queryable) => Promise<Result>) => {
    const transaction = () =>
      changeInEnvironments(db, [environmentId], async (tx) => {
        await beginAccepting(tx, IDEMPOTENCY_WAIT_MS);
        return work(tx);
      });
    try {
      return await inLane(environmentId, transaction);
    } catch (error) {
      if (error instanceof IdempotencyKeyTakenError) return { outcome: 'duplicate' };
      if (error instanceof IdempotencyKeyHeldError) return { outcome: 'in_progress' };
      throw error;
    }
  };
}

/**
 * Responses as columns of a step for {@link insertResponses}.
 * @param each returns one property of every response, or null for a creation without a response
 */
export function responseArrays<Input>(
  each: <Value>(read: (response: ResponseToStore) => Value) => ArrayValues<Value, Input>,
) {
  return {
    operation: arrays.text(each(({ operation }) => operation)),
    key: arrays.uuid(each(({ key }) => key)),
    fingerprint: arrays.bytea(each(({ fingerprint }) => fingerprint)),
    response_status: arrays.int4(each(({ responseStatus }) => responseStatus)),
    response_body: arrays.bytea(each(({ responseBody }) => responseBody)),
  };
}

/** The statement that stores those responses of a step ({@link responseArrays}) whose keys are free. */
export const insertResponses = (step: Prisma.Sql): Prisma.Sql => Prisma.sql`
        INSERT INTO idempotency_records AS stored
          (environment_id, operation, key, fingerprint, response_status, response_body, created_at, expires_at)
        SELECT environment_id, operation, key, fingerprint, response_status, response_body, now(),
               now() + make_interval(hours => ${IDEMPOTENCY_RETENTION_HOURS}::int)
          FROM ${step}
         ORDER BY environment_id, operation, key
        ON CONFLICT (environment_id, operation, key) DO UPDATE
          SET fingerprint = EXCLUDED.fingerprint, response_status = EXCLUDED.response_status,
              response_body = EXCLUDED.response_body, created_at = EXCLUDED.created_at,
              expires_at = EXCLUDED.expires_at
          WHERE stored.expires_at <= now()`;

/** Longer than the short lock waits of a busy server, which do not mean that the key is held. */
const PROBE_WAIT_MS = 50;

/** `held`: by an open transaction. `taken`: a response is stored. `free`: neither. */
export type KeyState = 'held' | 'taken' | 'free';

/** Thrown to roll a probe back. */
class ProbeOver extends Error {
  readonly state: KeyState;

  constructor(state: KeyState) {
    super(state);
    this.state = state;
  }
}

/**
 * Checks whether a key is free now, to explain a lock timeout, for which PostgreSQL does not name the row: if it is
 * `free`, the statement waited for another row. A key that is being stored is invisible to others, so the probe
 * stores it and rolls back.
 */
export async function probeKey(db: Database, response: ResponseToStore): Promise<KeyState> {
  try {
    return await db.$transaction(async (tx): Promise<KeyState> => {
      await beginAccepting(tx, PROBE_WAIT_MS);
      throw new ProbeOver((await storeResponse(tx, response)) ? 'free' : 'taken');
    }, TRANSACTION_LIMITS);
  } catch (error) {
    if (error instanceof ProbeOver) return error.state;
    if (error instanceof IdempotencyKeyHeldError) return 'held';
    throw error;
  }
}

type ResponseRow = {
  scope: string;
  fingerprint: Uint8Array;
  response_status: number;
  response_body: Uint8Array;
};

/**
 * The stored responses for these scopes, in the order of the claims; null for none, or if it is older than 24 hours
 * by the database's clock.
 */
export async function findResponses(
  db: AnyClient,
  claims: readonly IdempotencyClaim[],
): Promise<(StoredResponse | null)[]> {
  const statement = Prisma.sql`
    SELECT environment_id || ' ' || operation || ' ' || key AS scope, fingerprint, response_status, response_body
      FROM idempotency_records
      JOIN unnest(
        ${claims.map((claim) => claim.environmentId)}::uuid[],
        ${claims.map((claim) => claim.operation)}::text[],
        ${claims.map((claim) => claim.key)}::uuid[]
      ) AS claim (environment_id, operation, key) USING (environment_id, operation, key)
     WHERE expires_at > now()
    ${environmentScope(claims.map(({ environmentId }) => environmentId))}`;
  const rows = await queryRows<ResponseRow>(db, statement);
  const byScope = new Map(rows.map((row) => [row.scope, row]));
  return claims.map((claim) => {
    const row = byScope.get(idempotencyScope(claim));
    return row
      ? { fingerprint: row.fingerprint, status: row.response_status, body: row.response_body }
      : null;
  });
}

/** Finds the stored response of one scope, see {@link findResponses}. */
export type FindStoredResponse = (claim: IdempotencyClaim) => Promise<StoredResponse | null>;

/** Creates the look-up. Concurrent calls share a query. */
export function createStoredResponseLookup(db: AnyClient): FindStoredResponse {
  return createBatcher<IdempotencyClaim, StoredResponse | null>((claims) => findResponses(db, claims), {
    maxItems: 256,
    maxInFlight: 2,
    isItemError: () => false,
  });
}
