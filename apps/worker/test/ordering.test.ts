import { acceptReplay, draftRuns, unblockKey } from '@postrider/db';
import { actorNamed } from '@postrider/db/testing';
import { createUuidV7Source, formatId } from '@postrider/domain';
import { type Receiver, startReceiver, status, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { webhookChannel } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';

let harness: Harness;
let receiver: Receiver;
beforeAll(async () => {
  [harness, receiver] = await Promise.all([
    startHarness({ fastSweeps: ['ordering', 'operationalEvents'] }),
    startReceiver(),
  ]);
  await Promise.all([harness.startWorker(), harness.startWorker()]);
});
afterAll(async () => {
  await harness.close();
  await receiver.close();
});

interface Got {
  readonly n: number;
  readonly key: string;
  readonly sequence: number;
  readonly header: string;
}

function got(path: string): Got[] {
  return receiver.received(path).map(({ body, headers }) => {
    const { data } = JSON.parse(body) as { data: { payload: { n: number; key: string }; sequence: number } };
    return { ...data.payload, sequence: data.sequence, header: String(headers['postrider-sequence']) };
  });
}

describe('a channel that keeps the order of keys', () => {
  it('sends each key one run at a time in the order of acceptance, with a gap-free sequence, by two workers', async () => {
    const url = receiver.endpoint('/ordered', (response) => response.writeHead(200).end());
    const fixture = await harness.fixture({ channels: [{ ...webhookChannel(url), ordering: 'key' }] });
    const keys = ['a', 'b', 'c'];
    for (let n = 0; n < 20; n += 1) {
      await Promise.all(
        keys.map((key) => harness.accept(fixture, { payload: { n, key }, orderingKey: key })),
      );
    }
    await harness.drained(fixture);
    const attempts = await harness.db.attempt.findMany({
      where: { run: { environmentId: fixture.environmentId } },
      include: { run: { select: { orderingKey: true } } },
      orderBy: { startedAt: 'asc' },
    });
    for (const key of keys) {
      const sent = got('/ordered').filter((send) => send.key === key);
      const tried = attempts.filter(({ run }) => run.orderingKey === key);
      for (const [index, { completedAt }] of tried.slice(0, -1).entries()) {
        expect(+(tried[index + 1]?.startedAt ?? 0)).toBeGreaterThanOrEqual(+(completedAt ?? 0));
      }
      expect(sent.map(({ n }) => n)).toEqual(Array.from({ length: 20 }, (_none, n) => n));
      expect(sent.map(({ sequence }) => sequence)).toEqual(sent.map((_send, index) => index + 1));
      expect(sent.map(({ header }) => header)).toEqual(sent.map(({ sequence }) => String(sequence)));
    }
  });

  it('retries a run before it sends the next, blocks the key after a failure, and sends replays anyway', async () => {
    let isUp = false;
    const url = receiver.endpoint('/blocked', (response) => response.writeHead(isUp ? 200 : 500).end());
    const fixture = await harness.fixture({
      channels: [{ ...webhookChannel(url, { maxAttempts: 2 }), ordering: 'key' }],
    });
    const [channel] = fixture.channels;
    const channelId = channel?.id ?? '';
    const accept = (n: number) =>
      harness.accept(fixture, { payload: { n, key: 'k' }, orderingKey: 'k', maxAttempts: 2 });
    const first = await accept(1);
    const second = await accept(2);
    await waitFor('the key to be blocked', () =>
      harness.db.orderingKey.findFirst({ where: { channelId, blockedAt: { not: null } } }),
    );
    expect(got('/blocked').map(({ n }) => n)).toEqual([1, 1]);
    isUp = true;
    const { tenantId, environmentId } = fixture;
    const planned = [
      { channel: { id: channelId, kind: 'webhook', name: '' }, templateVersionId: null, maxAttempts: 1 },
    ];
    const drafted = draftRuns(planned, { now: new Date(), messageId: second.messageId });
    const replayed = await acceptReplay(harness.db, {
      ...drafted,
      ...{ tenantId, environmentId },
    });
    expect(replayed.outcome).toBe('accepted');
    await waitFor('the replay to be sent', async () => got('/blocked').length === 3);
    const actor = actorNamed('test');
    const newId = createUuidV7Source();
    const unblocked = await unblockKey(
      { db: harness.db, newId, actor },
      { channelId, key: 'k', by: 'retry' },
    );
    expect(unblocked.outcome).toBe('unblocked');
    await harness.runIn(fixture, second, ['succeeded']);
    expect(got('/blocked').map(({ n, header }) => [n, header])).toEqual([
      [1, '1'],
      [1, '1'],
      [2, 'undefined'],
      [1, '1'],
      [2, '2'],
    ]);
    expect(await harness.run(fixture, first)).toMatchObject({ status: 'failed' });
  });

  it('reports a blocked key once for each run that blocks it', async () => {
    const fixture = await harness.fixture({
      channels: [
        { ...webhookChannel(receiver.endpoint('/blocking', status(500))), ordering: 'key' },
        { ...webhookChannel(receiver.endpoint('/blocked', status(200))), operational: true },
      ],
    });
    const accept = () => harness.accept(fixture, { orderingKey: 'a', maxAttempts: 1, channels: [0] });
    const first = await accept();
    await harness.runIn(fixture, first, ['failed']);
    const reports = () =>
      receiver
        .received('/blocked')
        .map(({ body }) => JSON.parse(body) as { type: string; data: { payload: object } })
        .filter(({ type }) => type === 'ordering_key.blocked');
    await waitFor('the report', () => reports().length > 0);
    await accept();
    await harness.db.$executeRaw`
      INSERT INTO ordering_ends (environment_id, channel_id, key)
      VALUES (${fixture.environmentId}::uuid, ${fixture.channels[0]?.id}::uuid, 'a')`;
    await waitFor('the key to be settled again', async () => (await harness.db.orderingEnd.count()) === 0);
    expect(reports().map(({ data }) => data.payload)).toEqual([
      {
        channel_id: formatId('chn', fixture.channels[0]?.id ?? ''),
        ordering_key: 'a',
        sequence: 1,
        delivery_run_id: formatId('run', first.runIds[0] ?? ''),
        message_id: formatId('msg', first.messageId),
        error_code: 'webhook_http_error',
      },
    ]);
    const stored = { type: 'ordering_key.blocked', environmentId: fixture.environmentId };
    expect(await harness.db.operationalEvent.count({ where: stored })).toBe(1);
  });

  it('gives a scheduled event its sequence when it is due', async () => {
    const url = receiver.endpoint('/scheduled', (response) => response.writeHead(200).end());
    const fixture = await harness.fixture({ channels: [{ ...webhookChannel(url), ordering: 'key' }] });
    const accept = (n: number, scheduleAt: Date | null) =>
      harness.accept(fixture, { payload: { n, key: 'k' }, orderingKey: 'k', scheduleAt });
    const later = await accept(1, new Date(Date.now() + 1_500));
    await harness.runIn(fixture, await accept(2, null), ['succeeded']);
    await harness.runIn(fixture, later, ['succeeded']);
    expect(got('/scheduled').map(({ n, sequence }) => [n, sequence])).toEqual([
      [2, 1],
      [1, 2],
    ]);
  });
});
