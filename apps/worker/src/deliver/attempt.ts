import {
  contentDigest,
  type Delivery,
  type ExchangeFacts,
  failure,
  isOutcome,
  type Senders,
} from '@postrider/channels';
import { type ClaimedRun, inShare, LEASE_MARGIN_MS, type SendingRun } from '@postrider/db';
import { type AttemptOutcome, type JsonObject, settlesWithin } from '@postrider/domain';
import { createFairSemaphore, type Holder, type Permit } from '@postrider/fairness';
import type { Tracing } from '@postrider/telemetry';
import type { RunPermits } from '../scheduler/permits.ts';
import {
  decideNextState,
  type FinishDeps,
  finishRun,
  type RecordBounces,
  skippedCopiesOf,
} from './finish-run.ts';
import { type ReportAttempt, traceAttempt } from './observe.ts';
import {
  decryptSecrets,
  hasLargeMessage,
  type RenderDeps,
  renderRun,
  type SecretDeps,
  takeMessageTurn,
} from './prepare-run.ts';

interface DeliverDeps extends AttemptDeps {
  readonly tracing: Tracing | null;
  readonly report: ReportAttempt;
  readonly onError: (error: unknown) => void;
}

export interface Delivering {
  /**
   * Makes an attempt of a claimed run and reports it. Releases its render permit after rendering, and its slot at the end.
   * Resolves when it has ended; never rejects.
   */
  deliver(run: ClaimedRun, permits: RunPermits): Promise<void>;
  /** Waits for open attempts. At the deadline they are aborted and their results written. */
  drain(deadlineMs: number): Promise<void>;
}

/** The longest wait for the results of aborted attempts to be written. */
export const WRITE_ALLOWANCE_MS = 2_000;

/** Creates the delivery of claimed runs. */
export function createDelivering({ tracing, report, onError, ...deps }: DeliverDeps): Delivering {
  const open = new Map<Promise<void>, AbortController>();

  async function attempt(run: ClaimedRun, permits: RunPermits, signal: AbortSignal): Promise<void> {
    const { slot, render, askedAt } = permits;
    /** Whether the receiver responded, see {@link wasAnswered}. */
    let answered: boolean | undefined;
    try {
      const claimedMsAgo = deps.monotonicMs() - askedAt;
      const attempted = await traceAttempt(tracing, run, claimedMsAgo, (traceparent) =>
        inShare('work', () => runAttempt(deps, run, { render, askedAt, signal }, traceparent)),
      );
      report(run, attempted);
      answered = wasAnswered(attempted);
    } catch (error) {
      onError(error);
    } finally {
      render?.release();
      slot.release(answered);
    }
  }

  return {
    deliver(run, permits) {
      const abort = new AbortController();
      const ended = attempt(run, permits, abort.signal).finally(() => open.delete(ended));
      open.set(ended, abort);
      return ended;
    },
    async drain(deadlineMs) {
      if (await settlesWithin([...open.keys()], deadlineMs)) return;
      for (const abort of open.values()) abort.abort();
      await settlesWithin([...open.keys()], WRITE_ALLOWANCE_MS);
    },
  };
}

/** Whether the remote end responded at all; undefined if that is not known, or nothing was sent. */
function wasAnswered({ error, response }: AttemptOutcome): boolean | undefined {
  if (error === null || response !== null) return true;
  return error.stage === 'send' && error.code !== 'worker_lost' ? false : undefined;
}

export interface AttemptDeps extends FinishDeps, SecretDeps, RenderDeps {
  readonly senders: Pick<Senders, 'get'>;
  /** Called with what the preparation or a sender threw, which is a bug. Never throws. */
  readonly onBug: (error: unknown) => void;
  readonly largeContents: LargeContents;
  readonly watchSlow: WatchSlow;
  /** Records the addresses that were refused in the session, and suppresses them. Never throws. */
  readonly recordBounces: RecordBounces;
  /** A random number in [0, 1). */
  readonly jitter: () => number;
}

/**
 * Runs one claimed attempt to its end: decrypt secrets, render, send, decide, finish. All of this fits in the lease: so
 * few runs are claimed but not rendered that rendering fits in the lease's margin, sending has the channel's time
 * limit, and finishing has the rest. A large content waits for others to be sent before its run returns the render
 * permit, so that no further content is rendered meanwhile.
 */
export async function runAttempt(
  deps: AttemptDeps,
  run: ClaimedRun,
  { signal, askedAt, render }: Omit<RunPermits, 'slot'> & { readonly signal: AbortSignal },
  traceparent: string | null,
): Promise<AttemptOutcome<'written'>> {
  const { monotonicMs } = deps;
  const startedAt = monotonicMs();
  const nowMs = () => run.claimedAt.getTime() + (monotonicMs() - startedAt);
  let renderMs = 0;
  /** Set when sending begins: until then, nothing was sent. */
  let sending: (SendingRun & Pick<Delivery<unknown>, 'suppressedCopies'>) | undefined;

  async function renderAndSend(): Promise<AttemptOutcome> {
    const sendingKind = deps.senders.get(run.channel.kind);
    const decrypted = decryptSecrets(deps, sendingKind, run);
    if (isOutcome(decrypted)) return decrypted;
    const rendered = await renderRun(deps, sendingKind, run, signal);
    renderMs = monotonicMs() - startedAt;
    if (isOutcome(rendered)) {
      render?.rendered();
      return rendered;
    }
    const release = await deps.largeContents.acquire(
      rendered.content,
      { owner: run.tenantId, part: run.channel.id },
      { signal, withinMs: LEASE_MARGIN_MS - (monotonicMs() - askedAt) },
    );
    render?.rendered();
    // Senders read addresses and keys from the message.
    if (hasLargeMessage(run)) await takeMessageTurn(deps, run);
    // A send that starts later could outlast the lease, when another worker may already have the run.
    if (!release || monotonicMs() - askedAt > LEASE_MARGIN_MS) {
      release?.();
      const late = 'Nothing was sent: too little time was left of the lease.';
      return failure('worker_lost', late, { stage: 'lease' });
    }
    let unwatch: (() => void) | undefined;
    try {
      const exchange: JsonObject = {};
      const delivery: Delivery<unknown> & SendingRun & { readonly encrypted: null } = {
        ...run,
        // A sender gets the decrypted secrets only.
        encrypted: null,
        ...decrypted,
        ...rendered,
        sent: { sha256: contentDigest(rendered.content), exchange },
        signal,
        nowMs,
        traceparent,
        reportExchange: (facts: ExchangeFacts) => void Object.assign(exchange, facts),
        bounceToken: async () => (await deps.unsubscribe.serviceKeys.get()).bounces.tokenOf(run.ids.run),
      };
      const { runId, attemptNumber, fence } = run;
      // Not the delivery: the record may wait for the database longer than the attempt, and must not hold content and secrets.
      unwatch = deps.watchSlow({ runId, attemptNumber, fence, sent: delivery.sent });
      sending = delivery;
      return await sendingKind.send(delivery);
    } finally {
      unwatch?.();
      release();
    }
  }

  /**
   * Without an outcome the attempt would stay open until its lease ends, and its run would count as one that ends its workers. This
   * code does not count against the channel.
   */
  function endByBug(error: unknown): AttemptOutcome {
    deps.onBug(error);
    return sending
      ? failure('worker_lost', 'The attempt failed in the service itself. The message may have been sent.', {
          status: 'unknown',
        })
      : failure('worker_lost', 'Nothing was sent: the attempt failed in the service itself.', {
          stage: 'render',
        });
  }

  const ended = await renderAndSend().catch(endByBug);
  // Also after an error: writing the result may take until the lease ends.
  render?.release();
  // Before the outcome: if the worker is lost in between, the next attempt finds the address suppressed.
  if (ended.bounces) await deps.recordBounces(run, ended, new Date(nowMs()));
  const measured = {
    sent: sending?.sent,
    renderMs,
    durationMs: monotonicMs() - startedAt,
    skippedCopies: skippedCopiesOf(ended, sending?.suppressedCopies ?? []),
  };
  return finishRun(deps, run, decideNextState(ended, run, deps.jitter, measured), askedAt);
}

/** A content with more characters is large. An event without a template never has that many. */
export const LARGE_CHARACTERS = 288 * 1_024;
/**
 * Large contents that a worker sends at once, in total, per tenant and per channel: a slow receiver only blocks large
 * contents of its own channel. Each part of an email can have 2 million characters, so a hundred deliveries to slow
 * receivers would take a gigabyte.
 */
const AT_ONCE = {
  total: 8,
  perOwner: 2,
  perPart: 1,
  // The queue never gets this long, because each waiting run holds a render permit.
  maxWaiting: 1_000,
  maxWaitingPerOwner: 1_000,
};

interface Patience {
  readonly signal: AbortSignal;
  /** The longest wait for a permit, in milliseconds. */
  readonly withinMs: number;
}

/** Limits the rendered large contents that a worker is sending. */
export interface LargeContents {
  /**
   * Waits for a permit if the content is large, and returns its `release`. Null if there was none in time, or if the
   * signal was aborted.
   */
  acquire(content: unknown, channel: Holder, patience: Patience): Promise<Permit['release'] | null>;
}

function contentLength(content: unknown): number {
  if (typeof content === 'string' || Buffer.isBuffer(content)) return content.length;
  if (typeof content !== 'object' || content === null) return 0;
  return Object.values(content).reduce((sum, value) => sum + contentLength(value), 0);
}

/** Creates the limit. Tenants take turns. */
export function createLargeContents(): LargeContents {
  const semaphore = createFairSemaphore(AT_ONCE);
  return {
    async acquire(content, channel, { signal, withinMs }) {
      if (contentLength(content) < LARGE_CHARACTERS) return () => undefined;
      return (await semaphore.acquire(channel, signal, withinMs))?.release ?? null;
    },
  };
}

/**
 * An attempt that sends for longer than this is recorded. Also the interval of the search for slow attempts. In
 * milliseconds.
 */
const SLOW_MS = 1_000;
/** Attempts per statement. */
const MAX_ATTEMPTS = 128;

/** Watches a run while it is sent. Call the returned function when the attempt has ended. */
export type WatchSlow = (run: SendingRun) => () => void;

/**
 * Stores what slow attempts send, once each, so that content and headers are known if the worker is lost: most lost
 * workers hang while sending. Fast attempts cost no statement. `sent.exchange` may change while an attempt is watched.
 * An attempt that cannot be written is not tried again.
 */
export function createWatchSlow({
  write,
  onError,
  monotonicMs,
}: {
  readonly write: (runs: readonly SendingRun[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly monotonicMs: () => number;
}): WatchSlow {
  /** Watched runs, in the order in which their sending began. */
  const watched = new Map<SendingRun, number>();
  let isTimerSet = false;

  function setTimer(): void {
    if (isTimerSet) return;
    isTimerSet = true;
    setTimeout(recordSlow, SLOW_MS).unref();
  }

  function recordSlow(): void {
    isTimerSet = false;
    const before = monotonicMs() - SLOW_MS;
    const slow: SendingRun[] = [];
    for (const [run, beganAt] of watched) {
      if (beganAt > before || slow.length === MAX_ATTEMPTS) break;
      slow.push(run);
      watched.delete(run);
    }
    if (slow.length > 0) void write(slow).catch(onError);
    if (watched.size > 0) setTimer();
  }

  return (run) => {
    watched.set(run, monotonicMs());
    setTimer();
    return () => {
      watched.delete(run);
    };
  };
}
