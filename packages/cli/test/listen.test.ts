import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request as forward } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createPostrider, verifyWebhook } from '@postrider/client';
import { listenOnLoopback, startHttpReceiver, startTcpProxy, waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { useService } from './support/service.ts';

const service = useService({ worker: true });
const SCOPES = ['channels:write', 'event-types:read', 'events:write', 'messages:read', 'messages:content'];
const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
/** On a busy machine; a listener learns within 20 s that its channel is gone. */
const LONG = 180_000;

/** An environment, and a listener in it that posts to `url`, until `end`. */
async function listening(
  url: string,
  { env = {}, json = true }: { env?: Record<string, string>; json?: boolean } = {},
) {
  const { token } = await service.fixture({ scopes: SCOPES });
  const interrupt = new AbortController();
  let shown = '';
  let notes = '';
  const running = service.postrider(['listen', '--forward-to', url, ...(json ? ['--json'] : [])], {
    env: { POSTRIDER_TOKEN: token, POSTRIDER_LISTEN_SECRET: SECRET, ...env },
    signal: interrupt.signal,
    onOutput: (text) => {
      shown += text;
    },
    onError: (text) => {
      notes += text;
    },
  });
  const client = createPostrider({ baseUrl: service.environment().POSTRIDER_URL, token });
  const channels = async () => (await client.channels.page({ limit: 100 })).data;
  await waitFor('the channel of the listener', async () => (await channels()).length === 1);
  const [channel] = await channels();
  return {
    client,
    token,
    channel: channel as NonNullable<typeof channel>,
    channels,
    trigger: (...args: string[]) =>
      service.postrider(['trigger', 'order.shipped', ...args, '--json'], { env: { POSTRIDER_TOKEN: token } }),
    lines: () =>
      shown
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    notes: () => notes,
    async end() {
      interrupt.abort();
      return running;
    },
  };
}

describe('postrider listen', () => {
  it(
    'posts a signed delivery to this machine, whose response is that of the attempt, and removes its channel',
    async () => {
      const bodies: string[] = [];
      const receiver = await startHttpReceiver((request, response) => {
        const verified = verifyWebhook(request, SECRET);
        bodies.push(JSON.stringify(verified.body));
        // The service refuses JSON with NUL, which a body that is no text has.
        response.writeHead(202, { 'x-answer': 'mine' }).end('taken\0');
      });
      const listener = await listening(receiver.url);

      const triggered = await listener.trigger('--set', 'payload.total=5', '--wait');
      expect(triggered).toMatchObject({ code: 0 });
      const { delivery_runs: runs } = triggered.json<{ delivery_runs: { attempts: object[] }[] }>();
      // On a busy machine an attempt before may have come while nobody had asked for deliveries yet.
      expect(runs).toMatchObject([{ status: 'succeeded' }]);
      expect(runs[0]?.attempts.at(-1)).toMatchObject({
        status: 'succeeded',
        response: { status_code: 202, body_excerpt: 'taken\uFFFD' },
      });
      expect(bodies.join()).toContain('"total":5');
      expect(listener.lines()).toMatchObject([{ status: 202 }]);

      expect(await listener.end()).toMatchObject({ code: 0 });
      expect(await listener.channels()).toEqual([]);
      await receiver.close();
    },
    LONG,
  );

  it(
    'reports a receiver that is away as a failed connection, which is retried',
    async () => {
      const listener = await listening('http://127.0.0.1:64998/hook');
      const { message_id: id } = (await listener.trigger()).json<{ message_id: string }>();
      const attempt = await waitFor('the attempt', async () => {
        const { delivery_runs: runs } = await listener.client.messages.deliveries(id);
        return runs[0]?.attempts.find(({ error_message: message }) => message?.includes('ECONNREFUSED'));
      });
      expect(attempt).toMatchObject({ status: 'failed', error_code: 'webhook_connection_failed' });
      expect(attempt.retryable).toBe(true);
      expect(listener.lines()[0]).toMatchObject({ error: 'ECONNREFUSED' });
      await listener.end();
    },
    LONG,
  );

  it(
    'creates its channel again if the service has removed it, and says so',
    async () => {
      const receiver = await startHttpReceiver((_, response) => response.writeHead(204).end());
      const listener = await listening(receiver.url);
      await listener.client.channels.delete(listener.channel.id);
      await waitFor('another channel', async () =>
        (await listener.channels()).some(({ id }) => id !== listener.channel.id),
      );
      // A request that was waiting learns of it when it asks again.
      expect(await listener.trigger('--wait')).toMatchObject({ code: 0 });
      expect(await listener.end()).toMatchObject({ code: 0 });
      await receiver.close();
    },
    LONG,
  );

  it(
    'says that the service is away, and continues when it is back',
    async () => {
      const receiver = await startHttpReceiver((_, response) => response.writeHead(204).end());
      const proxy = await startTcpProxy(service.environment().POSTRIDER_URL);
      const listener = await listening(receiver.url, { env: { POSTRIDER_URL: proxy.url }, json: false });
      proxy.set('reset');
      await waitFor('the note', () => listener.notes().includes('The service is unavailable'));
      proxy.set(null);
      await waitFor('the other note', () => listener.notes().includes('Connected again'));
      expect(await listener.trigger('--wait')).toMatchObject({ code: 0 });
      expect(await listener.end()).toMatchObject({ code: 0 });
      await proxy.close();
      await receiver.close();
    },
    LONG,
  );

  it(
    'gives the secret of a profile to no other installation than that of the profile',
    async () => {
      const home = await mkdtemp(join(tmpdir(), 'postrider-listen-'));
      const file = join(home, '.config/postrider/profiles.json');
      await mkdir(dirname(file), { recursive: true });
      const profiles = { default: { url: 'https://other.example.com', listen_secret: SECRET } };
      await writeFile(file, JSON.stringify({ profiles }), { mode: 0o600 });
      const env = { HOME: home, POSTRIDER_LISTEN_SECRET: '' };
      const listener = await listening('http://127.0.0.1:64998/hook', { env, json: false });
      await waitFor('the note', () => listener.notes().includes('signed with whsec_'));
      expect(listener.notes()).not.toContain(SECRET);
      await listener.end();
      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ profiles });
      await rm(home, { recursive: true });
    },
    LONG,
  );

  it(
    'continues after a proxy has answered for the service, also when it creates its channel again',
    async () => {
      const receiver = await startHttpReceiver((_, response) => response.writeHead(204).end());
      const { POSTRIDER_URL: target } = service.environment();
      let refused: RegExp | null = null;
      const proxy = createServer(async (request, response) => {
        if (refused?.test(request.url ?? '')) {
          response.writeHead(502).end('<html>Bad gateway</html>');
          return;
        }
        const { method = 'GET', headers } = request;
        const sent = forward(`${target}${request.url}`, { method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        });
        sent.on('error', () => response.destroy());
        request.pipe(sent);
      });
      const { port, close } = await listenOnLoopback(proxy);
      const listener = await listening(receiver.url, {
        env: { POSTRIDER_URL: `http://127.0.0.1:${port}` },
        json: false,
      });
      refused = /./;
      proxy.closeAllConnections();
      await waitFor('the note', () => listener.notes().includes('The service is unavailable'));
      refused = /channels$/;
      await waitFor('the other note', () => listener.notes().includes('Connected again'));
      await listener.client.channels.delete(listener.channel.id);
      await waitFor('a try to create it', () =>
        /creating another one.*The service is unavailable/s.test(listener.notes()),
      );
      refused = null;
      await waitFor('another channel', async () => (await listener.channels()).length === 1);
      expect(await listener.trigger('--wait')).toMatchObject({ code: 0 });
      expect(await listener.end()).toMatchObject({ code: 0 });
      await close();
      await receiver.close();
    },
    LONG,
  );

  it('fails at once without the right to create channels, and for an address that is none', async () => {
    const { token } = await service.fixture({});
    const env = { POSTRIDER_TOKEN: token };
    expect(await service.postrider(['listen', '--forward-to', 'http://127.0.0.1:9/'], { env })).toMatchObject(
      {
        code: 4,
      },
    );
    expect(await service.postrider(['listen', '--forward-to', 'localhost'], { env })).toMatchObject({
      code: 2,
    });
  });
});
