import { createServer, request as forward, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenOnLoopback } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { startReceiver } from './support/receiver.ts';
import { useService } from './support/service.ts';

interface Line {
  readonly event: string;
  readonly data: { readonly message_id: string; readonly status?: string };
  readonly last_event_id: string | null;
}

describe('postrider stream', () => {
  const service = useService({ worker: true });

  /** Runs the command; `delivered` resolves when it has told that a delivery succeeded. */
  function followOne(env: Record<string, string>, args: readonly string[] = []) {
    const controller = new AbortController();
    const lines: Line[] = [];
    let hasSucceeded: () => void = () => undefined;
    const delivered = new Promise<void>((resolve) => {
      hasSucceeded = resolve;
    });
    const ended = service.postrider(['stream', '--json', ...args], {
      env,
      signal: controller.signal,
      onOutput: (text) => {
        lines.push(JSON.parse(text));
        if (lines.at(-1)?.event === 'delivery_run.updated' && lines.at(-1)?.data.status === 'succeeded')
          hasSucceeded();
      },
    });
    const end = () => {
      controller.abort();
      return ended;
    };
    // It ends by itself only with an error, which its result shows.
    return { lines, delivered: Promise.race([delivered, ended]), end };
  }

  const send = async (env: Record<string, string>) =>
    (await service.postrider(['events', 'send', '--event-key', 'order.shipped', '--json'], { env })).json()
      .message_id;

  it('prints events as they happen, resumes after the last one, and stops on Ctrl-C', async () => {
    const receiver = await startReceiver();
    const { token } = await service.fixture({
      channels: [{ kind: 'webhook', name: 'Shop', config: { url: receiver.url } }],
    });
    const env = { POSTRIDER_TOKEN: token };
    const sent = await send(env);
    // From the beginning of the environment on: a position that is none of it is answered by a reset.
    const first = followOne(env, ['--last-event-id', 'none']);
    await first.delivered;
    expect(await first.end()).toMatchObject({ code: 0, stderr: '' });
    expect(new Set(first.lines.map(({ data }) => data.message_id))).toEqual(new Set([sent]));
    const position = first.lines.at(-1)?.last_event_id ?? '';
    expect(position).not.toBe('');

    const next = await send(env);
    const second = followOne(env, ['--last-event-id', position]);
    await second.delivered;
    expect(await second.end()).toMatchObject({ code: 0, stderr: '' });
    expect(second.lines.map(({ data }) => data.message_id)).toContain(next);
    await receiver.close();
  });

  it('polls for the newest messages when the service has no free stream', async () => {
    const receiver = await startReceiver();
    const { token } = await service.fixture({
      channels: [{ kind: 'webhook', name: 'Shop', config: { url: receiver.url } }],
    });
    // Stands before the service and has no room for streams.
    const full = createServer(async (request, response) => {
      if (request.url === '/api/v1/stream') {
        const body = JSON.stringify({
          error: { code: 'service_unavailable', message: 'full', request_id: 'r' },
        });
        response.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '0' }).end(body);
        return;
      }
      const answer = await fetch(new URL(request.url ?? '', service.environment().POSTRIDER_URL), {
        headers: { Authorization: request.headers.authorization ?? '' },
      });
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text());
    });
    await new Promise<void>((resolve) => full.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(full.address() as AddressInfo).port}`;
    const following = followOne({ POSTRIDER_TOKEN: token }, ['--api-url', url, '--last-event-id', 'none']);
    const sent = await send({ POSTRIDER_TOKEN: token });
    await following.delivered;
    expect(await following.end()).toMatchObject({ code: 0 });
    expect(following.lines[0]).toMatchObject({ event: 'message.accepted', data: { message_id: sent } });
    expect(following.lines.at(-1)).toMatchObject({ data: { message_id: sent, status: 'succeeded' } });
    full.close();
    full.closeAllConnections();
    await receiver.close();
  });

  /** A proxy before the service. It passes on the requests that `answers` does not answer, and gives the responses to `hears`. */
  function startProxy(
    answers: (url: string, response: ServerResponse) => boolean,
    hears: (url: string, text: string) => void = () => undefined,
  ) {
    const proxy = createServer((request, response) => {
      const { url = '', headers } = request;
      if (answers(url, response)) return;
      const passed = forward(`${service.environment().POSTRIDER_URL}${url}`, { headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('data', (chunk) => hears(url, String(chunk))).pipe(response);
      });
      passed.on('error', () => response.destroy()).end();
      response.on('close', () => passed.destroy());
    });
    return listenOnLoopback(proxy);
  }

  it('follows from the position of the stream on, and only then says so', async () => {
    const { token } = await service.fixture({});
    const order: string[] = [];
    const { port, close } = await startProxy(
      (url) => {
        if (url.startsWith('/api/v1/messages')) order.push('lists');
        return false;
      },
      (url, text) => {
        if (url === '/api/v1/stream' && text.includes('id: ')) order.push('position');
      },
    );
    const controller = new AbortController();
    const ended = service.postrider(['stream', '--api-url', `http://127.0.0.1:${port}`], {
      env: { POSTRIDER_TOKEN: token },
      signal: controller.signal,
      onError: () => controller.abort(),
    });
    expect(await ended).toMatchObject({ code: 0, stderr: 'Following changes; Ctrl-C ends.\n' });
    expect(order).toEqual(['position', 'lists']);
    await close();
  });

  it('shows what the lists have after a reset, even if they cannot be read at first', async () => {
    const receiver = await startReceiver();
    const { token } = await service.fixture({
      channels: [{ kind: 'webhook', name: 'Shop', config: { url: receiver.url } }],
    });
    const env = { POSTRIDER_TOKEN: token };
    const sent = await send(env);
    // As many as the client tries: a proxy in front of a service that restarts responds like this.
    let failures = 5;
    const { port, close } = await startProxy((url, response) => {
      if (!url.startsWith('/api/v1/messages') || failures === 0) return false;
      failures -= 1;
      response.writeHead(502, { 'Retry-After': '0' }).end('<html>Bad gateway</html>');
      return true;
    });
    const args = ['--api-url', `http://127.0.0.1:${port}`, '--last-event-id', 'none'];
    const following = followOne(env, args);
    await following.delivered;
    expect(await following.end()).toMatchObject({ code: 0, stderr: '' });
    expect(failures).toBe(0);
    expect(following.lines[0]).toMatchObject({ event: 'message.accepted', data: { message_id: sent } });
    await close();
    await receiver.close();
  });

  it('explains why a token is refused', async () => {
    const { code, stderr } = await service.postrider(['stream'], { env: { POSTRIDER_TOKEN: 'pr_wrong' } });
    expect(code).toBe(4);
    expect(stderr).toContain('unauthorized');
  });
});
