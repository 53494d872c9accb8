import { type AccountStateChange, type AttemptOutcome, LRUCache, type OpenBreaker } from '@postrider/domain';

/** Failures in a row that open the breaker of an account. */
const FAILURES_TO_OPEN = 3;
/** How long a breaker first stays open, in milliseconds; each failed probe doubles it. */
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 300_000;
/** Breakers that a process keeps. The least recently used one is dropped, so its account is tried again. */
const MAX_REMEMBERED = 1_000;

/** Whether the mail or its recipient was permanently rejected. No other account would succeed either. */
export const isRejected = ({ status, error }: AttemptOutcome): boolean =>
  status === 'failed' && error.about === 'message' && !error.retryable;

/** An account of one revision of a channel: changing the channel closes the breaker. */
export interface BreakerKey {
  readonly channelId: string;
  readonly revision: number;
  readonly account: string;
}

interface Breaker {
  revision: number;
  failures: number;
  /** End of the open time; null while the breaker is closed. */
  openUntil: number | null;
  pauseMs: number;
  /** Whether a probe is in progress. */
  isProbed: boolean;
}

const CLOSED: Omit<Breaker, 'revision'> = {
  failures: 0,
  openUntil: null,
  pauseMs: FIRST_PAUSE_MS,
  isProbed: false,
};

/**
 * Circuit breakers of accounts, in this process. Times are wall-clock milliseconds. A breaker has these states:
 *
 * ## Closed
 *
 * The account has failed fewer than three times in a row, and may be tried.
 *
 * ## Open
 *
 * It may not be tried: for 5 s at first, twice as long after each failed probe, for 5 minutes at most.
 *
 * ## Half open
 *
 * The open time is over, or the channel was changed: one mail at a time may probe the account. A success closes the
 * breaker, a failure opens it.
 */
export interface AccountBreakers {
  /**
   * Whether an account may be tried. After the open time one mail at a time may probe it: this call takes the probe,
   * and `settle` returns it.
   */
  acquire(key: BreakerKey, nowMs: number): boolean;
  /** Records an outcome of the account. Null means that the try says nothing about the account. */
  settle(key: BreakerKey, outcome: AttemptOutcome | null, nowMs: number): void;
}

/**
 * Creates the breakers. Accounts without failures take no memory.
 * @param onChange called when a breaker opens, stays open or closes
 * @param open accounts whose breaker is open at the start of the process, with the end of the open time
 */
export function createAccountBreakers(
  onChange: (change: AccountStateChange) => void = () => undefined,
  open: readonly OpenBreaker[] = [],
): AccountBreakers {
  const breakers = new LRUCache<string, Breaker>({ max: MAX_REMEMBERED });
  const nameOf = ({ channelId, account }: Omit<BreakerKey, 'revision'>) => `${channelId} ${account}`;
  for (const { channelId, account, untilMs } of open.slice(0, MAX_REMEMBERED)) {
    breakers.set(nameOf({ channelId, account }), {
      // The stored state has no revision, so any revision of the channel has to wait until the end of the open time.
      revision: Number.POSITIVE_INFINITY,
      failures: FAILURES_TO_OPEN,
      openUntil: untilMs,
      pauseMs: FIRST_PAUSE_MS,
      isProbed: false,
    });
  }

  function fail(key: BreakerKey, breaker: Breaker, reason: string, nowMs: number): void {
    breaker.failures += 1;
    // Results of mails sent before the breaker opened say nothing new; that of a probe does.
    const isOut = breaker.openUntil !== null && breaker.openUntil > nowMs;
    if (breaker.failures < FAILURES_TO_OPEN || isOut) return;
    const pauseMs = breaker.openUntil === null ? FIRST_PAUSE_MS : breaker.pauseMs * 2;
    breaker.pauseMs = Math.min(pauseMs, MAX_PAUSE_MS);
    breaker.openUntil = nowMs + breaker.pauseMs;
    const { channelId, account } = key;
    onChange({ channelId, account, state: 'open', pauseMs: breaker.pauseMs, reason });
  }

  return {
    acquire(key, nowMs) {
      const breaker = breakers.get(nameOf(key));
      if (!breaker || breaker.openUntil === null) return true;
      const mayProbe = breaker.openUntil <= nowMs || breaker.revision < key.revision;
      if (!mayProbe || breaker.isProbed) return false;
      breaker.isProbed = true;
      return true;
    },
    settle(key, outcome, nowMs) {
      const name = nameOf(key);
      const breaker = breakers.get(name);
      if (breaker) breaker.isProbed = false;
      if (!outcome) return;
      // A rejected or greylisted recipient does not count: it must not stop other mail.
      if (outcome.error && outcome.error.about !== 'message') {
        const failed = breaker ?? { ...CLOSED, revision: 0 };
        failed.revision = key.revision;
        fail(key, failed, outcome.error.message, nowMs);
        breakers.set(name, failed);
      } else if (breaker) {
        breakers.delete(name);
        const { channelId, account } = key;
        if (breaker.openUntil !== null) onChange({ channelId, account, state: 'closed' });
      }
    },
  };
}
