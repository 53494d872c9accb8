import {
  type AttemptLimit,
  chargeAttempt,
  inShare,
  isDatabaseUnreachable,
  refundAttempt,
  type UnboundDatabase,
} from '@postrider/db';
import { type BucketRate, orRefusal, reject, retryLater, settlesWithin } from '@postrider/domain';
import { createFairSemaphore } from '@postrider/fairness';
import type { BoundedLog } from '@postrider/telemetry';

/**
 * Failed attempts of one client at one account, of one client at all accounts, and at one account by all clients. Those of a
 * client are the tighter ones by account, so that one stale token behind a shared address does not lock out its neighbours.
 */
const OF_CLIENT_AT_ACCOUNT: BucketRate = { requestsPerSecond: 0.2, burst: 20 };
const OF_CLIENT: BucketRate = { requestsPerSecond: 1, burst: 100 };
const AT_ACCOUNT: BucketRate = { requestsPerSecond: 1, burst: 100 };

/**
 * Attempts are counted one by one, so that signed-in operators keep the other connection of their share of the pool. Clients
 * take turns.
 */
const AT_ONCE = { total: 1, perOwner: 1, waitMs: 3_000, maxWaiting: 256, maxWaitingPerOwner: 32 };
/** An attempt that could not be counted in this time is refused. */
const DEADLINE_MS = 3_000;

const UNCOUNTED = retryLater(
  'service_unavailable',
  2,
  'Sign-in is not possible at the moment: try again shortly.',
);

function rejectTooMany(what: string, retryAfterMs: number): never {
  const refusal = retryLater(
    'rate_limited',
    retryAfterMs / 1_000,
    `${what}: retry after the time in Retry-After.`,
  );
  reject(refusal);
}

/** An attempt that counts as failed until it is given back, which never throws: what succeeded stays a success. */
interface Attempt {
  readonly giveBack: () => Promise<void>;
}

export interface SignInLimits {
  /**
   * Counts an attempt of a client (see `clientOf`) at an account. It counts from its start, so that concurrent attempts cannot
   * exceed the limit. While an account is being attacked, a client that has not failed there lately may still try.
   * @throws RefusedError beyond a limit, or if PostgreSQL does not answer
   */
  readonly begin: (client: string, account: string) => Promise<Attempt>;
  /**
   * Counts something that succeeded. `what` is the beginning of the message of the refusal.
   * @throws RefusedError as `begin`
   */
  readonly take: (key: string, rate: BucketRate, what: string) => Promise<void>;
  /**
   * Whether this is the first use of something that may be used once, such as the id of a token that is valid for that long. False
   * also if PostgreSQL does not answer.
   */
  readonly once: (key: string, seconds: number) => Promise<boolean>;
}

/**
 * The limits of sign-ins, which all API processes share through PostgreSQL. If PostgreSQL does not count an attempt in time, the
 * attempt is refused with 503.
 */
export function createSignInLimits(db: UnboundDatabase, log: BoundedLog): SignInLimits {
  const statements = createFairSemaphore(AT_ONCE);

  async function charge(
    owner: string,
    limits: readonly AttemptLimit[],
    what: string,
  ): Promise<readonly AttemptLimit[]> {
    const permit = await statements.acquire({ owner });
    if (!permit) reject(UNCOUNTED);
    const charging = inShare('operate', () => chargeAttempt(db, limits), 'sign-in').finally(permit.release);
    if (!(await settlesWithin([charging], DEADLINE_MS))) reject(UNCOUNTED);
    const charged = await charging.catch((error: unknown) => {
      if (isDatabaseUnreachable(error)) return null;
      throw error;
    });
    if (!charged) reject(UNCOUNTED);
    return charged.outcome === 'allowed' ? charged.charged : rejectTooMany(what, charged.retryAfterMs);
  }

  return {
    async begin(client, account) {
      const limits: readonly AttemptLimit[] = [
        { key: `client ${client}`, rate: OF_CLIENT, kind: 'strict' },
        { key: `client ${client} at ${account}`, rate: OF_CLIENT_AT_ACCOUNT, kind: 'own' },
        { key: `account ${account}`, rate: AT_ACCOUNT, kind: 'shared' },
      ];
      const charged = await charge(client, limits, 'Too many failed attempts to sign in');
      return {
        giveBack: () =>
          inShare('operate', () => refundAttempt(db, charged), 'sign-in').catch((error: unknown) =>
            log.warn('refund', 'a successful attempt still counts as a failed sign-in', { error }),
          ),
      };
    },
    async take(key, rate, what) {
      await charge(key, [{ key, rate, kind: 'strict' }], what);
    },
    async once(key, seconds) {
      const rate = { requestsPerSecond: 1 / seconds, burst: 1 };
      const counted = await orRefusal(() => charge(key, [{ key, rate, kind: 'strict' }], 'Used before'));
      return !('refused' in counted);
    },
  };
}
