import { createBatcher } from '../batcher.ts';
import {
  type AnyClient,
  type Database,
  databaseErrorCodes,
  LOCK_NOT_AVAILABLE,
  TRANSACTION_LIMITS,
} from '../client.ts';
import { environmentScope } from '../scope/environment-scope.ts';
import { beginAccepting } from './insert-runs.ts';
import type { IdempotencyClaim } from './types.ts';

/** How long a stored answer is replayed (docs/specification.md, "Idempotency"). */
export const IDEMPOTENCY_RETENTION_HOURS = 24;

/**
 * How long a request waits for another one that holds the same key (docs/specification.md, "Idempotency":
 * `idempotency_in_progress`).
 */
export const IDEMPOTENCY_WAIT_MS = 2_000;

export interface StoredAnswer {
  readonly fingerprint: Uint8Array;
  readonly status: number;
  readonly body: Uint8Array;
}

export interface AnswerToStore extends IdempotencyClaim {
  readonly responseStatus: number;
  readonly responseBody: Uint8Array;
}

/**
 * Another transaction held the key for longer than {@link IDEMPOTENCY_WAIT_MS}; the caller's transaction is
 * void.
 */
export class IdempotencyKeyHeldError extends Error {}

/** The identity of a record as one string. */
export function idempotencyScope({ environmentId, operation, key }: IdempotencyClaim): string {
  return `${environmentId} ${operation} ${key}`;
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/**
 * Stores answers in the caller's transaction and returns the scopes that were free (new, or older than 24
 * hours by the database's clock). A scope that is missing from the result has an answer already. Waits for
 * another transaction that is storing the same scope, within the transaction's lock timeout, else throws
 * {@link IdempotencyKeyHeldError}; keys are taken in one global order so that two batches cannot deadlock.
 */
export async function storeAnswers(
  tx: AnyClient,
  answers: readonly AnswerToStore[],
): Promise<ReadonlySet<string>> {
  if (answers.length === 0) return new Set();
  try {
    return await insertAnswers(tx, answers);
  } catch (error) {
    if (databaseErrorCodes(error).includes(LOCK_NOT_AVAILABLE)) throw new IdempotencyKeyHeldError();
    throw error;
  }
}

async function insertAnswers(tx: AnyClient, answers: readonly AnswerToStore[]): Promise<ReadonlySet<string>> {
  const rows = await tx.$queryRaw<{ scope: string }[]>`
    INSERT INTO idempotency_records AS stored
      (environment_id, operation, key, fingerprint, response_status, response_body, created_at, expires_at)
    SELECT environment_id, operation, key, decode(fingerprint, 'hex'), response_status, decode(response_body, 'hex'),
           now(), now() + make_interval(hours => ${IDEMPOTENCY_RETENTION_HOURS}::int)
      FROM unnest(
        ${answers.map((answer) => answer.environmentId)}::uuid[],
        ${answers.map((answer) => answer.operation)}::text[],
        ${answers.map((answer) => answer.key)}::uuid[],
        ${answers.map((answer) => hex(answer.fingerprint))}::text[],
        ${answers.map((answer) => answer.responseStatus)}::int[],
        ${answers.map((answer) => hex(answer.responseBody))}::text[]
      ) AS answer (environment_id, operation, key, fingerprint, response_status, response_body)
     ORDER BY environment_id, operation, key
    ON CONFLICT (environment_id, operation, key) DO UPDATE
      SET fingerprint = EXCLUDED.fingerprint, response_status = EXCLUDED.response_status,
          response_body = EXCLUDED.response_body, created_at = EXCLUDED.created_at, expires_at = EXCLUDED.expires_at
      WHERE stored.expires_at <= now()
    RETURNING environment_id || ' ' || operation || ' ' || key AS scope
    ${environmentScope(answers.map(({ environmentId }) => environmentId))}`;
  return new Set(rows.map((row) => row.scope));
}

/** Long enough for the short waits of a busy server, which are no sign of a transaction that holds the key. */
const PROBE_WAIT_MS = 50;

/** `held` by a transaction that has not ended, `taken` by an answer that is stored, or `free`. */
export type KeyState = 'held' | 'taken' | 'free';

/** Rolls a probe back. */
class ProbeOver extends Error {
  readonly state: KeyState;

  constructor(state: KeyState) {
    super(state);
    this.state = state;
  }
}

/**
 * How it stands with a key at this moment. It tells what a statement has waited for in vain, which Postgres does
 * not say in a way that is passed on: with a key that is `free` it was another row. A key that is being stored
 * is seen by nobody, so that storing it is the only way to find out; nothing of that is left behind.
 */
export async function probeKey(db: Database, answer: AnswerToStore): Promise<KeyState> {
  try {
    return await db.$transaction(async (tx): Promise<KeyState> => {
      await beginAccepting(tx, PROBE_WAIT_MS);
      const free = await storeAnswers(tx, [answer]);
      throw new ProbeOver(free.size > 0 ? 'free' : 'taken');
    }, TRANSACTION_LIMITS);
  } catch (error) {
    if (error instanceof ProbeOver) return error.state;
    if (error instanceof IdempotencyKeyHeldError) return 'held';
    throw error;
  }
}

type AnswerRow = {
  scope: string;
  fingerprint: Uint8Array;
  response_status: number;
  response_body: Uint8Array;
};

/**
 * The answers stored for some scopes, in the claims' order; null where there is none or it is older than 24
 * hours by the database's clock.
 */
export async function findAnswers(
  db: AnyClient,
  claims: readonly IdempotencyClaim[],
): Promise<(StoredAnswer | null)[]> {
  const rows = await db.$queryRaw<AnswerRow[]>`
    SELECT environment_id || ' ' || operation || ' ' || key AS scope, fingerprint, response_status, response_body
      FROM idempotency_records
      JOIN unnest(
        ${claims.map((claim) => claim.environmentId)}::uuid[],
        ${claims.map((claim) => claim.operation)}::text[],
        ${claims.map((claim) => claim.key)}::uuid[]
      ) AS claim (environment_id, operation, key) USING (environment_id, operation, key)
     WHERE expires_at > now()
    ${environmentScope(claims.map(({ environmentId }) => environmentId))}`;
  const byScope = new Map(rows.map((row) => [row.scope, row]));
  return claims.map((claim) => {
    const row = byScope.get(idempotencyScope(claim));
    return row
      ? { fingerprint: row.fingerprint, status: row.response_status, body: row.response_body }
      : null;
  });
}

/** Looks up the answer stored for one scope, see {@link findAnswers}. */
export type FindStoredAnswer = (claim: IdempotencyClaim) => Promise<StoredAnswer | null>;

/** Creates the look-up whose concurrent calls share one query. */
export function createStoredAnswerLookup(db: AnyClient): FindStoredAnswer {
  return createBatcher<IdempotencyClaim, StoredAnswer | null>((claims) => findAnswers(db, claims), {
    maxItems: 256,
    maxInFlight: 2,
    isItemFault: () => false,
  });
}
