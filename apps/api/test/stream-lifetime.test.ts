import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { ADMIN_TOKEN } from './support/api.ts';
import { openBrowser } from './support/console.ts';
import { useApi } from './support/database.ts';
import { bearer, type Listening, messagesOf, useStreams } from './support/streams.ts';
import { until } from './support/waiting.ts';

const world = useApi();
const { environment } = world;
const { openStreams, startStreaming, listen, follow } = useStreams(world);

describe('an open stream', () => {
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
