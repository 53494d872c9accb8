import { startHttpReceiver, waitFor } from '@postrider/rig';
import { afterEach, describe, expect, it } from '@postrider/testing';
import { checkRestart, type Observed } from '../src/rolling-restart/check-restart.ts';
import { type ReverseProxy, startReverseProxy } from '../src/rolling-restart/reverse-proxy.ts';

describe('the check of a rolling restart', () => {
  const request = (status: number, runIds: string[]): Observed['client']['requests'][number] => ({
    reference: 'event-1',
    key: 'key',
    variant: 'a',
    recipient: 'ada@example.com',
    answer: { status, messageId: null, runIds, replayed: false },
  });
  const accepted = [request(201, ['run_a']), request(201, ['run_b'])];

  const observed = (changes: Partial<Observed> = {}, failed: typeof accepted = []): Observed => ({
    client: { requests: [...accepted, ...failed], exchanges: [] },
    sends: new Map([
      ['run_a', 1],
      ['run_b', 1],
    ]),
    stops: [10],
    unanswered: 0,
    ...changes,
  });

  it('finds nothing if each request was answered and each delivery sent once', () => {
    expect(checkRestart(observed()).issues).toEqual([]);
  });

  it.each([
    ['a failed request', observed({}, [request(503, [])])],
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
      'a delivery that was never acknowledged',
      observed({
        sends: new Map([
          ['run_a', 1],
          ['run_b', 1],
          ['run_c', 1],
        ]),
      }),
    ],
  ])('finds %s', (_name, planted) => {
    expect(checkRestart(planted).issues).not.toEqual([]);
  });
});

describe('the reverse proxy', () => {
  const closing: (() => Promise<void>)[] = [];
  let proxy: ReverseProxy | undefined;

  async function upstream(name: string, isReady: () => boolean) {
    const { url, close } = await startHttpReceiver(({ path, body }, response) => {
      if (path === '/readyz') response.writeHead(isReady() ? 200 : 503).end();
      else response.writeHead(201, { 'x-name': name }).end(body);
    });
    closing.push(close);
    return { url, close };
  }

  const ask = async () => {
    const response = await fetch(`${proxy?.url}/echo`, { method: 'POST', body: 'hello' });
    return { status: response.status, name: response.headers.get('x-name'), body: await response.text() };
  };

  afterEach(async () => {
    await proxy?.close();
    for (const close of closing.splice(0)) await close();
  });

  it('forwards requests and answers, and skips an upstream that is not ready', async () => {
    let isReady = true;
    proxy = await startReverseProxy([
      (await upstream('a', () => isReady)).url,
      (await upstream('b', () => true)).url,
    ]);
    const [first, second] = [await ask(), await ask()];
    expect([first.name, second.name].sort()).toEqual(['a', 'b']);
    expect(first).toMatchObject({ status: 201, body: 'hello' });

    isReady = false;
    await waitFor('the proxy to leave it out', async () => {
      const names = [(await ask()).name, (await ask()).name];
      return names.every((name) => name === 'b');
    });
    expect(proxy.unanswered()).toBe(0);
  });

  it('answers 502 once for a stopped upstream', async () => {
    const { url, close } = await upstream('a', () => true);
    proxy = await startReverseProxy([url]);
    await close();
    expect((await ask()).status).toBe(502);
    expect(proxy.unanswered()).toBe(1);
  });
});
