import { connect } from 'node:net';
import { createSnapshots, inShare } from '@postrider/db';
import { createFairSemaphore } from '@postrider/fairness';
import { afterAll, describe, expect, it } from '@postrider/testing';
import { ScopedClient } from '../../../../packages/db/src/scope/scoped-client.ts';
import { ADMIN_TOKEN, anEvent, type TestApi } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { createGate, until } from '../support/waiting.ts';
import { createStored } from './stored.ts';

const world = useApi();

/** Sends a request; `hangUp` closes its connection and resolves when the API has noticed. */
function sendTo(api: TestApi, request: string, token: string) {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  const lines = `Host: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 0\r\n`;
  socket.write(`${request} HTTP/1.1\r\n${lines}\r\n`);
  return {
    async hangUp() {
      const closed = () => api.log.filter(({ message, status }) => message === 'request' && !status).length;
      const before = closed();
      socket.destroy();
      await until(() => closed() > before);
    },
  };
}

const CONTROL = /^(BEGIN|COMMIT|ROLLBACK)\b/;
const sent: string[] = [];
/** Called while the next statement is executed, once. */
let meanwhile: (() => Promise<void>) | null = null;

/** Notes the statements that are sent to PostgreSQL, without those that begin or end a transaction. */
const { query } = ScopedClient.prototype;
ScopedClient.prototype.query = function watched(
  this: ScopedClient,
  config: { text?: string },
  ...rest: unknown[]
) {
  const result = query.call(this, config, ...rest);
  if (
    typeof config?.text !== 'string' ||
    CONTROL.test(config.text) ||
    !this.user?.startsWith('postrider_api')
  )
    return result;
  sent.push(config.text);
  const wait = meanwhile;
  meanwhile = null;
  return wait ? Promise.all([result, wait()]).then(([rows]) => rows) : result;
};
afterAll(() => {
  ScopedClient.prototype.query = query;
});

describe('a client that hangs up', () => {
  it.each([
    ['a message', 'GET', (id: string) => `/api/v1/messages/${id}`],
    ['a message with explanations', 'GET', (id: string) => `/api/v1/messages/${id}?explain=channels`],
    ['deliveries', 'GET', (id: string) => `/api/v1/messages/${id}/deliveries`],
    ['a list of messages', 'GET', () => '/api/v1/messages'],
    ['a replay', 'POST', (id: string) => `/api/v1/messages/${id}/replay`],
    ['statistics', 'GET', () => '/api/v1/stats'],
    ['usage', 'GET', () => '/api/v1/usage/current'],
    ['a change', 'POST', (id: string) => `/api/v1/messages/${id}/cancel`],
    [
      'the content of an attempt',
      'GET',
      (_id: string, run: string) => `/api/v1/delivery-runs/${run}/content`,
    ],
  ])('during a statement causes no further one: %s', async (_name, method, pathOf) => {
    const { token, ids } = await createStored(world, anEvent());
    const { db } = world.api().deps;
    // The clock stands still, so that no snapshot is loaded again.
    const api = await world.more({ snapshots: createSnapshots({ db, monotonicMs: () => 0 }) });
    await api.get('/api/v1/limits', token).expect(200);
    const noticed = createGate();
    sent.length = 0;
    meanwhile = () => client.hangUp().then(noticed.open);
    const client = sendTo(api, `${method} ${pathOf(ids.messageId, ids.deliveryRunId)}`, token);
    await noticed.opened;
    expect(sent).toHaveLength(1);
    // Later requests are served. Before them the first one would have sent its next statement.
    await inShare('operate', async () => {
      for (let round = 0; round < 5; round += 1) await db.$queryRaw`SELECT 1`;
    });
    expect(sent.slice(1).filter((text) => text !== 'SELECT 1')).toEqual([]);
  });

  it('while it waits for memory leaves the line, and never runs', async () => {
    const { token, ids } = await createStored(world, anEvent());
    const line = createFairSemaphore({ total: 1, perOwner: 1, maxWaitingPerOwner: 9, maxWaiting: 9 });
    const first = line.tryAcquire({ owner: 'other' });
    const waits = createGate();
    const left = createGate();
    const acquire: typeof line.acquire = async (...of) => {
      const acquiring = line.acquire(...of);
      waits.open();
      const permit = await acquiring;
      left.open();
      return permit;
    };
    const api = await world.more({ storedBytes: { ...line, acquire } });
    const sent = sendTo(api, `GET /api/v1/messages/${ids.messageId}`, token);
    await waits.opened;
    await sent.hangUp();
    await left.opened;
    expect(first).not.toBeNull();
  });

  it('during a statement of an operator’s search causes no further one', async () => {
    const { ids } = await createStored(world, anEvent());
    const api = await world.more();
    const waiting = async (table: string) => {
      const [row] = await world.db().$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM pg_locks
         WHERE relation = ${table}::regclass AND NOT granted AND database =
               (SELECT oid FROM pg_database WHERE datname = current_database())`;
      return row?.count ?? 0;
    };
    await world.db().$transaction(
      async (messages) => {
        await messages.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
        await messages.$executeRaw`LOCK TABLE messages IN ACCESS EXCLUSIVE MODE`;
        const released = createGate();
        const locked = createGate();
        const environments = world.db().$transaction(
          async (tx) => {
            await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
            await tx.$executeRaw`LOCK TABLE environments IN ACCESS EXCLUSIVE MODE`;
            locked.open();
            await released.opened;
          },
          { timeout: 30_000 },
        );
        await locked.opened;
        const sent = sendTo(api, `GET /admin/v1/environments/${ids.environmentId}/messages`, ADMIN_TOKEN);
        await until(async () => (await waiting('environments')) === 1);
        await sent.hangUp();
        released.open();
        await environments;
        // It came after the first, and is served.
        await api.admin('get', `/admin/v1/environments/${ids.environmentId}`).expect(200);
        expect(await waiting('messages')).toBe(0);
      },
      { timeout: 60_000 },
    );
  });
});
