import { setImmediate as nextTurn } from 'node:timers/promises';
import { failure } from '@postrider/channels';
import { type ClaimedRun, LEASE_MARGIN_MS } from '@postrider/db';
import { LARGE_JSON_CHARACTERS } from '@postrider/fairness';
import { status } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { createDelivering, runAttempt } from '../../src/deliver/attempt.ts';
import { deadlock, lost, secretBox, TIMEOUT_MS, useAttempts } from '../support/attempts.ts';

const { claimedRun, received, setUp } = useAttempts();

describe('an attempt', () => {
  it('signs with the time of the database, not of this machine', async () => {
    const claimedAt = new Date(Date.now() - 3_600_000);
    const run = claimedRun('/signed', status(200), claimedAt);
    let elapsed = 0;
    await setUp({ nowMs: () => (elapsed += 1_000) }).attempt(run, 0);
    const [request] = received('/signed');
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
    expect(received('/late-claim')).toEqual([]);
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
    expect(received('/lost-key')).toEqual([]);
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
      expect(received(path)).toEqual([]);
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
