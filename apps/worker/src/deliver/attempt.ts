import {
  type ChannelKindDefinition,
  contentDigest,
  type Delivery,
  type ExchangeFacts,
  failure,
  type Senders,
} from '@postrider/channels';
import { type ClaimedChannel, type ClaimedRun, LEASE_MARGIN_MS } from '@postrider/db';
import {
  type AttemptOutcome,
  credentialBinding,
  credentialInSecretColumn,
  formatId,
  type JsonObject,
  type SecretBox,
  settlesWithin,
} from '@postrider/domain';
import type { RunPermits } from '../scheduler/scheduler.ts';
import {
  decideNextState,
  type FinishDeps,
  finishRun,
  type RecordBounces,
  skippedCopiesOf,
} from './finish-run.ts';
import type { ReportAttempt } from './observe.ts';
import { type RenderDeps, renderRun } from './render-run.ts';
import type { LargeContents, WatchSlow } from './while-sending.ts';

export function publicIds(run: ClaimedRun) {
  return {
    run: formatId('run', run.runId),
    message: formatId('msg', run.message.id),
    channel: formatId('chn', run.channel.id),
    environment: formatId('env', run.environmentId),
    tenant: formatId('ten', run.tenantId),
  };
}

type LostSecret = Extract<ReturnType<SecretBox['decrypt']>, { ok: false }>;

/** `isOutdated`: one of them is encrypted with an older key. */
type DecryptedSecrets =
  | ({ readonly ok: true; readonly isOutdated: boolean } & Pick<Delivery<unknown>, 'secrets' | 'credentials'>)
  | { readonly ok: false; readonly failure: AttemptOutcome };

/**
 * Messages do not name the key, because tenants read them. Operators find a missing key with `GET /admin/v1/secrets`.
 */
const REASONS = {
  unknown_key: 'was encrypted with a key that the service does not have',
  tampered: 'cannot be decrypted: the stored text is not the one that was encrypted',
} as const;

/**
 * Decrypts the secrets and credentials of a channel, the current secret first. If a required one cannot be decrypted,
 * nothing is sent. The attempt is retried, because the operator can restore the key. Its error code is the kind's
 * code for a delivery that could not be authenticated.
 */
function decryptSecrets(
  { secretBox, onSecretLost }: Pick<AttemptDeps, 'secretBox' | 'onSecretLost'>,
  channel: ClaimedChannel,
  kind: Pick<ChannelKindDefinition, 'secret' | 'credentials' | 'secretErrorCode'>,
): DecryptedSecrets {
  const { id, sealedSecret, sealedPreviousSecret, sealedCredentials } = channel;
  const refuse = (what: string, reason: string): DecryptedSecrets => ({
    ok: false,
    failure: failure(kind.secretErrorCode, `Nothing was sent: the channel's ${what} ${reason}.`, {
      stage: 'secrets',
    }),
  });
  const lost = (what: string, opened: LostSecret): DecryptedSecrets => {
    onSecretLost(id, opened);
    return refuse(what, REASONS[opened.reason]);
  };
  let isOutdated = false;
  const secrets: string[] = [];
  for (const encrypted of [sealedSecret, sealedPreviousSecret]) {
    if (encrypted === null) continue;
    const opened = secretBox.decrypt(encrypted, id);
    if (!opened.ok) return lost('secret', opened);
    isOutdated ||= !secretBox.isCurrent(encrypted);
    secrets.push(opened.plaintext);
  }
  if (kind.secret && secrets.length === 0) return refuse('secret', 'is missing');
  const inColumn = credentialInSecretColumn(kind);
  const [first] = secrets;
  const credentials: Record<string, string> = {};
  if (inColumn !== null && first !== undefined) credentials[inColumn] = first;
  for (const [name, encrypted] of Object.entries(sealedCredentials ?? {})) {
    const opened = secretBox.decrypt(encrypted, credentialBinding(id, name));
    if (!opened.ok) return lost(`credential ${name}`, opened);
    isOutdated ||= !secretBox.isCurrent(encrypted);
    credentials[name] = opened.plaintext;
  }
  return { ok: true, secrets: kind.secret ? secrets : [], credentials, isOutdated };
}

/** By the channel object of a claim. */
const decryptedSecrets = new WeakMap<ClaimedChannel, DecryptedSecrets>();

/**
 * Like {@link decryptSecrets}, but once for all runs of a claim, which share the channel object. Secrets that use an older key
 * are then encrypted again. The cache keeps the secrets only as long as that object.
 */
function decryptSecretsOnce(
  deps: Pick<AttemptDeps, 'secretBox' | 'onSecretLost' | 'reencryptSecrets'>,
  channel: ClaimedChannel,
  kind: Parameters<typeof decryptSecrets>[2],
): DecryptedSecrets {
  const known = decryptedSecrets.get(channel);
  if (known) return known;
  const opened = decryptSecrets(deps, channel, kind);
  if (!opened.ok) return opened;
  decryptedSecrets.set(channel, opened);
  if (opened.isOutdated) deps.reencryptSecrets(channel);
  return opened;
}

interface SendDeps {
  readonly senders: Pick<Senders, 'send'>;
  /** Called with what a sender threw, which is a bug. Never throws. */
  readonly onSenderThrew: (error: unknown) => void;
}

/**
 * Sends a delivery. If the sender throws, the outcome is unknown and may be retried: without a result the attempt would
 * stay open until its lease ends, and its run would count as one that ends its workers. The code is `worker_lost`, which does
 * not count against the channel.
 */
async function sendOrFail(
  { senders, onSenderThrew }: SendDeps,
  kind: string,
  delivery: Delivery<unknown>,
): Promise<AttemptOutcome> {
  try {
    return await senders.send(kind, delivery);
  } catch (error) {
    onSenderThrew(error);
    const message = 'The attempt failed in the service itself. The message may have been sent.';
    return failure('worker_lost', message, { status: 'unknown' });
  }
}

export interface AttemptDeps extends FinishDeps, RenderDeps, SendDeps {
  readonly secretBox: SecretBox;
  /** Called with the UUID of the channel, so that operators see what the tenant sees in the attempt. */
  readonly onSecretLost: (channelId: string, lost: LostSecret) => void;
  /** Re-encrypts secrets that use an older key. Returns immediately and never throws. */
  readonly reencryptSecrets: (channel: ClaimedChannel) => void;
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
    // Getters, so that no parsed JSON is held while the run is sent.
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
    const opened = decryptSecretsOnce(deps, run.channel, deps.kinds.get(run.channel.kind));
    if (!opened.ok) return opened.failure;
    const rendered = await renderRun(deps, run, signal);
    renderMs = monotonicMs() - startedAt;
    if (!rendered.ok) {
      onRendered();
      return rendered.failure;
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
      const { secrets, credentials } = opened;
      const { content, unsubscribeUrl } = rendered;
      ({ suppressedCopies } = rendered);
      sha256 = contentDigest(content);
      const { runId, attemptNumber, fence } = run;
      unwatch = deps.watchSlow({ runId, attemptNumber, fence, sent: { sha256, exchange } });
      const reportExchange = (facts: ExchangeFacts) => Object.assign(exchange, facts);
      const delivery = deliveryOf(run, {
        ...{ content, secrets, credentials, signal, nowMs, traceparent },
        ...{ reportExchange, unsubscribeUrl, suppressedCopies },
        bounceToken: async () =>
          (await deps.unsubscribe.serviceKeys.get()).bounces.tokenOf(formatId('run', runId)),
      });
      return await sendOrFail(deps, run.channel.kind, delivery);
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

interface DeliverDeps {
  readonly runAttempt: (run: ClaimedRun, bounds: AttemptBounds) => Promise<AttemptOutcome<'written'>>;
  readonly report: ReportAttempt;
  readonly onError: (error: unknown) => void;
}

export interface Delivering {
  /**
   * Makes an attempt of a claimed run, reports it, and then releases its slot and render permit. Resolves when it has ended;
   * never rejects. `askedAt` is the monotonic time before the claim.
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
export function createDelivering({ runAttempt, report, onError }: DeliverDeps): Delivering {
  const open = new Map<Promise<void>, AbortController>();

  async function attempt(
    run: ClaimedRun,
    { slot, render }: RunPermits,
    { signal, askedAt }: { readonly signal: AbortSignal; readonly askedAt: number },
  ): Promise<void> {
    /** Whether the receiver responded, see {@link wasAnswered}. */
    let answered: boolean | undefined;
    try {
      const attempted = await runAttempt(run, { signal, askedAt, onRendered: () => render?.rendered() });
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
