import { createServer, type Socket } from 'node:net';
import { listenOnLoopback, waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { type Connect, connectTcp } from '../src/connection.ts';
import { KafkaError } from '../src/errors.ts';
import { closeAfterEach, open, record, resultOf, start } from './support/producer.ts';

closeAfterEach();

/** Refuses every address but 127.0.0.1, and records what it was asked for. */
function refusing(asked: string[]): Connect {
  return async (address, signal) => {
    asked.push(address.host);
    if (address.host !== '127.0.0.1') throw new KafkaError('ADDRESS_REFUSED', `No ${address.host} here.`);
    return connectTcp(address, signal);
  };
}

describe('the `connect` of a Kafka producer', () => {
  it.each(['127.0.0.2', 'localhost', '::ffff:127.0.0.2', '169.254.169.254'])(
    'can refuse %s, which the cluster advertises',
    async (host) => {
      const cluster = await start();
      cluster.advertise(host, 9_092);
      const asked: string[] = [];
      const sending = open(cluster.addresses, { connect: refusing(asked) }).send(record());
      expect(await resultOf(sending)).toMatchObject({
        code: 'ADDRESS_REFUSED',
        message: `An address from the cluster's metadata is not allowed. No ${host} here.`,
      });
      expect(asked).toContain(host);
      expect(cluster.records).toEqual([]);
    },
  );

  it('can refuse an address of the options', async () => {
    const sending = open(['10.0.0.1:9092'], { connect: refusing([]) }).send(record());
    expect(await resultOf(sending)).toMatchObject({
      code: 'ADDRESS_REFUSED',
      message: "The broker's address is not allowed. No 10.0.0.1 here.",
    });
  });

  it('is told to give up when the call that waits for it has given up, and may still answer', async () => {
    const { addresses } = await start();
    const late: Socket[] = [];
    const connect: Connect = (address, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', async () => {
          const socket = await connectTcp(address, new AbortController().signal);
          late.push(socket);
          resolve(socket);
        });
      });
    const result = await resultOf(open(addresses, { connect }).send(record()));
    expect(result).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('timed out'),
    });
    await waitFor(
      'its sockets to be closed',
      () => late.length > 0 && late.every(({ destroyed }) => destroyed),
    );
  });
});

describe('a hostile cluster', () => {
  it('cannot exceed the limits of kept metadata', async () => {
    const { addresses } = await start({ partitions: 10_001 });
    expect(await resultOf(open(addresses).send(record()))).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('more brokers or partitions'),
    });
  });

  it.each([
    ['a host above the maximum length', 'a'.repeat(254)],
    ['no host', ''],
  ])('has no metadata kept if it advertises %s', async (_what, host) => {
    const cluster = await start();
    cluster.advertise(host, 9_092);
    expect(await resultOf(open(cluster.addresses).send(record()))).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('invalid host name'),
    });
  });

  const bytes = (...octets: number[]) => Buffer.from(octets);
  it.each([
    ['only a length of zero', bytes(0, 0, 0, 0, 0)],
    ['a negative length', bytes(0xff, 0xff, 0xff, 0xfe, 0, 0, 0, 0)],
    ['a length of 2 GiB', bytes(0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0)],
    ['a response to another request', bytes(0, 0, 0, 4, 0, 0, 0, 99)],
    ['an empty response', bytes(0, 0, 0, 4, 0, 0, 0, 0)],
    ['an array of 2 billion', bytes(0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff)],
    ['another protocol', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ])('ends a call with %s, and nothing else', async (_what, answer) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).on('data', () => socket.write(answer));
    });
    const { port, close } = await listenOnLoopback(server);
    expect(await resultOf(open([`127.0.0.1:${port}`]).send(record()))).toMatchObject({
      code: 'CONNECTION_FAILED',
    });
    await close();
  });

  it.each(['Metadata', 'InitProducerId', 'Produce'])(
    'cannot answer %s so that a record is lost without an error',
    async (name) => {
      const cluster = await start();
      cluster.faults = (request) => (request === name ? Buffer.from([0, 0, 0, 4, 0, 0, 0, 77]) : null);
      const result = await resultOf(open(cluster.addresses).send(record(), { timeoutMs: 1_000 }));
      expect(result).toMatchObject({ code: name === 'Produce' ? 'UNCONFIRMED' : 'CONNECTION_FAILED' });
    },
  );

  it.each(['ApiVersions', 'Metadata', 'InitProducerId'])(
    'that does not respond to %s takes the time of one call',
    async (name) => {
      const cluster = await start();
      cluster.faults = (request) => (request === name ? 'hang' : null);
      const result = await resultOf(open(cluster.addresses).send(record(), { timeoutMs: 300 }));
      expect(result).toMatchObject({ code: 'CONNECTION_FAILED' });
    },
  );
});
