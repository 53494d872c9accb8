import { formatId, parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { HOOK } from '../support/channels.ts';
import { anEnvironment } from '../support/consumers.ts';
import { useApi } from '../support/database.ts';

const world = useApi();

describe('consumers', () => {
  it('are created, replaced, read, listed, searched and deleted by their own id', async () => {
    const { call, put, environmentId } = await anEnvironment(world);
    const first = await put('org_42', {
      name: 'Acme',
      attributes: { tier: 'gold' },
      limits: { events_per_month: 10, channel_kinds: ['webhook'] },
    });
    expect(first).toMatchObject({
      ...{ id: 'org_42', environment_id: formatId('env', environmentId), name: 'Acme', enabled: true },
      ...{ attributes: { tier: 'gold' }, contact_email: null, usage: { events: 0, channels: 0, months: [] } },
      limits: { events_per_month: 10, events_per_second: null, channels: null, channel_kinds: ['webhook'] },
    });
    for (const id of ['org_1', 'org_5', 'a:b.c-d']) await put(id, { name: `${id} Acme` });
    const replaced = await put('org_42', { name: 'Umbrella' });
    expect(replaced).toMatchObject({
      attributes: {},
      limits: { events_per_month: null, channel_kinds: null },
    });
    expect(replaced.created_at).toBe(first.created_at);

    const ids = async (query: string) => {
      const { body } = await call('get', `consumers?${query}`).expect(200);
      return [
        ...body.data.map(({ id }: { id: string }) => id),
        ...(body.next_cursor ? [body.next_cursor] : []),
      ];
    };
    const [one, two, cursor] = await ids('limit=2');
    expect([one, two]).toEqual(['a:b.c-d', 'org_1']);
    expect(await ids(`limit=2&cursor=${cursor}`)).toEqual(['org_42', 'org_5']);
    expect(await ids('search=org_4')).toEqual(['org_42']);
    expect(await ids('search=UMB')).toEqual(['org_42']);
    expect(await ids('search=a')).toEqual(['a:b.c-d']);
    expect(await ids('search=%25')).toEqual([]);

    await call('delete', 'consumers/org_42').expect(204);
    for (const method of ['get', 'delete'] as const) await call(method, 'consumers/org_42').expect(404);
    expect(await ids('search=org_4')).toEqual([]);
    const audit = await world
      .db()
      .auditEntry.findMany({ where: { environmentId, resourceId: 'org_42' }, orderBy: { id: 'asc' } });
    expect(audit.map(({ action }) => action)).toEqual([
      'consumer.created',
      'consumer.updated',
      'consumer.deleted',
    ]);
    expect(JSON.stringify(audit)).not.toContain('Umbrella');
  });

  it('show their events by month, without those of a deleted consumer with the same id', async () => {
    const { call, put, environmentId } = await anEnvironment(world);
    await put('org_1', {});
    const month = (ago: number) => {
      const now = new Date();
      return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1));
    };
    const rows = [0, 1, 3].map((ago) => ({ periodStart: month(ago), consumerEvents: 10 + ago }));
    await world.db().consumerUsage.createMany({
      data: rows.map((row) => ({ environmentId, consumerId: 'org_1', ...row })),
    });
    const months = async () => (await call('get', 'consumers/org_1').expect(200)).body.usage;
    const shown = ({ periodStart, consumerEvents }: (typeof rows)[number]) => ({
      period_start: periodStart.toISOString().slice(0, 10),
      events: consumerEvents,
    });
    expect(await months()).toEqual({ events: 10, channels: 0, months: rows.slice(0, 1).map(shown) });
    await world.db().consumer.updateMany({ where: { environmentId }, data: { createdAt: month(2) } });
    expect((await months()).months).toEqual(rows.slice(0, 2).map(shown));
  });

  it.each([
    ['an id with other characters', 'org%2042', {}, '/id'],
    ['an id that is too long', 'x'.repeat(129), {}, '/id'],
    ['attributes that are too large', 'x', { attributes: { a: 'x'.repeat(4_096) } }, '/attributes'],
    ['an unknown kind', 'x', { limits: { channel_kinds: ['pigeon'] } }, '/limits/channel_kinds/0'],
    ['more channels than the service allows', 'x', { limits: { channels: 51 } }, '/limits/channels'],
    ['no address', 'x', { contact_email: 'nobody' }, '/contact_email'],
  ])('are refused with %s', async (_name, id, body, path) => {
    const { call } = await anEnvironment(world);
    const refused = await call('put', `consumers/${id}`, body).expect(422);
    expect(refused.body.error.details).toMatchObject([{ path }]);
  });

  it('are those of their environment: another one has none of them, and the same id twice', async () => {
    const mine = await anEnvironment(world);
    const others = await anEnvironment(world);
    await mine.put('org_42', { name: 'Acme' });
    const hook = await mine.channel('org_42', { name: 'Mine' });
    for (const path of ['consumers/org_42', 'consumers/org_42/channels', `channels/${hook.id}`])
      await others.call('get', path).expect(404);
    expect((await others.call('get', 'consumers').expect(200)).body.data).toEqual([]);
    expect((await others.send('org_42').expect(422)).body.error.details).toMatchObject([
      { path: '/consumer', code: 'unknown_consumer' },
    ]);
    await others.put('org_42');
    await others.call('delete', 'consumers/org_42').expect(204);
    world.api().deps.snapshots.clear();
    expect(await mine.takenBy('org_42')).toEqual(['Mine', 'Shop']);
  });
});

describe('channels of a consumer', () => {
  it('take events that name it, besides those of the environment, and no others', async () => {
    const { put, channel, takenBy, call, send } = await anEnvironment(world);
    for (const id of ['one', 'two']) await put(id);
    await channel('one', { name: 'One' });
    await channel('one', { name: 'Paid', event_keys: ['order.paid'] });
    await channel('two', { name: 'Two' });
    expect(await takenBy('one')).toEqual(['One', 'Shop']);
    expect(await takenBy('two')).toEqual(['Shop', 'Two']);
    expect(await takenBy(undefined)).toEqual(['Shop']);
    const { body: sent } = await send('one');
    expect((await call('get', `messages/${sent.message_id}`)).body.consumer).toBe('one');
    expect((await call('get', 'channels')).body.data.map(({ name }: { name: string }) => name)).toEqual([
      'Shop',
    ]);
    expect((await call('get', 'consumers/one/channels')).body.data).toMatchObject([
      { name: 'Paid', consumer: 'one' },
      { name: 'One', consumer: 'one' },
    ]);
    expect((await call('get', 'consumers/one')).body.usage).toMatchObject({ events: 2, channels: 2 });
  });

  it('can have filters on its attributes, which an event of no consumer does not have', async () => {
    const { put, channel, takenBy, call, channels } = await anEnvironment(world);
    const filter = { consumer: { attributes: { tier: 'gold' } } };
    const shop = formatId('chn', channels[0]?.id ?? '');
    await call('patch', `channels/${shop}`, { filter }).expect(200);
    for (const [id, tier] of [
      ['rich', 'gold'],
      ['poor', 'tin'],
    ] as const) {
      await put(id, { attributes: { tier } });
      await channel(id, { name: id });
      await channel(id, { name: `${id} filtered`, filter });
    }
    expect(await takenBy('rich')).toEqual(['Shop', 'rich', 'rich filtered']);
    expect(await takenBy('poor')).toEqual(['poor']);
  });

  it('get its replays too, and only those', async () => {
    const { put, channel, send, call } = await anEnvironment(world);
    for (const id of ['one', 'two']) await put(id);
    await channel('one', { name: 'One' });
    const ofTwo = await channel('two', { name: 'Two' });
    const { body: sent } = await send('one').expect(201);
    const replay = (body: object) => call('post', `messages/${sent.message_id}/replay`, body);
    const { body } = await replay({}).expect(201);
    expect(body.delivery_runs.map((run: { channel: { name: string } }) => run.channel.name).sort()).toEqual([
      'One',
      'Shop',
    ]);
    const refused = await replay({ channels: [ofTwo.id] }).expect(422);
    expect(refused.body.error.details).toMatchObject([{ code: 'unknown_channel' }]);
  });

  it('have messages and bulk replays of their own', async () => {
    const { put, send, call, environmentId } = await anEnvironment(world);
    for (const id of ['one', 'two']) await put(id);
    const ofOne: string[] = [];
    for (const consumer of ['one', 'two', 'one', undefined]) {
      const { body } = await send(consumer).expect(201);
      if (consumer === 'one') ofOne.unshift(body.message_id);
    }
    const ids = async (query: string) =>
      (await call('get', `messages?${query}`).expect(200)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids('consumer=one&fields=id')).toEqual(ofOne);
    expect(await ids('consumer=one&event_key=order.paid&fields=id')).toEqual([]);
    expect(await ids('consumer=nobody&fields=id')).toEqual([]);
    await call('get', 'messages?consumer=%00').expect(422);
    const replays = `/admin/v1/environments/${formatId('env', environmentId)}/replays`;
    const counted = await world
      .api()
      .admin('post', replays, { filter: { consumer: 'one' }, dry_run: true })
      .expect(200);
    expect(counted.body).toMatchObject({ matched: 2, filter: { consumer: 'one' } });
  });

  it('are bounded by its limits and the service, and never operational', async () => {
    const { call, put, channel } = await anEnvironment(world);
    await put('one', { limits: { channels: 1, channel_kinds: ['webhook'] } });
    const create = (body: object) => call('post', 'consumers/one/channels', body);
    const email = {
      kind: 'email',
      name: 'Mail',
      config: { smtp: { host: 'smtp.example.com', port: 587 }, from: { email: 'a@example.com' } },
    };
    expect((await create(email).expect(422)).body.error.details).toMatchObject([
      { path: '/kind', message: expect.stringContaining('limits.channel_kinds of the consumer') },
    ]);
    expect((await create({ ...HOOK, operational: true }).expect(422)).body.error.details).toMatchObject([
      { path: '/operational' },
    ]);
    await channel('one');
    expect((await create(HOOK).expect(409)).body.error.message).toContain('at most 1 ');
    await call('post', 'consumers/nobody/channels', HOOK).expect(404);
  });

  it('do not count as channels of the environment', async () => {
    const { put, channel, call, environmentId } = await anEnvironment(world, { channels: [] });
    await put('one');
    const made = await channel('one');
    await world.db().$executeRaw`
      INSERT INTO channels (id, environment_id, consumer_id, kind, name, event_keys, config, retry, sealed_secret)
      SELECT gen_random_uuid(), environment_id, consumer_id, kind, name, event_keys, config, retry, sealed_secret
        FROM channels, generate_series(1, 120) WHERE id = ${parseId('chn', made.id)}::uuid`;
    expect(await world.db().channel.count({ where: { environmentId } })).toBe(121);
    await call('post', 'channels', HOOK).expect(201);
  });
});
