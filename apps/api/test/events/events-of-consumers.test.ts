import { randomUUID } from 'node:crypto';
import { createSnapshots, listenForConfig } from '@postrider/db';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { HOOK } from '../support/channels.ts';
import { anEnvironment } from '../support/consumers.ts';
import { useApi } from '../support/database.ts';
import { until } from '../support/waiting.ts';

const world = useApi();

describe('an event of a consumer', () => {
  it('is refused if the consumer is unknown, and stores nothing', async () => {
    const { send, environmentId } = await anEnvironment(world);
    const refused = await send('nobody').expect(422);
    expect(refused.body.error.details).toMatchObject([{ path: '/consumer', code: 'unknown_consumer' }]);
    expect((await send('not an id').expect(422)).body.error.details).toMatchObject([{ path: '/consumer' }]);
    expect(await world.db().message.count({ where: { environmentId } })).toBe(0);
  });

  it('creates it if the environment says so: once, and also in a batch', async () => {
    const { send, call, environmentId } = await anEnvironment(world, {
      settings: { unknownConsumers: 'create' },
    });
    const sent = await Promise.all(Array.from({ length: 5 }, () => send('new')));
    expect(sent.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    const events = ['new', 'newer'].map((consumer) => ({
      idempotency_key: randomUUID(),
      event: anEvent({ consumer }),
    }));
    const { body } = await call('post', 'events/batch', { events }).expect(200);
    expect(body.results.map(({ status }: { status: number }) => status)).toEqual([201, 201]);
    expect(await world.db().consumer.count({ where: { environmentId } })).toBe(2);
    expect((await call('get', 'consumers/new')).body.usage.events).toBe(6);
  });

  it('counts against its limit exactly, also at once, and the tenant keeps the rest', async () => {
    const { send, put, call } = await anEnvironment(world);
    await put('one', { limits: { events_per_month: 3 } });
    await put('two');
    const sent = await Promise.all([
      ...Array.from({ length: 8 }, () => send('one')),
      ...Array.from({ length: 4 }, () => send('two')),
      send(undefined),
    ]);
    expect(sent.slice(0, 8).filter(({ status }) => status === 201)).toHaveLength(3);
    expect(sent.slice(8).map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    const refused = sent.slice(0, 8).find(({ status }) => status !== 201);
    expect(refused?.status).toBe(402);
    expect(refused?.body.error).toMatchObject({
      code: 'quota_exceeded',
      message: expect.stringContaining('one'),
      details: [{ path: '/consumer', code: 'quota_limit', limit: 3, used: 3 }],
    });
    expect((await call('get', 'consumers/one')).body.usage.events).toBe(3);
    expect((await call('get', 'consumers/two')).body.usage.events).toBe(4);
  });

  it('gets its stored response when it is repeated, also beyond the limits of the consumer', async () => {
    const { send, put } = await anEnvironment(world);
    await put('one', { limits: { events_per_month: 1 } });
    const key = randomUUID();
    const first = await send('one', {}, key).expect(201);
    await send('one').expect(402);
    const again = await send('one', {}, key).expect(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  it.each([
    ['each event by itself', false, [201, 201, 402, 201]],
    ['all or none', true, [409, 409, 402, 409]],
  ])('is refused alone in a batch beyond the limit: %s', async (_name, atomic, statuses) => {
    const { put, call } = await anEnvironment(world);
    await put('one', { limits: { events_per_month: 2 } });
    const events = ['one', 'one', 'one', undefined].map((consumer) => ({
      idempotency_key: randomUUID(),
      event: anEvent({ ...(consumer && { consumer }) }),
    }));
    const { body } = await call('post', 'events/batch', { events, atomic }).expect(200);
    expect(body.results.map(({ status }: { status: number }) => status)).toEqual(statuses);
  });

  it('is limited by the rate of the consumer, alone and in batches', async () => {
    const { put, send, call } = await anEnvironment(world);
    await put('slow', { limits: { events_per_second: 1 } });
    await put('fast');
    expect((await send('slow')).status).toBe(201);
    const refused = await send('slow');
    expect(refused.status).toBe(429);
    expect(refused.body.error).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('slow'),
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const events = ['slow', 'fast'].map((consumer) => ({
      idempotency_key: randomUUID(),
      event: anEvent({ consumer }),
    }));
    const { body } = await call('post', 'events/batch', { events }).expect(200);
    expect(body.results.map(({ status }: { status: number }) => status)).toEqual([429, 201]);
  });

  it('goes only to the channels of the environment while the consumer is disabled', async () => {
    const { put, channel, takenBy } = await anEnvironment(world);
    await put('one');
    await channel('one', { name: 'One' });
    await put('one', { enabled: false });
    expect(await takenBy('one')).toEqual(['Shop']);
  });
});

describe('the cache of consumers', () => {
  it('drops what a notice names, and leaves the snapshot of the environment', async () => {
    const { environmentId, call } = await anEnvironment(world);
    const db = world.api().deps.db;
    const snapshots = createSnapshots({ db });
    const notices: string[] = [];
    const listener = listenForConfig({
      databaseUrl: world.url(),
      onNotice: (notice) => {
        snapshots.drop(notice);
        notices.push(notice);
      },
      onGap: snapshots.clear,
    });
    try {
      await listener.listening;
      const key = { environmentId, id: 'one' };
      const notice = `consumer:${environmentId}:one`;
      const heard = async (count: number) => {
        await until(() => notices.filter((each) => each === notice).length >= count);
      };
      expect(await snapshots.consumer(key)).toBeNull();
      const environment = snapshots.environment(environmentId);
      await call('put', 'consumers/one', { limits: { events_per_month: 5 } }).expect(200);
      await heard(1);
      expect(await snapshots.consumer(key)).toMatchObject({ eventsPerMonth: 5, channels: [] });
      const { body } = await call('post', 'consumers/one/channels', HOOK).expect(201);
      await heard(2);
      expect((await snapshots.consumer(key))?.channels).toHaveLength(1);
      await call('patch', `channels/${body.id}`, { enabled: false }).expect(200);
      await heard(3);
      expect((await snapshots.consumer(key))?.channels).toHaveLength(0);
      await call('delete', 'consumers/one').expect(204);
      await heard(4);
      expect(await snapshots.consumer(key)).toBeNull();
      expect(notices.filter((each) => !each.startsWith('consumer:') && each.includes(environmentId))).toEqual(
        [],
      );
      expect(snapshots.environment(environmentId)).toBe(environment);
    } finally {
      await listener.close();
    }
  });
});
