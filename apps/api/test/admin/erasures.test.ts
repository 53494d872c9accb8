import { randomUUID } from 'node:crypto';
import { erasePage } from '@postrider/db';
import { createUuidV7Source, formatId, parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';

const world = useApi();
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const UNKNOWN = 'era_01h455vb4pex5vsknk084sn02q';

const pathOf = (environmentId: string) => `/admin/v1/environments/${formatId('env', environmentId)}/erasures`;
const ask = (environmentId: string, body: unknown) => world.api().admin('post', pathOf(environmentId), body);
const get = (id: string) => world.api().admin('get', `/admin/v1/erasures/${id}`);

async function isLockAwaited(): Promise<boolean> {
  const waiting = await world.db().$queryRaw<unknown[]>`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return waiting.length > 0;
}

/** Processes a page like a worker. */
const work = (id: string) =>
  erasePage(
    {
      db: world.db(),
      newId: createUuidV7Source(),
      keys: world.api().deps.serviceKeys,
      lateMessagesSeconds: 0,
    },
    { id: parseId('era', id) ?? '' },
  );

describe('POST /admin/v1/environments/{id}/erasures', () => {
  it('responds with 201 and an erasure that workers execute, without the address', async () => {
    const { environmentId, token } = await world.environment();
    const sent = await world.api().postEvent(token).expect(201);
    const email = 'ada@example.com';
    const { body, text } = await ask(environmentId, { email }).expect(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^era_/),
      environment_id: formatId('env', environmentId),
      status: 'pending',
      recipient_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      messages_erased: 0,
      runs_cancelled: 0,
      created_at: TIME,
      started_at: null,
      completed_at: null,
    });
    expect(text).not.toContain(email);
    expect(await work(body.id)).toEqual({ outcome: 'completed' });
    const done = await get(body.id).expect(200);
    expect(done.body).toMatchObject({ status: 'completed', messages_erased: 1, completed_at: TIME });
    const message = await world.api().get(`/api/v1/messages/${sent.body.message_id}`, token).expect(200);
    expect(message.body).toMatchObject({ recipient: {}, payload: {} });
    const replay = await world
      .api()
      .post(`/api/v1/messages/${sent.body.message_id}/replay`, token)
      .expect(409);
    expect(replay.body.error.code).toBe('conflict');
  });

  it('takes the id of the recipient instead of the address', async () => {
    const { environmentId, token } = await world.environment();
    const recipient = { id: 'user-1815', email: 'ada@example.com' };
    const sent = await world.api().postEvent(token, anEvent({ recipient })).expect(201);
    const { body, text } = await ask(environmentId, { recipient_id: recipient.id }).expect(201);
    expect(text).not.toContain(recipient.id);
    expect(await work(body.id)).toEqual({ outcome: 'completed' });
    const message = await world.api().get(`/api/v1/messages/${sent.body.message_id}`, token).expect(200);
    expect(message.body).toMatchObject({ recipient: {}, payload: {} });
  });

  it('lets a replay that waits for it end as one of an erased message: 409, with nothing stored', async () => {
    const { environmentId, token } = await world.environment();
    const sent = await world.api().postEvent(token).expect(201);
    const path = `/api/v1/messages/${sent.body.message_id}/replay`;
    const key = randomUUID();
    const send = () => world.api().post(path, token).set('Idempotency-Key', key);
    const messageId = parseId('msg', sent.body.message_id) ?? '';
    const waiting = await world.db().$transaction(async (erasure) => {
      await erasure.$executeRaw`
        UPDATE messages SET recipient = '{}', recipient_email = NULL, payload = '{}', erased_at = now()
         WHERE environment_id = ${environmentId}::uuid AND id = ${messageId}::uuid`;
      const replayed = send();
      const response = replayed.then((given) => given);
      while (!(await isLockAwaited())) await new Promise(setImmediate);
      return { response };
    });
    const { body, status } = await waiting.response;
    const erased = await send();
    expect([status, body.error.code, body.error.message]).toEqual([
      409,
      'conflict',
      erased.body.error.message,
    ]);
    expect(await world.db().idempotencyRecord.count({ where: { key } })).toBe(0);
    expect(await world.db().message.findFirst({ where: { id: messageId } })).toMatchObject({
      replayCount: 0,
    });
  });

  it('lets no bulk replay of the recipient begin until it has ended: 409', async () => {
    const { environmentId } = await world.environment();
    const email = 'ada@example.com';
    const erasure = await ask(environmentId, { email: 'ADA@example.com' }).expect(201);
    const replays = `/admin/v1/environments/${formatId('env', environmentId)}/replays`;
    const create = () => world.api().admin('post', replays, { filter: { recipient_email: email } });
    const refused = await create().expect(409);
    expect(refused.body.error).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('being erased'),
    });
    expect(await work(erasure.body.id)).toEqual({ outcome: 'completed' });
    await create().expect(201);
  });

  it.each([
    ['nothing', {}, '/email'],
    ['what is no address', { email: 'Ada <ada@example.com>' }, '/email'],
    ['both an address and an id', { email: 'ada@example.com', recipient_id: 'u-1' }, '/email'],
    ['an empty id', { recipient_id: '' }, '/recipient_id'],
    ['a field that there is not', { email: 'ada@example.com', all: true }, '/all'],
  ])('answers 422 for %s', async (_what, body, path) => {
    const { environmentId } = await world.environment();
    const response = await ask(environmentId, body).expect(422);
    expect(response.body.error.details).toMatchObject([{ path }]);
  });

  it('answers 404 for an unknown environment', async () => {
    const { body } = await world
      .api()
      .admin('post', `/admin/v1/environments/env_01h455vb4pex5vsknk084sn02q/erasures`, {
        email: 'ada@example.com',
      })
      .expect(404);
    expect(body.error.code).toBe('environment_not_found');
  });
});

describe('erasures', () => {
  it('are listed newest first, only those of the environment', async () => {
    const { environmentId } = await world.environment();
    await ask((await world.environment()).environmentId, { email: 'ada@example.com' }).expect(201);
    const ids: string[] = [];
    for (const email of ['a@example.com', 'b@example.com', 'c@example.com']) {
      ids.unshift((await ask(environmentId, { email }).expect(201)).body.id);
    }
    const first = await world
      .api()
      .admin('get', `${pathOf(environmentId)}?limit=2`)
      .expect(200);
    expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    const cursor = encodeURIComponent(first.body.next_cursor);
    const rest = await world
      .api()
      .admin('get', `${pathOf(environmentId)}?cursor=${cursor}`)
      .expect(200);
    expect(rest.body).toMatchObject({ data: [{ id: ids[2] }], has_more: false });
  });

  it.each([UNKNOWN, 'run_01h455vb4pex5vsknk084sn02q', 'x'])('answer 404 for %s', async (id) => {
    expect((await get(id).expect(404)).body.error.code).toBe('erasure_not_found');
  });
});
