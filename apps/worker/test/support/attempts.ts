import { randomBytes, randomUUID } from 'node:crypto';
import { channelKinds, createSenders, type Senders } from '@postrider/channels';
import type { ClaimedRun, EndedAttempt } from '@postrider/db';
import {
  createAddressPolicy,
  createSecretBox,
  createWebhookSecret,
  DEFAULT_FAILURE_POLICY,
  type WakeUp,
} from '@postrider/domain';
import { createEventLoopTurns, LARGE_JSON_TURNS } from '@postrider/fairness';
import type { Renderer } from '@postrider/rendering';
import { type Answer, type Receiver, startReceiver } from '@postrider/rig';
import { afterAll, beforeAll } from '@postrider/testing';
import { type AttemptDeps, createLargeContents, runAttempt } from '../../src/deliver/attempt.ts';

export const TIMEOUT_MS = 5_000;
export const secretBox = createSecretBox([{ id: 'test', key: randomBytes(32) }]);

/** A claimed run of a webhook to `url`. */
function claimedRun(url: string, claimedAt: Date): ClaimedRun {
  const channelId = randomUUID();
  return {
    ids: { run: 'run_1', message: 'msg_1', channel: 'chn_1', environment: 'env_1', tenant: 'ten_1' },
    runId: randomUUID(),
    reportsOutcomes: false,
    tenantId: randomUUID(),
    environmentId: randomUUID(),
    fence: 1,
    attemptNumber: 1,
    maxAttempts: 5,
    timeoutMs: TIMEOUT_MS,
    dueAt: claimedAt,
    sequence: null,
    expiresAt: null,
    traceparent: null,
    claimedAt,
    message: {
      id: randomUUID(),
      eventKey: 'order.shipped',
      recipient: {},
      payload: {},
      createdAt: claimedAt,
      expiresAt: null,
      orderingKey: null,
      requestId: null,
      stream: null,
      traceId: '',
      test: false,
      operational: null,
      characters: 4,
    },
    channel: {
      id: channelId,
      kind: 'webhook',
      name: 'hook',
      config: { url },
      publicOnly: false,
      retry: { max_attempts: 5, delays_seconds: [1] },
      // biome-ignore lint/suspicious/noThenProperty: a field of the API with a string, never awaited as a promise
      failurePolicy: { ...DEFAULT_FAILURE_POLICY, then: 'disable' },
      revision: 1,
    },
    encrypted: {
      id: channelId,
      sealedSecret: secretBox.encrypt(createWebhookSecret(), channelId),
      sealedPreviousSecret: null,
      sealedCredentials: null,
    },
    templateVersionId: null,
    needsRender: false,
  };
}

/** Responds to each call in turn; the last response repeats. */
function inTurn(answers: readonly (string | Error)[]) {
  let calls = 0;
  return () => {
    const answer = answers[Math.min(calls, answers.length - 1)];
    calls += 1;
    if (answer instanceof Error) throw answer;
    return answer === 'stale' ? ('stale' as const) : ('finished' as const);
  };
}

/** No run of these tests has a stream. */
const NO_KEYS = { get: () => Promise.reject(new Error('there are no keys')) };

interface SetUpOptions {
  readonly nowMs?: () => number;
  readonly finish?: readonly (string | Error)[];
  readonly disable?: readonly (string | Error)[];
  readonly send?: ReturnType<Senders['get']>['send'];
}

/**
 * The dependencies of an attempt, and its effects. `finish` has the results of the tries to store the outcome in turn, `disable` those
 * of the tries to store it and stop the channel.
 */
function setUp(
  senders: Senders,
  {
    nowMs = () => performance.now(),
    finish = ['finished'],
    disable = ['finished'],
    send = senders.get('webhook').send,
  }: SetUpOptions,
) {
  const finishes: EndedAttempt[] = [];
  const disables: EndedAttempt[] = [];
  const failures: unknown[] = [];
  const nextFinish = inTurn(finish);
  const nextDisable = inTurn(disable);
  const enqueued: WakeUp[] = [];
  const deps: AttemptDeps = {
    watchSlow: () => () => undefined,
    secretBox,
    onSecretLost: () => undefined,
    renderer: {} as Renderer,
    turns: createEventLoopTurns(LARGE_JSON_TURNS),
    loadTemplate: async () => ({ template: null, resources: null }),
    readFile: async () => null,
    findSuppressedCopies: async () => [],
    largeContents: createLargeContents(),
    unsubscribe: { serviceKeys: NO_KEYS, publicUrl: null },
    senders: { get: (kind) => ({ ...senders.get(kind), send }) },
    onBug: (error) => failures.push(error),
    async finish(ended) {
      finishes.push(ended);
      return nextFinish();
    },
    async finishAndStopChannel(ended) {
      disables.push(ended);
      return nextDisable();
    },
    moveOrder: () => undefined,
    expire: async () => true,
    onStopFailed: (error) => failures.push(error),
    onRefused: (error) => failures.push(error),
    recordBounces: async () => undefined,
    async enqueue(wakeUps) {
      enqueued.push(...wakeUps);
    },
    jitter: () => 0.5,
    monotonicMs: nowMs,
  };
  const attempt = (run: ClaimedRun, askedAt = nowMs()) =>
    runAttempt(deps, run, { askedAt, signal: new AbortController().signal, render: undefined }, null);
  return { deps, attempt, finishes, disables, failures, enqueued };
}
export const lost = () => Object.assign(new Error('lost'), { code: 'ECONNRESET' });
export const deadlock = () => Object.assign(new Error('deadlock detected'), { code: '40P01' });

/** Attempts of a test file, with senders and a receiver of their own. */
export function useAttempts() {
  let senders: Senders;
  let receiver: Receiver;
  beforeAll(async () => {
    const isAddressAllowed = createAddressPolicy(['127.0.0.0/8']);
    [senders, receiver] = await Promise.all([
      createSenders(channelKinds, { isAddressAllowed }),
      startReceiver(),
    ]);
  });
  afterAll(async () => {
    senders.close();
    await receiver.close();
  });
  return {
    setUp: (options: SetUpOptions = {}) => setUp(senders, options),
    /** The requests to a path of the receiver. */
    received: (path: string) => receiver.received(path),
    /** A claimed run of a webhook to a path of the receiver, which responds as told. */
    claimedRun: (path: string, answer: Answer, claimedAt = new Date()) =>
      claimedRun(receiver.endpoint(path, answer), claimedAt),
  };
}
