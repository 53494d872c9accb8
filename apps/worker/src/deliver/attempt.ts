import { contentDigest, type Delivery, type ExchangeFacts, failure, type Senders } from '@postrider/channels';
import { type ClaimedRun, LEASE_MARGIN_MS, withShare } from '@postrider/db';
import { type AttemptOutcome, formatId, type JsonObject, settlesWithin } from '@postrider/domain';
import type { Tracing } from '@postrider/telemetry';
import type { RunPermits } from '../scheduler/scheduler.ts';
import {
  decideNextState,
  type FinishDeps,
  finishRun,
  type RecordBounces,
  skippedCopiesOf,
} from './finish-run.ts';
import { type ReportAttempt, traceAttempts } from './observe.ts';
import { decryptSecrets, type RenderDeps, renderRun, type SecretDeps } from './prepare-run.ts';
import type { LargeContents, WatchSlow } from './while-sending.ts';

export interface AttemptDeps extends FinishDeps, SecretDeps, RenderDeps {
  readonly senders: Pick<Senders, 'send'>;
  /** Called with what a sender threw, which is a bug. Never throws. */
  readonly onSenderThrew: (error: unknown) => void;
  readonly largeContents: LargeContents;
  readonly watchSlow: WatchSlow;
  /** Records the addresses that were refused in the session, and suppresses them. Never throws. */
  readonly recordBounces: RecordBounces;
  /** A random number in [0, 1). */
  readonly jitter: () => number;
}

/** The limits of an attempt. */
export interface AttemptBounds {
  /** Aborts the attempt. */
  readonly signal: AbortSignal;
  /** Monotonic time before the claim was requested: the lease starts with the claim, not with its response. */
  readonly askedAt: number;
  /** Called when rendering is done or was not needed, and the content may be sent. */
  readonly onRendered: () => void;
}

function deliveryOf(
  run: ClaimedRun,
  attempt: Omit<
    Delivery<unknown>,
    'runId' | 'channel' | 'recipient' | 'message' | 'attempt' | 'test' | 'sequence' | 'timeoutMs'
  >,
): Delivery<unknown> {
  const { id, revision, config, publicOnly } = run.channel;
  const { message } = run;
  return {
    ...attempt,
    runId: formatId('run', run.runId),
    channel: { id, environmentId: formatId('env', run.environmentId), revision, config, publicOnly },
    // Getters, so that a parsed payload is not held while the run is sent.
    get recipient() {
      return message.recipient;
    },
    message: {
      id: formatId('msg', message.id),
      eventKey: message.eventKey,
      get payload() {
        return message.payload;
      },
      orderingKey: message.orderingKey,
      createdAt: message.createdAt,
    },
    attempt: run.attemptNumber,
    test: message.test,
    sequence: run.sequence,
    timeoutMs: run.timeoutMs,
  };
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
  { signal, askedAt, onRendered }: AttemptBounds,
  traceparent: string | null,
): Promise<AttemptOutcome<'written'>> {
  const { monotonicMs } = deps;
  const startedAt = monotonicMs();
  const nowMs = () => run.claimedAt.getTime() + (monotonicMs() - startedAt);
  let renderMs = 0;
  let sha256: string | null = null;
  let suppressedCopies: readonly string[] = [];
  const exchange: JsonObject = {};

  async function renderAndSend(): Promise<AttemptOutcome> {
    const secrets = decryptSecrets(deps, run.channel);
    if ('status' in secrets) return secrets;
    const rendered = await renderRun(deps, run, signal);
    renderMs = monotonicMs() - startedAt;
    if ('status' in rendered) {
      onRendered();
      return rendered;
    }
    const release = await deps.largeContents.acquire(
      rendered.content,
      { owner: run.tenantId, part: run.channel.id },
      { signal, withinMs: LEASE_MARGIN_MS - (monotonicMs() - askedAt) },
    );
    onRendered();
    // A send that starts later could outlast the lease, when another worker may already have the run.
    if (!release || monotonicMs() - askedAt > LEASE_MARGIN_MS) {
      release?.();
      const late = 'Nothing was sent: too little time was left of the lease.';
      return failure('worker_lost', late, { stage: 'lease' });
    }
    let unwatch: (() => void) | undefined;
    try {
      ({ suppressedCopies } = rendered);
      sha256 = contentDigest(rendered.content);
      const { runId, attemptNumber, fence } = run;
      unwatch = deps.watchSlow({ runId, attemptNumber, fence, sent: { sha256, exchange } });
      const delivery = deliveryOf(run, {
        ...{ ...secrets, ...rendered, signal, nowMs, traceparent },
        reportExchange: (facts: ExchangeFacts) => Object.assign(exchange, facts),
        bounceToken: async () =>
          (await deps.unsubscribe.serviceKeys.get()).bounces.tokenOf(formatId('run', runId)),
      });
      return await deps.senders.send(run.channel.kind, delivery);
    } catch (error) {
      // Without a result the attempt would stay open until its lease ends, and its run would count as one that ends its workers.
      // This code does not count against the channel.
      deps.onSenderThrew(error);
      const message = 'The attempt failed in the service itself. The message may have been sent.';
      return failure('worker_lost', message, { status: 'unknown' });
    } finally {
      unwatch?.();
      release();
    }
  }

  const ended = await renderAndSend();
  // Before the outcome: if the worker is lost in between, the next attempt finds the address suppressed.
  const { bounces, sender } = ended;
  if (bounces) await deps.recordBounces(run, { bounces, sender }, new Date(nowMs()));
  const measured = {
    sent: sha256 === null ? undefined : { sha256, exchange },
    renderMs,
    durationMs: monotonicMs() - startedAt,
  };
  const outcome = { ...ended, skippedCopies: skippedCopiesOf(ended, suppressedCopies) };
  return finishRun(deps, run, decideNextState(outcome, run, deps.jitter, measured), askedAt);
}

interface DeliverDeps extends AttemptDeps {
  readonly tracing: Tracing | null;
  readonly report: ReportAttempt;
  readonly onError: (error: unknown) => void;
}

export interface Delivering {
  /**
   * Makes an attempt of a claimed run and reports it. Releases its render permit after rendering, and its slot at the end.
   * Resolves when it has ended; never rejects. `askedAt` is the monotonic time before the claim.
   */
  deliver(run: ClaimedRun, permits: RunPermits, askedAt: number): Promise<void>;
  /** Waits for open attempts. At the deadline they are aborted and their results written. */
  drain(deadlineMs: number): Promise<void>;
}

/** Whether the remote end responded at all; undefined if that is not known, or nothing was sent. */
function wasAnswered({ error, response }: AttemptOutcome): boolean | undefined {
  if (error === null || response !== null) return true;
  return error.stage === 'send' && error.code !== 'worker_lost' ? false : undefined;
}

/** The longest wait for the results of aborted attempts to be written. */
export const WRITE_ALLOWANCE_MS = 2_000;

/** Creates the delivery of claimed runs. */
export function createDelivering({ tracing, report, onError, ...deps }: DeliverDeps): Delivering {
  const open = new Map<Promise<void>, AbortController>();
  const runTraced = traceAttempts(tracing, {
    runAttempt: withShare('work', (run, bounds, traceparent) => runAttempt(deps, run, bounds, traceparent)),
    monotonicMs: deps.monotonicMs,
  });

  async function attempt(
    run: ClaimedRun,
    { slot, render }: RunPermits,
    { signal, askedAt }: { readonly signal: AbortSignal; readonly askedAt: number },
  ): Promise<void> {
    /** Whether the receiver responded, see {@link wasAnswered}. */
    let answered: boolean | undefined;
    try {
      const attempted = await runTraced(run, { signal, askedAt, onRendered: () => render?.rendered() });
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
    deliver(run, permits, askedAt) {
      const abort = new AbortController();
      const ended = attempt(run, permits, { signal: abort.signal, askedAt }).finally(() =>
        open.delete(ended),
      );
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
