import { randomUUID } from 'node:crypto';
import {
  createDatabaseClock,
  createIngest,
  createSnapshots,
  createStoredResponseLookup,
  openDatabase,
} from '@postrider/db';
import { formatId } from '@postrider/domain';
import { startTcpProxy } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { createContent } from '../../src/http/static-content.ts';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';

const world = useApi();

/** An API that reaches Postgres through a proxy, with the environment's snapshot in its cache. */
async function startBehindProxy(token: string) {
  const proxy = await startTcpProxy(world.url());
  const db = openDatabase(proxy.url);
  const api = await world.more({
    db,
    snapshots: createSnapshots({ db }),
    clock: createDatabaseClock(db),
    ingest: createIngest(db),
    findStoredResponse: createStoredResponseLookup(db),
    portal: new Map([['index.html', createContent(Buffer.from('<!doctype html>'), 'text/html')]]),
  });
  expect((await api.get('/api/v1/limits', token)).status).toBe(200);
  return { proxy, db, api };
}

describe('while Postgres is unreachable', () => {
  it('answers 503 service_unavailable with Retry-After, accepts nothing, and works again afterwards', async () => {
    const { token, environmentId } = await world.environment();
    const { proxy, db, api } = await startBehindProxy(token);
    const key = randomUUID();
    proxy.set('reset');
    const refused = [
      await api.postEvent(token, anEvent(), key),
      await api.get('/api/v1/messages', token),
      await api.get('/api/v1/usage/current', token),
      await api.post('/api/v1/messages/msg_01h455vb4pex5vsknk084sn02q/replay', token),
      await api.post('/api/v1/delivery-runs/run_01h455vb4pex5vsknk084sn02q/cancel', token),
      await api.get(`/portal/?environment=${formatId('env', environmentId)}`),
    ];
    for (const response of refused) {
      expect(response.status).toBe(503);
      expect(response.body.error).toEqual({
        code: 'service_unavailable',
        message: expect.any(String),
        request_id: 'unknown',
      });
      expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    const ready = await api.get('/readyz');
    expect([ready.status, ready.body.checks.postgres]).toEqual([503, 'unreachable']);
    expect((await api.get('/healthz')).status).toBe(200);
    expect(await world.db().message.count({ where: { environmentId } })).toBe(0);

    proxy.set(null);
    const accepted = await api.postEvent(token, anEvent(), key);
    expect(accepted.status).toBe(201);
    expect(accepted.headers['idempotent-replayed']).toBeUndefined();
    await db.$disconnect();
    await proxy.close();
  });

  it('responds with 503 and not 401 to a token that is not cached', async () => {
    const { token } = await world.environment();
    const { proxy, db, api } = await startBehindProxy(token);
    const unknown = await world.environment();
    proxy.set('reset');
    expect((await api.get('/api/v1/limits', unknown.token)).status).toBe(503);
    proxy.set(null);
    expect((await api.get('/api/v1/limits', unknown.token)).status).toBe(200);
    await db.$disconnect();
    await proxy.close();
  });

  it('does not log the content of requests', async () => {
    const { token } = await world.environment();
    const { proxy, db, api } = await startBehindProxy(token);
    proxy.set('reset');
    await api.postEvent(token, anEvent({ recipient: { email: 'grace@example.com' } }));
    expect(JSON.stringify(api.log)).not.toMatch(/grace|pr_test/);
    expect(api.log.some((line) => line.failed === 'request failed')).toBe(true);
    await db.$disconnect();
    await proxy.close();
  });
});

describe('a change that PostgreSQL ends because of a deadlock', () => {
  it('answers 503 service_unavailable with Retry-After, and works when it is sent again', async () => {
    const { channels } = await world.environment();
    const path = `/admin/v1/channels/${formatId('chn', channels[0]?.id ?? '')}`;
    await world.db().$executeRaw`
      CREATE FUNCTION end_deadlock() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = 'deadlock_detected'; END $$`;
    await world.db().$executeRaw`
      CREATE TRIGGER end_deadlock BEFORE UPDATE ON channels FOR EACH ROW EXECUTE FUNCTION end_deadlock()`;
    const change = () => world.api().admin('patch', path, { name: 'Other' });
    const refused = await change();
    expect([refused.status, refused.body.error.code]).toEqual([503, 'service_unavailable']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    await world.db().$executeRaw`DROP TRIGGER end_deadlock ON channels`;
    expect((await change()).status).toBe(200);
  });
});
