import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { listenOnLoopback } from '@postrider/rig';
import { expect, it } from '@postrider/testing';
import { createNodeClient } from '../../src/http/client.ts';

const LANES = 4;
const REQUESTS = 20;

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
  const url = new URL(address);
  const client = createNodeClient(async () => []);
  const send = () =>
    client.send({ url, headers: {}, body: '{}', timeoutMs: 30_000, signal: new AbortController().signal });

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
  client.close();
  await close();
});
