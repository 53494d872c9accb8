import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { judge, type Observed } from '../src/rolling-restart/judge.ts';
import { type ReverseProxy, startReverseProxy } from '../src/rolling-restart/reverse-proxy.ts';

describe('the judgement of a rolling restart', () => {
  const observed = (changes: Partial<Observed> = {}, failures: string[] = []): Observed => ({
    load: { runIds: ['run_a', 'run_b'], failures, latencies: [1, 2] },
    sends: new Map([
      ['run_a', 1],
      ['run_b', 1],
    ]),
    stops: [10],
    unanswered: 0,
    ...changes,
  });

  it('finds nothing when each request was answered and each delivery sent once', () => {
    expect(judge(observed()).faults).toEqual([]);
  });

  it.each([
    ['a failed request', observed({}, ['503'])],
    ['a request that the proxy got no answer for', observed({ unanswered: 1 })],
    ['a delivery that is lost', observed({ sends: new Map([['run_a', 1]]) })],
    [
      'a delivery that was sent twice',
      observed({
        sends: new Map([
          ['run_a', 2],
          ['run_b', 1],
        ]),
      }),
    ],
    [
      'a delivery that nobody was told of',
      observed({
        sends: new Map([
          ['run_a', 1],
          ['run_b', 1],
          ['run_c', 1],
        ]),
      }),
    ],
  ])('finds %s', (_name, planted) => {
    expect(judge(planted).faults).not.toEqual([]);
  });
});

describe('the reverse proxy', () => {
  const servers: Server[] = [];
  let proxy: ReverseProxy | undefined;

  async function upstream(name: string, isReady: () => boolean): Promise<string> {
    const server = createServer((request, response) => {
      if (request.url === '/readyz') response.writeHead(isReady() ? 200 : 503).end();
      else request.pipe(response.writeHead(201, { 'x-name': name }));
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const ask = async () => {
    const response = await fetch(`${proxy?.url}/echo`, { method: 'POST', body: 'hello' });
    return { status: response.status, name: response.headers.get('x-name'), body: await response.text() };
  };

  afterEach(async () => {
    await proxy?.close();
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  });

  it('passes requests and answers on, and leaves out whoever is not ready', async () => {
    let isReady = true;
    proxy = await startReverseProxy([await upstream('a', () => isReady), await upstream('b', () => true)]);
    const [first, second] = [await ask(), await ask()];
    expect([first.name, second.name].sort()).toEqual(['a', 'b']);
    expect(first).toMatchObject({ status: 201, body: 'hello' });

    isReady = false;
    let names = ['a'];
    while (names.includes('a')) {
      names = [(await ask()).name ?? '', (await ask()).name ?? ''];
      await wait(10);
    }
    expect(names).toEqual(['b', 'b']);
    expect(proxy.unanswered()).toBe(0);
  });

  it('answers 502, once, for an upstream that is gone', async () => {
    const url = await upstream('a', () => true);
    proxy = await startReverseProxy([url]);
    servers[0]?.close();
    expect((await ask()).status).toBe(502);
    expect(proxy.unanswered()).toBe(1);
  });
});
