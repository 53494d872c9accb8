import type { ServerResponse } from 'node:http';
import { ATTEMPT_TIMEOUT_MS } from '@postrider/domain';
import { type Receiver, startReceiver, status, waitFor } from '@postrider/rig';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { createLargeContents, LARGE_CHARACTERS } from '../../src/deliver/attempt.ts';
import { webhookChannel } from '../support/channels.ts';
import { type Harness, startHarness } from '../support/harness.ts';

let harness: Harness;
let receiver: Receiver;
beforeEach(async () => {
  [harness, receiver] = await Promise.all([startHarness(), startReceiver()]);
});
afterEach(async () => {
  await harness.close();
  await receiver.close();
});

const CHANNELS = 6;
const OF_TENANT = 2;

describe('rendered contents that wait to be sent', () => {
  it('are limited per tenant if they are large, and others follow when these are sent', async () => {
    const open: ServerResponse[] = [];
    let most = 0;
    let holds = true;
    const url = receiver.endpoint('/large', (response) => {
      open.push(response);
      most = Math.max(most, open.length);
      if (!holds) answerAll();
    });
    // A channel has few slots at first. On a slow machine runs wait too long and are tried again, so they get many attempts.
    const channels = Array.from({ length: CHANNELS }, () =>
      webhookChannel(url, { timeoutMs: ATTEMPT_TIMEOUT_MS.most, maxAttempts: 20 }),
    );
    const answerAll = () => {
      for (const response of open.splice(0)) response.writeHead(200).end();
    };
    const text = '{% for i in (1..400) %}{{ payload.kilobyte }}{% endfor %}';
    const template = {
      eventKey: 'order.shipped',
      channelKind: 'webhook',
      body: { text },
      activate: true,
    } as const;
    const large = await harness.fixture({ channels, templates: [template] });
    const small = await harness.fixture({
      channels: [webhookChannel(receiver.endpoint('/small', status(200)))],
    });
    await harness.startWorker();
    await harness.accept(large, { payload: { kilobyte: 'x'.repeat(1_024) } });
    await waitFor('as many as there may be', () => open.length === OF_TENANT);
    await waitFor('one that waits', async () => {
      const begun = await harness.db.attempt.count({
        where: { run: { environmentId: large.environmentId } },
      });
      return begun > OF_TENANT;
    });
    await harness.accept(small);
    await harness.drained(small);
    holds = false;
    answerAll();
    expect(new Set((await harness.drained(large)).values())).toEqual(new Set(['succeeded']));
    expect(most).toBe(OF_TENANT);
    expect(receiver.received('/large')).toHaveLength(CHANNELS);
  });
});

describe('permits for large contents', () => {
  const patience = { signal: new AbortController().signal, withinMs: 60_000 };
  const large = { subject: 'x', html: 'x'.repeat(LARGE_CHARACTERS), text: null };
  const isFree = async (acquiring: Promise<unknown>) =>
    (await Promise.race([acquiring, new Promise((resolve) => setImmediate(resolve, 'waits'))])) !== 'waits';

  it('are shared between tenants, and small contents need none', async () => {
    const contents = createLargeContents();
    let channels = 0;
    const acquire = (owner: string, content: unknown = large) => {
      channels += 1;
      return isFree(contents.acquire(content, { owner, part: `channel ${channels}` }, patience));
    };
    expect([await acquire('a'), await acquire('a'), await acquire('a')]).toEqual([true, true, false]);
    expect(await acquire('a', { ...large, html: 'x' })).toBe(true);
    const others = [];
    for (const owner of ['b', 'c', 'd', 'e']) others.push(await acquire(owner), await acquire(owner));
    expect(others).toEqual([true, true, true, true, true, true, false, false]);
  });

  it('leave one to the other channels of a tenant whose receiver is slow', async () => {
    const contents = createLargeContents();
    const acquire = (part: string) => isFree(contents.acquire(large, { owner: 'a', part }, patience));
    expect([
      await acquire('slow'),
      await acquire('slow'),
      await acquire('slow'),
      await acquire('other'),
    ]).toEqual([true, false, false, true]);
  });

  it('stop waiting when the signal aborts or the time is over', async () => {
    const contents = createLargeContents();
    const key = { owner: 'a', part: 'channel' };
    await contents.acquire(large, key, patience);
    const abort = new AbortController();
    const waiting = contents.acquire(large, key, { ...patience, signal: abort.signal });
    abort.abort();
    expect(await waiting).toBeNull();
    expect(await contents.acquire(large, key, { ...patience, withinMs: 1 })).toBeNull();
  });
});
