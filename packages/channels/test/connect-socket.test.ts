import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { listenOnLoopback } from '@postrider/rig';
import { createLatch, expect, it } from '@postrider/testing';
import { connectSocket } from '../src/connections.ts';

it('a connection whose address is checked after its limit has passed is not opened', async () => {
  const accepted: Socket[] = [];
  const server = createServer((socket) => accepted.push(socket));
  const { port, close } = await listenOnLoopback(server);
  const limit = new AbortController();
  const { opened, open } = createLatch();
  const address = { host: '127.0.0.1', port };
  const check = () => opened.then(() => []);
  const connecting = connectSocket(address, { tls: null, resolve: check }, limit.signal);
  limit.abort(new Error('the limit has passed'));
  open();
  await expect(connecting.then((socket) => socket.destroy())).rejects.toThrow('the limit has passed');
  // A connection that was opened before would be accepted before this one.
  const last = await connectSocket(
    address,
    { tls: null, resolve: async () => [] },
    new AbortController().signal,
  );
  if (accepted.length === 0) await once(server, 'connection');
  expect(accepted).toHaveLength(1);
  last.destroy();
  await close();
});
