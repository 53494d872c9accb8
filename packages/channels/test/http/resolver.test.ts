import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { listenOnLoopback } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { createNetworkResolver, createVettedResolver, MAX_ADDRESSES } from '../../src/host.ts';
import { createHttpClient } from '../../src/http/create-client.ts';
import { loopbackAllowed } from '../support/delivery.ts';

/** A name server on the loopback address that answers every query for IPv4 with `address`, or none without one. */
async function startNameServer(address: string | null) {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port }) => {
    if (address === null) return;
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const isIpv4 = question.readUInt16BE(question.length - 4) === 1;
    const header = Buffer.from([...query.subarray(0, 2), 0x85, 0x80, 0, 1, 0, isIpv4 ? 1 : 0, 0, 0, 0, 0]);
    const answer = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)];
    socket.send(Buffer.concat([header, question, Buffer.from(isIpv4 ? answer : [])]), port, '127.0.0.1');
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { server: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}

describe('the look-up of a host', () => {
  it('asks the name servers that the system has now when the earlier ones do not answer', async () => {
    const silent = await startNameServer(null);
    const answering = await startNameServer('192.0.2.7');
    let server = silent.server;
    const resolve = createNetworkResolver(() => {
      const resolver = new Resolver({ timeout: server === silent.server ? 100 : 10_000, tries: 1 });
      resolver.setServers([server]);
      return resolver;
    });
    await expect(resolve('shop.example')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    server = answering.server;
    for (let nth = 0; nth < 2; nth += 1)
      expect(await resolve('shop.example')).toEqual([{ address: '192.0.2.7', family: 4 }]);
    silent.close();
    answering.close();
  });

  it('repeats each unanswered query by a resolver that no other look-up has used', async () => {
    const silent = await startNameServer(null);
    const answering = await startNameServer('192.0.2.7');
    const opened: Resolver[] = [];
    const resolve = createNetworkResolver(() => {
      const isFirst = opened.length === 0;
      const resolver = new Resolver({ timeout: isFirst ? 100 : 10_000, tries: 1 });
      resolver.setServers([isFirst ? silent.server : answering.server]);
      opened.push(resolver);
      return resolver;
    });
    const found = await Promise.all([resolve('one.example'), resolve('other.example')]);
    expect(found).toEqual(Array(2).fill([{ address: '192.0.2.7', family: 4 }]));
    expect(opened).toHaveLength(3);
    silent.close();
    answering.close();
  });
});

describe('the check of addresses', () => {
  it('refuses a name with too many of them before it checks any', async () => {
    const checked: string[] = [];
    const isAllowed = (address: string) => checked.push(address) > 0;
    const resolveTo = (count: number) =>
      createVettedResolver(isAllowed, async () =>
        Array.from({ length: count }, (_, nth) => ({ address: `192.0.2.${nth}`, family: 4 })),
      )('many.example');
    await expect(resolveTo(MAX_ADDRESSES + 1)).rejects.toMatchObject({
      code: 'POSTRIDER_DNS_FAILED',
      message: 'The host name has 65 addresses, but at most 64 can be used.',
    });
    expect(checked).toEqual([]);
    expect(await resolveTo(MAX_ADDRESSES)).toHaveLength(MAX_ADDRESSES);
  });
});

describe('a kept connection', () => {
  it('is used for a minute at most, so that a new address of the name is noticed', async () => {
    const server = createServer((_request, response) => response.end());
    const { port, close } = await listenOnLoopback(server);
    let lookUps = 0;
    const client = createHttpClient({
      isAddressAllowed: loopbackAllowed,
      async resolve() {
        lookUps += 1;
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
    const send = () =>
      client.send({
        url: new URL(`http://shop.example:${port}/`),
        headers: {},
        body: '',
        timeoutMs: 10_000,
        signal: new AbortController().signal,
      });
    const { now } = performance;
    try {
      await send();
      await send();
      expect(lookUps).toBe(1);
      performance.now = () => now.call(performance) + 60_000;
      await send();
      await send();
      expect(lookUps).toBe(2);
    } finally {
      performance.now = now;
      client.close();
      await close();
    }
  });
});
