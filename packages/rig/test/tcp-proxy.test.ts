import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@postrider/testing';
import { startHttpReceiver } from '../src/http-receiver.ts';
import { listenOnLoopback } from '../src/loopback.ts';
import { startTcpProxy } from '../src/tcp-proxy.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describe('the TCP proxy', () => {
  async function startEcho() {
    const server = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
    const { port, close } = await listenOnLoopback(server);
    closing.push(close);
    const proxy = await startTcpProxy(`tcp://127.0.0.1:${port}`);
    closing.unshift(proxy.close);
    const socket = connect(proxy.port, '127.0.0.1').setEncoding('utf8');
    socket.write('one');
    expect(await once(socket, 'data')).toEqual(['one']);
    return { proxy, socket };
  }

  it('delays data while it stalls, and forwards it afterwards', async () => {
    const { proxy, socket } = await startEcho();
    proxy.set('stall');
    socket.write('two');
    proxy.set(null);
    expect(await once(socket, 'data')).toEqual(['two']);
    socket.destroy();
  });

  it('forwards everything in order while it is slow', async () => {
    const { proxy, socket } = await startEcho();
    proxy.set('slow');
    socket.write('two');
    proxy.set(null);
    socket.write('three');
    let text = '';
    while (text.length < 'twothree'.length) text += String((await once(socket, 'data'))[0]);
    expect(text).toBe('twothree');
    socket.destroy();
  });

  it('resets open connections', async () => {
    const { proxy, socket } = await startEcho();
    const failed = once(socket, 'error').then(
      () => 'failed',
      () => 'failed',
    );
    proxy.set('reset');
    expect(await failed).toBe('failed');
  });

  it('drops the data of open connections while it swallows, and keeps them open', async () => {
    const { proxy, socket } = await startEcho();
    proxy.set('swallow');
    socket.write('two');
    const heard = once(socket, 'data');
    // When another connection is established, the proxy has read what was sent before.
    await once(connect(proxy.port, '127.0.0.1'), 'connect');
    await new Promise((resolve) => setTimeout(resolve, 20));
    proxy.set(null);
    socket.write('three');
    expect(await heard).toEqual(['three']);
    socket.destroy();
  });

  it('silences open connections permanently, but not later ones', async () => {
    const { proxy, socket } = await startEcho();
    proxy.silence();
    socket.write('two');
    const later = connect(proxy.port, '127.0.0.1').setEncoding('utf8');
    later.write('three');
    expect(await once(later, 'data')).toEqual(['three']);
    socket.destroy();
    later.destroy();
  });

  it('has the URL of its server with its own address, and shows what clients send', async () => {
    const sent: Buffer[] = [];
    const { url, close } = await startHttpReceiver((_, response) => response.end());
    const proxy = await startTcpProxy(`${url}/path?query`, { onSent: (chunk) => sent.push(chunk) });
    closing.push(close, proxy.close);
    expect(proxy.url).toBe(`http://127.0.0.1:${proxy.port}/path?query`);
    await fetch(proxy.url);
    expect(Buffer.concat(sent).toString()).toContain('GET /path?query');
  });
});
