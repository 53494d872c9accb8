import { singleRedisServerUrl } from '@postrider/db/testing';
import { type Receiver, startReceiver, startTcpProxy, status, type TcpProxy, waitFor } from '@postrider/rig';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { webhookChannel } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';

const redisUrl = singleRedisServerUrl();
let harness: Harness;
let receiver: Receiver;
let proxy: TcpProxy;
beforeEach(async () => {
  [harness, receiver, proxy] = await Promise.all([
    startHarness({ redisUrl }),
    startReceiver(),
    startTcpProxy(redisUrl),
  ]);
});
afterEach(async () => {
  await harness.close();
  await proxy.close();
  await receiver.close();
});

const hook = (path: string) => webhookChannel(receiver.endpoint(path, status(200)));
const webhookIds = (path: string) => receiver.received(path).map(({ headers }) => headers['webhook-id']);

describe('a worker without Redis', () => {
  it('starts, and delivers when Redis is available', async () => {
    proxy.set('reset');
    const fixture = await harness.fixture({ channels: [hook('/late-redis')] });
    await harness.startWorker({ redisUrl: proxy.url });
    const event = await harness.accept(fixture, { enqueue: false });
    proxy.set(null);
    await harness.runIn(fixture, event, ['succeeded']);
  });

  it('continues when Redis returns after an outage', async () => {
    const fixture = await harness.fixture({ channels: [hook('/outage')] });
    await harness.startWorker({ redisUrl: proxy.url });
    await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    proxy.set('reset');
    await Promise.all(Array.from({ length: 20 }, () => harness.accept(fixture, { enqueue: false })));
    const outages = () => harness.log.filter((line) => line.level === 'error');
    await waitFor('the outage to be noticed', () => outages().length > 0);
    proxy.set(null);
    await harness.drained(fixture);
    expect(webhookIds('/outage')).toHaveLength(21);
    expect(outages().length).toBeLessThan(50);
  });

  it('replaces connections that have gone silent', async () => {
    const fixture = await harness.fixture({ channels: [hook('/silent-redis')] });
    await harness.startWorker({ redisUrl: proxy.url });
    await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    proxy.silence();
    await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
  });

  it('stops although Redis is down', async () => {
    const fixture = await harness.fixture({ channels: [hook('/away')] });
    const worker = await harness.startWorker({ redisUrl: proxy.url });
    await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    proxy.set('reset');
    await worker.stop(1_000);
  });
});
