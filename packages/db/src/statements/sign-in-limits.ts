import { createHash } from 'node:crypto';
import type { BucketRate } from '@postrider/domain';
import type { AnyClient } from '../client.ts';
import { defineStatement } from '../statement.ts';

/** What an attempt counts against. */
export interface AttemptLimit {
  /** What is counted, such as `address 192.0.2.1`. Only its hash is stored. */
  readonly key: string;
  readonly rate: BucketRate;
  /**
   * `shared`: others can use this bucket up, such as that of an account. It does not refuse an attempt whose `own` bucket
   * is full, so that a client who has not failed lately can always try once.
   */
  readonly kind: 'own' | 'shared' | 'strict';
}

type AttemptCharge =
  /** `charged`: those of the limits that had room. */
  | { readonly outcome: 'allowed'; readonly charged: readonly AttemptLimit[] }
  | { readonly outcome: 'refused'; readonly retryAfterMs: number };

const hashOf = ({ key }: AttemptLimit) => createHash('sha256').update(key).digest();
const stepMsOf = ({ rate }: AttemptLimit) => Math.round(1_000 / rate.requestsPerSecond);

/**
 * The cell rate algorithm of the domain's `takeTokens`, on the clock of the database. Nothing is charged if one bucket
 * refuses. Two attempts at once can see the same state; the condition on the locked row then lets only as many of them
 * pass as the bucket allows, and buckets before it in the order of keys keep the charge of one that does not pass.
 */
const charge = defineStatement<
  readonly AttemptLimit[],
  { charged: string[]; expected: number; wait_ms: number | null }
>({
  text: `
    WITH asked AS MATERIALIZED (
      SELECT row.key, row.kind, row.step * interval '1 ms' AS step, now,
             GREATEST(COALESCE(full_at, now), now) AS state, now + row.step * row.burst * interval '1 ms' AS latest
        FROM (SELECT unnest((SELECT :keys::bytea[])) AS key, unnest(:kind::text[]) AS kind,
                     unnest(:steps::int4[]) AS step, unnest(:bursts::int4[]) AS burst) AS row
       CROSS JOIN (SELECT clock_timestamp()) AS clock (now)
        LEFT JOIN sign_in_limits USING (key)),
    refusing AS MATERIALIZED (
      SELECT max(state + step - latest) AS wait FROM asked
       WHERE state + step > latest
         AND (kind <> 'shared' OR EXISTS (SELECT FROM asked AS own WHERE own.kind = 'own' AND own.state > own.now))),
    charged AS (
      INSERT INTO sign_in_limits AS stored (key, full_at)
      SELECT key, state + step FROM asked
       WHERE (SELECT wait FROM refusing) IS NULL AND state + step <= latest ORDER BY key
      ON CONFLICT (key) DO UPDATE SET full_at = (
        SELECT GREATEST(stored.full_at, now) + step FROM asked WHERE asked.key = stored.key)
       WHERE (SELECT GREATEST(stored.full_at, now) + step <= latest FROM asked WHERE asked.key = stored.key)
      RETURNING key)
    SELECT ARRAY(SELECT encode(key, 'hex') FROM charged) AS charged,
           (SELECT count(*) FROM asked WHERE state + step <= latest)::int4 AS expected,
           (SELECT extract(epoch FROM wait) * 1000 FROM refusing)::float8 AS wait_ms`,
  parameters: {
    keys: (limits) => limits.map(hashOf),
    steps: (limits) => limits.map(stepMsOf),
    bursts: (limits) => limits.map(({ rate }) => rate.burst),
  },
});

/** Counts an attempt against all of these buckets, or refuses it if one of them is used up. One statement. */
export async function chargeAttempt(db: AnyClient, limits: readonly AttemptLimit[]): Promise<AttemptCharge> {
  const [row] = await charge(db, limits);
  if (!row) throw new Error('the limits of sign-ins gave no answer');
  const { charged, expected, wait_ms: waitMs } = row;
  if (waitMs !== null) return { outcome: 'refused', retryAfterMs: waitMs };
  if (charged.length === expected) {
    const isCharged = (limit: AttemptLimit) => charged.includes(hashOf(limit).toString('hex'));
    return { outcome: 'allowed', charged: limits.filter(isCharged) };
  }
  return { outcome: 'refused', retryAfterMs: Math.min(...limits.map(stepMsOf)) };
}

const refund = defineStatement<readonly AttemptLimit[], never>({
  text: `
    UPDATE sign_in_limits SET full_at = full_at - step * interval '1 ms'
      FROM (SELECT unnest((SELECT :keys::bytea[])) AS key, unnest(:steps::int4[]) AS step) AS row,
           (SELECT key FROM sign_in_limits WHERE key = ANY (:keys::bytea[]) ORDER BY key FOR UPDATE) AS locked
     WHERE sign_in_limits.key = locked.key AND row.key = locked.key`,
  parameters: { keys: (limits) => limits.map(hashOf), steps: (limits) => limits.map(stepMsOf) },
});

/** Takes back what {@link chargeAttempt} has charged. */
export async function refundAttempt(db: AnyClient, limits: readonly AttemptLimit[]): Promise<void> {
  await refund(db, limits);
}

/** Removes up to `limit` buckets that are full again. Returns how many. */
export function deleteFullLimits(db: AnyClient, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM sign_in_limits WHERE key = ANY (ARRAY(
      SELECT key FROM sign_in_limits WHERE full_at <= clock_timestamp()
       ORDER BY full_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
}
