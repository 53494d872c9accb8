import { LRUCache } from '@postrider/domain';
import type { OpenSender, SenderStateChange, SendResult } from '../sender.ts';

/** Failures in a row that take a sender out of its turn. */
const FAILURES_TO_OPEN = 3;
/** How long it is out at first, in milliseconds; each failed probe doubles it. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;
/** Senders with failures that a process remembers; the one unused for longest is forgotten, and tried again. */
const MAX_REMEMBERED = 1_000;

const SERVICE_UNAVAILABLE = 421;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

const PERMANENT: readonly string[] = ['smtp_permanent_rejection', 'email_permanent_rejection'];
const TEMPORARY: readonly string[] = ['smtp_temporary_rejection', 'email_temporary_rejection'];

/** Whether a mail or its recipient was refused for good, which holds for every sender. */
export const isRejected = (result: SendResult): boolean =>
  result.outcome !== 'delivered' && PERMANENT.includes(result.code);

/**
 * Whether a result says that the sender does not work at present, and not only that it refuses one mail: a recipient that
 * is rejected or greylisted must not stop the mail of others.
 */
export function isSenderDown(result: SendResult): boolean {
  if (result.outcome === 'delivered' || isRejected(result)) return false;
  if (!TEMPORARY.includes(result.code)) return true;
  const status = result.response?.statusCode ?? 0;
  return status === SERVICE_UNAVAILABLE || status === TOO_MANY_REQUESTS || status >= SERVER_ERROR;
}

/** A sender of a channel as it is now: a change of the channel gives it another chance. */
export interface BreakerKey {
  readonly channelId: string;
  readonly revision: number;
  readonly sender: string;
}

interface Breaker {
  revision: number;
  failures: number;
  /** Until when it is out; null while it is closed. */
  openUntil: number | null;
  pauseMs: number;
  /** Whether one mail tries it at present. */
  isProbed: boolean;
}

/** Remembers which senders fail, in this process. Times are wall-clock milliseconds. */
export interface SenderBreakers {
  /**
   * Whether a sender is to be tried in its turn. After a pause one mail at a time is its probe: the call claims that, and
   * `settle` gives it back.
   */
  acquire(key: BreakerKey, nowMs: number): boolean;
  /** Takes a result of the sender into account; null for a try that says nothing of it. */
  settle(key: BreakerKey, result: SendResult | null, nowMs: number): void;
}

/**
 * Creates the breakers. Nothing is kept of a sender that works.
 * @param onChange called when a sender is taken out of its turn, stays out, or comes back
 * @param open those that are out when the process begins, with the time until which they are
 */
export function createSenderBreakers(
  onChange: (change: SenderStateChange) => void = () => undefined,
  open: readonly OpenSender[] = [],
): SenderBreakers {
  const breakers = new LRUCache<string, Breaker>({ max: MAX_REMEMBERED });
  const nameOf = ({ channelId, sender }: Omit<BreakerKey, 'revision'>) => `${channelId} ${sender}`;
  for (const { untilMs, ...key } of open.slice(0, MAX_REMEMBERED)) {
    breakers.set(nameOf(key), {
      // It is not known for which revision: their pause ends first.
      ...{ revision: Number.POSITIVE_INFINITY, failures: FAILURES_TO_OPEN, pauseMs: FIRST_PAUSE_MS },
      ...{ openUntil: untilMs, isProbed: false },
    });
  }

  function fail(key: BreakerKey, breaker: Breaker, reason: string, nowMs: number): void {
    breaker.failures += 1;
    // Mails that were under way when it went out say nothing new; a probe does.
    const isOut = breaker.openUntil !== null && breaker.openUntil > nowMs;
    if (breaker.failures < FAILURES_TO_OPEN || isOut) return;
    const pauseMs = breaker.openUntil === null ? FIRST_PAUSE_MS : breaker.pauseMs * 2;
    breaker.pauseMs = Math.min(pauseMs, LONGEST_PAUSE_MS);
    breaker.openUntil = nowMs + breaker.pauseMs;
    const { channelId, sender } = key;
    onChange({ channelId, sender, state: 'open', pauseMs: breaker.pauseMs, reason });
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
    settle(key, result, nowMs) {
      const name = nameOf(key);
      const breaker = breakers.get(name);
      if (breaker) breaker.isProbed = false;
      if (!result) return;
      if (isSenderDown(result) && result.outcome !== 'delivered') {
        const failed = breaker ?? {
          ...{ revision: 0, failures: 0, pauseMs: FIRST_PAUSE_MS },
          ...{ openUntil: null, isProbed: false },
        };
        failed.revision = key.revision;
        fail(key, failed, result.message, nowMs);
        breakers.set(name, failed);
      } else if (breaker) {
        breakers.delete(name);
        const { channelId, sender } = key;
        if (breaker.openUntil !== null) onChange({ channelId, sender, state: 'closed' });
      }
    },
  };
}
