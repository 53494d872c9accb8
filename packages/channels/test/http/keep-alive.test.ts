import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { listenOnLoopback } from '@postrider/rig';
import { expect, it } from '@postrider/testing';
import { createNodeClient } from '../../src/http/client.ts';

const LANES = 4;
const REQUESTS = 20;

const openClient = (url: URL) => {
  const client = createNodeClient(async () => []);
  const send = () =>
    client.send({ url, headers: {}, body: '{}', timeoutMs: 30_000, signal: new AbortController().signal });
  return { send, close: client.close };
};

it('loses no request to an endpoint that closes connections without saying so, once it has seen that', async () => {
  const connections: Socket[] = [];
  // As uWSGI answers.
  const server = createServer((socket) => {
    connections.push(socket);
    socket
      .once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'))
      .on('error', () => undefined);
  });
  const { url: address, close } = await listenOnLoopback(server);
  const { send, close: closeClient } = openClient(new URL(address));

  await send();
  // Closed by both sides: the client has seen it.
  if (!connections[0]?.closed) await once(connections[0] as Socket, 'close');
  const lost: unknown[] = [];
  const lane = async () => {
    for (let sent = 0; sent < REQUESTS; sent += 1) {
      const { broken } = await send();
      if (broken) lost.push(broken);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  // Each lane may have sent one before. Without learning, every second one is lost.
  expect(lost.length).toBeLessThanOrEqual(LANES);
  closeClient();
  await close();
});

it('keeps connections to an endpoint that ends each after some responses', async () => {
  let connections = 0;
  // As nginx with keepalive_requests, which says so.
  const server = createServer((socket) => {
    connections += 1;
    let responses = 0;
    socket
      .on('data', () => {
        responses += 1;
        const isLast = responses === 3;
        const response = `HTTP/1.1 200 OK\r\n${isLast ? 'Connection: close\r\n' : ''}Content-Length: 2\r\n\r\nok`;
        if (isLast) socket.end(response);
        else socket.write(response);
      })
      .on('error', () => undefined);
  });
  const { url, close } = await listenOnLoopback(server);
  const { send, close: closeClient } = openClient(new URL(url));
  for (let sent = 0; sent < 12; sent += 1) expect((await send()).broken).toBeNull();
  expect(connections).toBe(4);
  closeClient();
  await close();
});
