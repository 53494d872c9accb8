import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenOnLoopback } from '@postrider/rig';
import { expect, it } from '@postrider/testing';
import { connectToServer } from '../../src/email/providers/smtp/transports.ts';
import { createVettedResolver } from '../../src/host.ts';
import { loopbackAllowed } from '../support/delivery.ts';

it('a connection to a mail server that is reset before a transport uses it does not end the process', async () => {
  const accepted: (() => void)[] = [];
  const server = createServer((socket) => accepted.push(() => socket.resetAndDestroy()));
  const { port, close } = await listenOnLoopback(server);
  const [socket] = await Promise.all([
    connectToServer('127.0.0.1', port, createVettedResolver(loopbackAllowed)),
    once(server, 'connection'),
  ]);
  const closed = new Promise<boolean>((resolve) => socket.once('close', resolve));
  for (const reset of accepted) reset();
  socket.resume();
  expect(await closed).toBe(true);
  await close();
});
