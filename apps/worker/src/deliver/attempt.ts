import {
  type ChannelRegistry,
  type Delivery,
  failure,
  type Senders,
  type SendResult,
} from '@postrider/channels';
import { type ClaimedChannel, type ClaimedRun, LEASE_MARGIN_MS } from '@postrider/db';
import { formatId, type SecretBox } from '@postrider/domain';
import type { Renderer } from '@postrider/rendering';
import {
  type Decision,
  decideNextState,
  type FinishDeps,
  finishRun,
  type WrittenResult,
} from './finish-run.ts';
import type { LargeContents } from './large-contents.ts';
import { openSecrets } from './open-secrets.ts';
import { renderRun } from './render.ts';

export interface AttemptDeps extends FinishDeps {
  readonly secretBox: SecretBox;
  /** Seals secrets anew that are under an older key. Returns at once and never throws. */
  readonly resealSecrets: (channel: ClaimedChannel) => void;
  readonly renderer: Renderer;
  readonly largeContents: LargeContents;
  readonly kinds: ChannelRegistry;
  readonly senders: Senders;
  /** A random number in [0, 1). */
  readonly jitter: () => number;
}

/** What became of an attempt, for the log and the metrics. */
export interface AttemptReport {
  readonly result: SendResult;
  readonly decision: Decision;
  readonly finish: WrittenResult;
  readonly durationMs: number;
  readonly renderMs: number;
}

type Circumstances = Omit<Delivery<unknown>, 'content'>;

/** What an attempt is bound by. */
export interface AttemptBounds {
  /** Ends the attempt early. */
  readonly signal: AbortSignal;
  /** Monotonic time before the claim was asked for: the lease runs from the claim, not from its answer. */
  readonly askedAt: number;
  /** Called when rendering is over, or was not needed, and the content may be sent. */
  readonly onRendered: () => void;
}

function circumstances(
  run: ClaimedRun,
  {
    secrets,
    signal,
    nowMs,
    traceparent,
  }: Pick<Circumstances, 'secrets' | 'signal' | 'nowMs' | 'traceparent'>,
): Circumstances {
  const { id, revision, config } = run.channel;
  return {
    runId: formatId('run', run.runId),
    channel: { id, revision, config },
    recipient: run.message.recipient,
    test: run.message.test,
    secrets,
    traceparent,
    nowMs,
    timeoutMs: run.timeoutMs,
    signal,
  };
}

/**
 * Runs one claimed attempt to its end: open secrets, render, send, decide, finish.
 * The receiver of a webhook is told the `traceparent`.
 * Nothing here outlasts the lease: few enough runs are claimed and not rendered that rendering takes a part of
 * the lease's margin, sending has the channel's time limit, and the finish what is left. A large content waits for
 * others to be sent before the run gives its render place back, so that no further one is made meanwhile.
 */
export async function runAttempt(
  deps: AttemptDeps,
  run: ClaimedRun,
  { signal, askedAt, onRendered }: AttemptBounds,
  traceparent: string | null,
): Promise<AttemptReport> {
  const { monotonicMs } = deps;
  const startedAt = monotonicMs();
  const nowMs = () => run.claimedAt.getTime() + (monotonicMs() - startedAt);
  let renderMs = 0;

  async function renderAndSend(): Promise<SendResult> {
    const opened = openSecrets(deps.secretBox, run.channel, deps.kinds.get(run.channel.kind));
    if (!opened.ok) return opened.failure;
    deps.resealSecrets(run.channel);
    const rendered = await renderRun(deps, run, signal);
    renderMs = monotonicMs() - startedAt;
    if (!rendered.ok) {
      onRendered();
      return rendered.failure;
    }
    const leave = await deps.largeContents.enter(
      rendered.content,
      { owner: run.tenantId, part: run.channel.id },
      { signal, withinMs: LEASE_MARGIN_MS - (monotonicMs() - askedAt) },
    );
    onRendered();
    // What begins later outlasts the lease: the run may be elsewhere by then.
    if (!leave || monotonicMs() - askedAt > LEASE_MARGIN_MS) {
      leave?.();
      return failure('worker_lost', 'Nothing was sent: too little was left of the lease.');
    }
    try {
      const { secrets } = opened;
      const details = circumstances(run, { secrets, signal, nowMs, traceparent });
      return await deps.senders.send(run.channel.kind, { ...details, content: rendered.content });
    } finally {
      leave();
    }
  }

  const result = await renderAndSend();
  const durationMs = monotonicMs() - startedAt;
  const decision = decideNextState(result, run, deps.jitter);
  const finish = await finishRun(deps, run, { result, decision, durationMs, askedAt });
  return { result, decision, finish, durationMs, renderMs };
}
