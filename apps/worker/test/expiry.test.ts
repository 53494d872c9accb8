import { switchChannel } from '@postrider/db';
import { actorNamed } from '@postrider/db/testing';
import { createUuidV7Source, formatId, type JsonObject } from '@postrider/domain';
import { type Receiver, startReceiver, status, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { webhookChannel } from './support/channels.ts';
import { type AcceptedEvent, type Harness, startHarness } from './support/harness.ts';

const newId = createUuidV7Source();
const actor = actorNamed('test');

let harness: Harness;
let receiver: Receiver;
beforeAll(async () => {
  [harness, receiver] = await Promise.all([
    startHarness({ fastSweeps: ['health', 'limits', 'ordering', 'operationalEvents'] }),
    startReceiver(),
  ]);
  await harness.startWorker();
});
afterAll(async () => {
  await harness.close();
  await receiver.close();
});

type Channel = ReturnType<typeof webhookChannel> & { [setting: string]: unknown };

/** An environment with the channel, and one that takes reports of runs. */
async function environment(path: string, channel: Channel) {
  const reportsAt = `${path}/reports`;
  const reports = {
    ...webhookChannel(receiver.endpoint(reportsAt, status(200))),
    eventKeys: ['*'],
    operational: true,
  };
  const fixture = await harness.fixture({ channels: [channel, reports] });
  const reportOf = ({ runIds }: AcceptedEvent) =>
    waitFor('the report of the run', () =>
      receiver
        .received(reportsAt)
        .map(({ body }) => (JSON.parse(body) as { data: { payload: JsonObject } }).data.payload)
        .find((payload) => payload.delivery_run_id === formatId('run', runIds[0] ?? '')),
    );
  return { fixture, channelId: fixture.channels[0]?.id ?? '', reportOf };
}

const expiresIn = ({ messageId }: AcceptedEvent, seconds: number) =>
  harness.db.$executeRaw`
    UPDATE messages SET expires_at = now() + make_interval(secs => ${seconds}::int) WHERE id = ${messageId}::uuid`;

const lastError = async ({ runIds }: AcceptedEvent) =>
  (await harness.db.deliveryRun.findUnique({ where: { id: runIds[0] ?? '' } }))?.lastErrorCode;

describe('a run whose event expires', () => {
  it('in retry ends as expired at once, keeps the error of its attempt, and does not block its ordering key', async () => {
    const url = receiver.endpoint('/retry', status(500));
    const channel = { ...webhookChannel(url, { delaysSeconds: [3_600] }), ordering: 'key' as const };
    const { fixture, reportOf } = await environment('/retry', channel);
    const accept = async () => {
      const event = await harness.accept(fixture, { orderingKey: 'a', enqueue: false, channels: [0] });
      await expiresIn(event, 600);
      await harness.producer.enqueue(event.wakeUps);
      return event;
    };
    const [first, second] = [await accept(), await accept()];
    for (const event of [first, second]) {
      const run = await harness.runIn(fixture, event, ['failed']);
      expect(run.attempts).toMatchObject([
        { status: 'failed', errorCode: 'webhook_http_error', retryable: true },
        { status: 'failed', errorCode: 'expired', retryable: false },
      ]);
      expect(await lastError(event)).toBe('expired');
      expect(await reportOf(event)).toMatchObject({ error_code: 'expired', attempts: 2 });
    }
    expect(receiver.received('/retry')).toHaveLength(2);
  });

  it.each(['paused', 'limited', 'ordered', 'scheduled'])(
    'while it is %s ends as expired, and is reported',
    async (path) => {
      let isUp = false;
      const url = receiver.endpoint(`/${path}`, (response) => response.writeHead(isUp ? 200 : 500).end());
      const { fixture, channelId, reportOf } = await environment(`/${path}`, {
        ...webhookChannel(url, { delaysSeconds: [1] }),
        ...(path === 'limited' && { maxPerSecond: 100, maxInFlight: 1 }),
        ...(path === 'ordered' && { ordering: 'key' as const }),
      });
      const details = { channels: [0], orderingKey: path === 'ordered' ? 'a' : undefined };
      const deps = { db: harness.db, newId, actor };
      if (path === 'paused') await switchChannel(deps, { channelId, to: 'paused' });
      if (path === 'ordered') await harness.accept(fixture, details);
      const scheduleAt = path === 'scheduled' ? new Date(Date.now() + 3_600_000) : null;
      const event = await harness.accept(fixture, { ...details, scheduleAt, enqueue: path === 'paused' });
      if (path === 'paused') {
        await waitFor('the run to be held', () =>
          harness.db.deliveryRun.count({ where: { channelId, held: 'paused' } }),
        );
      }
      await expiresIn(event, -1);
      if (scheduleAt) {
        await harness.db
          .$executeRaw`UPDATE delivery_runs SET due_at = now() WHERE id = ${event.runIds[0]}::uuid`;
      }
      isUp = true;
      if (path === 'paused') await switchChannel(deps, { channelId, to: 'resumed' });
      else await harness.producer.enqueue(event.wakeUps.map((run) => ({ ...run, delayMs: 0 })));
      const run = await harness.runIn(fixture, event, ['failed']);
      expect(run.attempts).toMatchObject([{ errorCode: 'expired' }]);
      expect(await lastError(event)).toBe('expired');
      expect(await reportOf(event)).toMatchObject({ error_code: 'expired' });
    },
  );
});
