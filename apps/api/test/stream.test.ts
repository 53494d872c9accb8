import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Database, openDatabase } from '@postrider/db';
import { createTestSecretBox } from '@postrider/db/testing';
import { formatId, parseId } from '@postrider/domain';
import { afterAll, afterEach, describe, expect, it } from '@postrider/testing';
import { createStreams, STREAM_BOUNDS, type StreamBounds } from '../src/stream/streams.ts';
import { ADMIN_TOKEN, type TestApi } from './support/api.ts';
import { items } from './support/batches.ts';
import { openBrowser } from './support/console.ts';
import { useApi } from './support/database.ts';
import { until } from './support/waiting.ts';

const open: IncomingMessage[] = [];
// Open streams read the database until they are closed, and a process that stops waits for them.
afterEach(() => {
  for (const response of open.splice(0)) response.destroy();
});
const { db, url, more, environment } = useApi();
const secretBox = createTestSecretBox();
let restricted: Database | undefined;
afterAll(() => restricted?.$disconnect());

const QUICK: StreamBounds = { ...STREAM_BOUNDS, readEveryMs: 10, tickEveryMs: 10 };
/** Ends by nothing but what a test does. */
const never = () => false;

function openStreams(bounds: Partial<StreamBounds> = {}, isStopping = never) {
  // By the role that policies hold for.
  restricted ??= openDatabase(url());
  return createStreams({
    db: restricted,
    secretBox,
    monotonicMs: () => performance.now(),
    isStopping,
    bounds: { ...QUICK, ...bounds },
  });
}

/** An API whose streams have these bounds; each can continue from the positions of the others. */
const startStreaming = (bounds: Partial<StreamBounds> = {}, isStopping = never): Promise<TestApi> =>
  more({ streams: openStreams(bounds, isStopping), isStopping });

interface Listening {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** The text received so far. */
  readonly text: () => string;
  readonly events: () => { event: string; data: Record<string, string> }[];
  /** The last position. */
  readonly lastId: () => string | undefined;
  readonly hasEnded: () => boolean;
  readonly close: () => void;
}

function listen(
  api: Pick<TestApi, 'url'>,
  headers: Record<string, string>,
  path = '/api/v1/stream',
): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const request = get(`${api.url}${path}`, { headers, agent: false }, (response) => {
      open.push(response);
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('error', () => undefined);
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: () => text,
        events: () =>
          [...text.matchAll(/event: (.*)\ndata: (.*)\n\n/g)].map(([, event = '', data = '{}']) => ({
            event,
            data: JSON.parse(data),
          })),
        lastId: () => [...text.matchAll(/^id: (.*)\n/gm)].at(-1)?.[1],
        hasEnded: () => response.closed || response.complete,
        close: () => response.destroy(),
      });
    });
    request.on('error', reject);
  });
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** A stream that has its position, so that it gets everything that happens from now on. */
async function follow(
  api: Pick<TestApi, 'url'>,
  headers: Record<string, string>,
  path?: string,
): Promise<Listening> {
  const stream = await listen(api, headers, path);
  expect(stream.status).toBe(200);
  await until(() => stream.lastId() !== undefined);
  return stream;
}

/** Ends a run with an attempt that succeeded, as a worker does: in one transaction. */
async function deliver(publicId: string): Promise<void> {
  const runId = parseId('run', publicId) ?? '';
  const completedAt = new Date();
  const status = 'succeeded';
  const attempt = { number: 1, id: crypto.randomUUID(), fence: 1, status, startedAt: completedAt };
  await db().$transaction([
    db().attempt.create({ data: { runId, ...attempt, completedAt, durationMs: 1 } }),
    db().deliveryRun.update({ where: { id: runId }, data: { status, completedAt } }),
  ]);
}

const messagesOf = (stream: Listening) =>
  stream.events().flatMap(({ event, data }) => (event === 'message.accepted' ? [data.message_id] : []));

describe('GET stream', () => {
  it('reports an accepted event, its run and its attempt to tokens, sessions and operators, without payloads', async () => {
    const [api, { token, environmentId }] = [await startStreaming(), await environment()];
    const path = `/admin/v1/environments/${formatId('env', environmentId)}/stream`;
    const streams = [
      await follow(api, bearer(token)),
      await follow(api, { Cookie: (await openBrowser(api, token)).cookie }),
      await follow(api, bearer(ADMIN_TOKEN), path),
      await follow(api, { Cookie: (await openBrowser(api)).cookie }, path),
    ];
    const { body } = await api.postEvent(token).expect(201);
    const [run] = body.delivery_runs;
    await deliver(run.id);

    for (const stream of streams) {
      expect(stream.headers['content-type']).toBe('text/event-stream');
      await until(() => stream.text().includes('"succeeded"') && stream.text().includes('attempt.finished'));
      expect(messagesOf(stream)).toEqual([body.message_id]);
      const of = { message_id: body.message_id, delivery_run_id: run.id, channel_id: expect.any(String) };
      expect(stream.events()).toContainEqual({
        event: 'attempt.finished',
        data: { ...of, attempt: 1, status: 'succeeded', at: expect.any(String) },
      });
      await until(() =>
        stream
          .events()
          .some(({ event, data }) => event === 'delivery_run.updated' && data.status === 'succeeded'),
      );
      expect(stream.text()).not.toMatch(/ada@example\.com|A-1/);
    }
  });

  it('reports feedback with its type, even for a run that ended long ago', async () => {
    const [api, { token, environmentId }] = [await startStreaming(), await environment()];
    const { body } = await api.postEvent(token).expect(201);
    const [run] = body.delivery_runs;
    const runId = parseId('run', run.id) ?? '';
    const stream = await follow(api, bearer(token));
    const common = { runId, environmentId, permanent: true, at: new Date(), reason: '550 <ada@example.com>' };
    for (const type of ['unsubscribed', 'bounced']) {
      await db().runFeedback.create({ data: { ...common, type, eventDigest: Buffer.from(type) } });
    }
    await until(() => stream.text().includes('delivery_run.feedback'));
    expect(stream.events().filter(({ event }) => event === 'delivery_run.feedback')).toEqual([
      {
        event: 'delivery_run.feedback',
        data: {
          message_id: body.message_id,
          delivery_run_id: run.id,
          channel_id: run.channel.id,
          feedback: 'bounced',
          at: expect.any(String),
        },
      },
    ]);
    expect(stream.text()).not.toContain('ada@example.com');
  });

  it('continues after Last-Event-ID in any process, without gaps or repetitions', async () => {
    const [one, other] = [await startStreaming(), await startStreaming()];
    const { token } = await environment();
    const first = await follow(one, bearer(token));
    const posted: string[] = [];
    const post = async () => {
      const { body } = await one.postEvent(token).expect(201);
      posted.push(body.message_id);
    };
    await post();
    await until(() => messagesOf(first).length === 1);
    first.close();
    for (let count = 0; count < 20; count += 1) await post();
    const second = await follow(other, { ...bearer(token), 'Last-Event-ID': first.lastId() ?? '' });
    await post();
    await until(() => messagesOf(second).length >= 21);

    expect([...messagesOf(first), ...messagesOf(second)]).toEqual(posted);
  });

  it('reports changes that commit after later rows were reported', async () => {
    const [api, { token, environmentId }] = [await startStreaming(), await environment()];
    const { body: sent } = await api.postEvent(token).expect(201);
    const stream = await follow(api, bearer(token));
    const [run] = sent.delivery_runs;
    await db().$transaction(async (tx) => {
      await tx.deliveryRun.updateMany({ where: { environmentId }, data: { status: 'retrying' } });
      await api.postEvent(token).expect(201);
      await until(() => messagesOf(stream).length === 1);
    });
    await until(() => stream.events().some(({ data }) => data.status === 'retrying'));

    const late = stream.events().filter(({ data }) => data.delivery_run_id === run.id);
    expect(late).toHaveLength(1);
  });

  it('sends a reset for a position of another environment, or one that is too old', async () => {
    const [api, { token }, stranger] = [await startStreaming(), await environment(), await environment()];
    const before = await follow(api, bearer(token));
    const position = before.lastId() ?? '';
    for (const id of ['x', position.slice(0, -2), 'x'.repeat(9_000)]) {
      const stream = await follow(api, { ...bearer(token), 'Last-Event-ID': id });
      expect(stream.events()).toEqual([{ event: 'reset', data: {} }]);
    }
    const foreign = await follow(api, { ...bearer(stranger.token), 'Last-Event-ID': position });
    expect(foreign.events()).toEqual([{ event: 'reset', data: {} }]);
    before.close();
    for (let count = 0; count < 6; count += 1) {
      await api
        .post('/api/v1/events/batch', token)
        .send({ events: items(100) })
        .expect(200);
    }
    const behind = await follow(api, { ...bearer(token), 'Last-Event-ID': position });
    expect(new Set(behind.events().map(({ event }) => event))).toEqual(new Set(['reset']));
  });

  it('never reports another environment', async () => {
    const [api, one] = [await startStreaming(), await environment()];
    const others = [await environment(), await environment({ tenantId: one.tenantId })];
    const streams = await Promise.all(others.map(({ token }) => follow(api, bearer(token))));
    const own = await follow(api, bearer(one.token));
    const { body } = await api.postEvent(one.token).expect(201);
    await until(() => messagesOf(own).includes(body.message_id));
    // Each is told of its own next event by a later read.
    for (const { token } of others) await api.postEvent(token).expect(201);
    for (const stream of streams) {
      await until(() => messagesOf(stream).length > 0);
      expect(messagesOf(stream)).toHaveLength(1);
      expect(stream.text()).not.toContain(body.message_id);
    }
  });

  it('is refused with 503 and Retry-After above each limit, and admitted when another ends', async () => {
    const api = await startStreaming({
      streams: 3,
      streamsOfOperators: 1,
      streamsOfTenant: 2,
      streamsOfToken: 1,
    });
    const [one, two] = [await environment(), await environment()];
    const mate = await environment({ tenantId: one.tenantId });
    const third = await environment({ tenantId: one.tenantId });
    const first = await follow(api, bearer(one.token));
    const refused = async (token: string) => {
      const { status, headers } = await listen(api, bearer(token));
      expect({ status, retry: headers['retry-after'] }).toEqual({ status: 503, retry: '15' });
    };
    await refused(one.token);
    const second = await follow(api, bearer(mate.token));
    await refused(third.token);
    second.close();
    await until(async () => (await listen(api, bearer(two.token))).status === 200);
    // Both places have a tenant with one stream each: nobody has one too many.
    await refused((await environment()).token);
    first.close();
    await until(async () => (await listen(api, bearer(one.token))).status === 200);
  });

  it('gives a tenant with fewer streams a place of the one with the most, but for operators', async () => {
    const api = await startStreaming({ streams: 8, streamsOfOperators: 2, streamsOfTenant: 6 });
    const [greedy, modest] = [await environment(), await environment()];
    const path = `/admin/v1/environments/${formatId('env', greedy.environmentId)}/stream`;
    const taken: Listening[] = [];
    for (let count = 0; count < 6; count += 1) taken.push(await follow(api, bearer(greedy.token)));
    expect((await listen(api, bearer(greedy.token))).status).toBe(503);

    const own = [await follow(api, bearer(modest.token)), await follow(api, bearer(modest.token))];
    await until(() => taken.filter(({ hasEnded }) => hasEnded()).length === 2);
    expect(taken.slice(0, 2).every(({ hasEnded }) => hasEnded())).toBe(true);
    own.push(await follow(api, bearer(modest.token)));
    // Three each: more for one would be fewer for the other.
    expect((await listen(api, bearer(modest.token))).status).toBe(503);
    expect((await listen(api, bearer(greedy.token))).status).toBe(503);

    const operators = [
      await follow(api, bearer(ADMIN_TOKEN), path),
      await follow(api, bearer(ADMIN_TOKEN), path),
    ];
    expect((await listen(api, bearer(ADMIN_TOKEN), path)).status).toBe(503);
    // Another session has none yet, and takes one of the admin token's.
    operators.push(await follow(api, { Cookie: (await openBrowser(api)).cookie }, path));
    await until(() => operators[0]?.hasEnded() === true);
    expect([...taken.slice(3), ...own, ...operators.slice(1)].filter(({ hasEnded }) => hasEnded())).toEqual(
      [],
    );
  });

  it('is never opened above the limits by requests that come at once', async () => {
    const api = await startStreaming({ streams: 5, streamsOfOperators: 1, streamsOfTenant: 3 });
    const { token } = await environment();
    const all = await Promise.all(Array.from({ length: 12 }, () => listen(api, bearer(token))));
    await until(() => all.filter(({ hasEnded }) => !hasEnded()).length === 3);
    expect(all.filter(({ lastId }) => lastId() !== undefined).length).toBeLessThanOrEqual(3);
  });

  it('ends after its lifetime, and begins with the reconnection delay', async () => {
    const [api, { token }] = [await startStreaming({ lifetimeMs: 1 }), await environment()];
    const stream = await listen(api, bearer(token));
    await until(stream.hasEnded);
    expect(stream.text()).toMatch(/^retry: \d+\n\n/);
  });

  it('sends heartbeats at once and while nothing happens, with the time up to which it has read', async () => {
    const [api, { token }] = [await startStreaming({ heartbeatMs: 1 }), await environment()];
    const stream = await follow(api, bearer(token));
    await until(() => stream.events().length > 2);
    expect(Math.abs(Date.now() - Date.parse(stream.events()[0]?.data.at ?? ''))).toBeLessThan(60_000);
    expect(new Set(stream.events().map(({ event }) => event))).toEqual(new Set(['heartbeat']));
  });

  it('ends when the process stops, and no new one starts', async () => {
    let stopping = false;
    const [api, { token }] = [await startStreaming({}, () => stopping), await environment()];
    const stream = await follow(api, bearer(token));
    stopping = true;
    await until(stream.hasEnded);
    expect((await listen(api, bearer(token))).status).toBe(503);
  });

  it('stays open while its caller cannot be looked up, without news until it can', async () => {
    const [api, { token, environmentId, tenantId }] = [await startStreaming(), await environment()];
    let isAway = false;
    let lookUps = 0;
    const findCaller = async () => {
      lookUps += 1;
      if (isAway) throw new Error('PostgreSQL is away');
    };
    const client = { environmentId, tenantId, callerId: 'x', lastEventId: undefined, findCaller };
    const streams = openStreams();
    const server = createServer((_request, response) => streams.open(client)(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const stream = await follow({ url: `http://127.0.0.1:${port}` }, {}, '/');
      const moreLookUps = (count: number, before = lookUps) => until(() => lookUps > before + count);
      isAway = true;
      await moreLookUps(2);
      const { body } = await api.postEvent(token).expect(201);
      await moreLookUps(10);
      expect([stream.hasEnded(), messagesOf(stream)]).toEqual([false, []]);
      isAway = false;
      await until(() => messagesOf(stream).length > 0);
      expect(messagesOf(stream)).toEqual([body.message_id]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('ends when its token is revoked, or its session ended', async () => {
    const [api, { token, tokenId }] = [await startStreaming(), await environment()];
    const browser = await openBrowser(api, token);
    const session = await follow(api, { Cookie: browser.cookie });
    const byToken = await follow(api, bearer(token));
    await browser.request('delete', '/console/session').expect(204);
    await until(session.hasEnded);
    expect(byToken.hasEnded()).toBe(false);
    await api.admin('delete', `/admin/v1/tokens/${formatId('tok', tokenId)}`).expect(204);
    await until(byToken.hasEnded);
    expect((await listen(api, bearer(token))).status).toBe(401);
  });
});
