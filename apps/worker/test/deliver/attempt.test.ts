import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { channelKinds, createSenders, failure } from '@postrider/channels';
import { type ClaimedRun, type EndedAttempt, LEASE_MARGIN_MS } from '@postrider/db';
import {
  createAddressPolicy,
  createSecretBox,
  createWebhookSecret,
  DEFAULT_FAILURE_POLICY,
  type WakeUp,
} from '@postrider/domain';
import { createEventLoopTurns, LARGE_JSON_CHARACTERS, LARGE_JSON_TURNS } from '@postrider/fairness';
import type { Renderer } from '@postrider/rendering';
import { type Answer, type Receiver, startReceiver, status } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  type AttemptDeps,
  createDelivering,
  createLargeContents,
  runAttempt,
} from '../../src/deliver/attempt.ts';

const TIMEOUT_MS = 5_000;
const secretBox = createSecretBox([{ id: 'test', key: randomBytes(32) }]);
const senders = await createSenders(channelKinds, { isAddressAllowed: createAddressPolicy(['127.0.0.0/8']) });

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(async () => {
  senders.close();
  await receiver.close();
});

function claimedRun(path: string, answer: Answer, claimedAt = new Date()): ClaimedRun {
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
      config: { url: receiver.endpoint(path, answer) },
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

/**
 * The dependencies of an attempt, and its effects. `finish` and `disable` respond to each try in turn, without and with
 * the channel.
 */
function setUp({
  nowMs = () => performance.now(),
  finish = ['finished'] as (string | Error)[],
  disable = ['finished'] as (string | Error)[],
  send = senders.get('webhook').send,
} = {}) {
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
const lost = () => Object.assign(new Error('lost'), { code: 'ECONNRESET' });
const deadlock = () => Object.assign(new Error('deadlock detected'), { code: '40P01' });

describe('an attempt', () => {
  it('signs with the time of the database, not of this machine', async () => {
    const claimedAt = new Date(Date.now() - 3_600_000);
    const run = claimedRun('/signed', status(200), claimedAt);
    let elapsed = 0;
    await setUp({ nowMs: () => (elapsed += 1_000) }).attempt(run, 0);
    const [request] = receiver.received('/signed');
    const ahead = Number(request?.headers['webhook-timestamp']) - claimedAt.getTime() / 1_000;
    expect(ahead).toBeGreaterThan(0);
    expect(ahead).toBeLessThan(10);
  });

  it('parses a large message in a turn of its own before it is sent, also if several were rendered at the same time', async () => {
    let turn = 0;
    const turns: number[] = [];
    const { deps } = setUp({
      async send() {
        turns.push(turn);
        return failure('webhook_timeout', 'Nothing was sent.');
      },
    });
    const all = 5;
    let allRendered: () => void = () => undefined;
    const rendered = new Promise<void>((resolve) => {
      allRendered = resolve;
    });
    let rendering = 0;
    const webhook = deps.senders.get('webhook');
    const render = async () => {
      rendering += 1;
      if (rendering === all) allRendered();
      await rendered;
      return { ok: true as const, content: { body: '{}' } };
    };
    const together = { ...webhook, template: { ...webhook.template, render } };
    const run = claimedRun('/large', status(200));
    const attempts = Array.from({ length: all }, () =>
      runAttempt(
        { ...deps, senders: { get: () => together } },
        { ...run, message: { ...run.message, characters: LARGE_JSON_CHARACTERS } },
        { askedAt: performance.now(), signal: new AbortController().signal, render: undefined },
        null,
      ),
    );
    while (turns.length < all) {
      await nextTurn();
      turn += 1;
    }
    await Promise.all(attempts);
    expect(new Set(turns).size).toBe(all);
  });

  it("sends nothing if the claim's response arrived so late that the lease could end during the attempt", async () => {
    const run = claimedRun('/late-claim', status(200));
    const { attempt, finishes } = setUp({ nowMs: () => LEASE_MARGIN_MS + 1 });
    const outcome = await attempt(run, 0);
    expect(receiver.received('/late-claim')).toEqual([]);
    const error = { stage: 'lease', code: 'worker_lost', retryable: true };
    expect(outcome).toMatchObject({ status: 'failed', error });
    expect(finishes).toMatchObject([{ outcome: { next: { status: 'retrying' } } }]);
  });

  it('stops writing its result when the lease has expired', async () => {
    let now = LEASE_MARGIN_MS;
    const run = claimedRun('/lease-over', (response) => {
      now += TIMEOUT_MS;
      response.writeHead(200).end();
    });
    const { attempt, finishes } = setUp({ nowMs: () => now, finish: [lost()] });
    await expect(attempt(run, 0)).rejects.toThrow('lost');
    expect(finishes).toHaveLength(1);
  });

  it('retries writing its result after a serialization failure or deadlock', async () => {
    const { attempt, finishes } = setUp({ finish: [deadlock(), 'finished'] });
    expect(await attempt(claimedRun('/deadlock', status(200)))).toMatchObject({ written: 'finished' });
    expect(finishes).toHaveLength(2);
  });

  it('enqueues the retry if it cannot know whether its result was written', async () => {
    const run = claimedRun('/answer-lost', status(500));
    const { attempt, enqueued } = setUp({ finish: [lost(), 'stale'] });
    expect(await attempt(run)).toMatchObject({ written: 'uncertain' });
    expect(enqueued).toMatchObject([{ channelId: run.channel.id, channelKind: 'webhook' }]);
  });

  it('enqueues no retry if another worker has the run', async () => {
    const { attempt, enqueued } = setUp({ finish: ['stale'] });
    expect(await attempt(claimedRun('/stale', status(500)))).toMatchObject({ written: 'stale' });
    expect(enqueued).toEqual([]);
  });
});

describe('the slot of an attempt', () => {
  /** Delivers the run. Returns where it failed, and whether the slot was released as answered. */
  async function deliver(run: ClaimedRun) {
    const ends: unknown[] = [];
    const { deliver: deliverRun } = createDelivering({
      ...setUp().deps,
      tracing: null,
      report: (_run, { error }) => ends.push(error?.stage),
      onError: (error) => ends.push(error),
    });
    const slot = { release: (answered?: boolean) => ends.push(answered) };
    await deliverRun(run, { slot, render: undefined, askedAt: performance.now() });
    return ends;
  }

  it('is released as answered, or as not answered if the endpoint closed the connection', async () => {
    expect(await deliver(claimedRun('/answers', status(500)))).toEqual(['send', true]);
    expect(await deliver(claimedRun('/closes', (response) => response.destroy()))).toEqual(['send', false]);
  });

  it('says nothing about the endpoint if the secrets could not be decrypted', async () => {
    const run = claimedRun('/lost-key', status(200));
    const encrypted = { ...run.encrypted, sealedSecret: 'encrypted with a lost key' };
    expect(await deliver({ ...run, encrypted })).toEqual(['secrets', undefined]);
    expect(receiver.received('/lost-key')).toEqual([]);
  });
});

describe('an attempt whose sender throws', () => {
  it('is finished with an unknown outcome that does not count against the channel, retried and reported', async () => {
    const bug = new TypeError('Cannot convert object to primitive value');
    const run = claimedRun('/throws', status(200));
    const { attempt, finishes, failures, enqueued } = setUp({ send: () => Promise.reject(bug) });
    expect(await attempt(run)).toMatchObject({ written: 'finished' });
    expect(finishes).toMatchObject([
      { outcome: { status: 'unknown', error: { code: 'worker_lost' }, next: { status: 'retrying' } } },
    ]);
    expect(failures).toEqual([bug]);
    expect(enqueued).toMatchObject([{ channelId: run.channel.id, channelKind: 'webhook' }]);
  });
});

describe('an attempt whose preparation throws', () => {
  const bug = new TypeError('Cannot convert object to primitive value');
  const throwing = (): never => {
    throw bug;
  };

  it.each([
    ['the secrets are decrypted', { secretBox: { ...secretBox, decrypt: throwing } }],
    ['the attempt is recorded', { watchSlow: throwing }],
  ])(
    'while %s is finished as failed, because nothing was sent, retried and reported',
    async (name, broken) => {
      const path = `/throws/${encodeURIComponent(name)}`;
      const { deps, attempt, finishes, failures } = setUp();
      Object.assign(deps, broken);
      expect(await attempt(claimedRun(path, status(200)))).toMatchObject({ written: 'finished' });
      expect(finishes).toMatchObject([
        { outcome: { status: 'failed', error: { code: 'worker_lost' }, next: { status: 'retrying' } } },
      ]);
      expect(finishes[0]?.outcome.sent).toBeUndefined();
      expect(failures).toEqual([bug]);
      expect(receiver.received(path)).toEqual([]);
    },
  );
});

it('an attempt is watched without its content and secrets', async () => {
  const { deps, attempt } = setUp();
  const watched: unknown[] = [];
  const watchSlow: typeof deps.watchSlow = (run) => {
    watched.push(run);
    return () => undefined;
  };
  Object.assign(deps, { watchSlow });
  const run = claimedRun('/watched', status(200));
  await attempt(run);
  const { runId, attemptNumber, fence } = run;
  const sent = { sha256: expect.any(String), exchange: expect.any(Object) };
  expect(watched).toEqual([{ runId, attemptNumber, fence, sent }]);
});

describe('an attempt whose result PostgreSQL refuses', () => {
  const refused = () => Object.assign(new Error('integer out of range'), { code: '22003' });

  it.each([
    [200, { status: 'succeeded', error: null, next: { status: 'succeeded' } }],
    [500, { status: 'failed', error: { code: 'webhook_http_error' }, next: { status: 'retrying' } }],
  ])('keeps its status without what the receiver sent (HTTP %i)', async (code, kept) => {
    const failure = refused();
    const { attempt, finishes, failures } = setUp({ finish: [failure, lost(), 'finished'] });
    expect(await attempt(claimedRun(`/refused/${code}`, status(code)))).toMatchObject({
      written: 'finished',
    });
    expect(finishes.map(({ outcome }) => outcome.response?.statusCode)).toEqual([code, undefined, undefined]);
    expect(finishes[2]?.outcome).toMatchObject({ ...kept, response: null, sent: finishes[0]?.outcome.sent });
    expect(failures).toEqual([failure]);
  });

  it('is not written if that is refused, too', async () => {
    const { attempt, finishes } = setUp({ finish: [refused(), refused()] });
    await expect(attempt(claimedRun('/refused/twice', status(200)))).rejects.toThrow('integer out of range');
    expect(finishes).toHaveLength(2);
  });
});

describe('an attempt whose endpoint is gone', () => {
  const GONE = { error: { code: 'webhook_endpoint_gone' }, next: { status: 'failed' } };

  it('stores its result once, together with the change of the channel', async () => {
    const run = claimedRun('/gone', status(410));
    const { attempt, finishes, disables } = setUp();
    expect(await attempt(run)).toMatchObject({ written: 'finished' });
    expect(disables).toMatchObject([{ run, outcome: GONE }]);
    expect(finishes).toEqual([]);
  });

  it('stores its result even if the channel cannot be stopped, and reports why', async () => {
    const failure = new Error('no audit log');
    const run = claimedRun('/gone-broken', status(410));
    const { attempt, finishes, disables, failures } = setUp({
      disable: [failure],
      finish: [lost(), 'finished'],
    });
    expect(await attempt(run)).toMatchObject({ written: 'finished' });
    expect(disables).toHaveLength(1);
    expect(failures).toEqual([failure]);
    expect(finishes).toMatchObject([
      { run, outcome: GONE },
      { run, outcome: GONE },
    ]);
  });

  it.each([
    ['an outage', lost],
    ['a deadlock', deadlock],
  ])('retries both after %s', async (name, error) => {
    const { attempt, finishes, disables, failures } = setUp({ disable: [error(), 'finished'] });
    const run = claimedRun(`/gone/${encodeURIComponent(name)}`, status(410));
    expect(await attempt(run)).toMatchObject({ written: 'finished' });
    expect(disables).toHaveLength(2);
    expect([finishes, failures]).toEqual([[], []]);
  });
});
