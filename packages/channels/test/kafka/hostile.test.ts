import { createAddressPolicy } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { createAuthority } from '../support/certificates.ts';
import { closeAfterEach, delivery, open, start, startServer } from './support/send.ts';

closeAfterEach();

describe('a hostile cluster', () => {
  const refused = { outcome: 'failed', code: 'kafka_connection_failed', retryable: false };

  it.each(['127.0.0.2', 'localhost', '::ffff:127.0.0.2', '10.0.0.1', '169.254.169.254'])(
    'cannot redirect to %s by advertising it',
    async (host) => {
      const inside = await startServer(() => undefined, '::');
      const isAddressAllowed = (address: string) => address === '127.0.0.1';
      const resolve = async () => [{ address: '127.0.0.2', family: 4 }];
      const authority = await createAuthority('Brokers');
      const tls = await authority.issue('broker');
      for (const secured of [true, false]) {
        const cluster = await start(secured ? { tls } : {});
        cluster.advertise(host, inside.port);
        const config: Record<string, string | boolean> = secured
          ? { tls: true, ca: authority.certificate }
          : {};
        const result = await open({ isAddressAllowed, resolve }).send(
          delivery({ brokers: cluster.addresses, config }),
        );
        expect(result).toMatchObject({
          ...refused,
          message: expect.stringContaining("from the cluster's metadata"),
        });
        expect(cluster.records).toEqual([]);
      }
      expect(inside.connections()).toBe(0);
    },
  );

  it('cannot exceed the limits of stored metadata', async () => {
    const { addresses } = await start({ partitions: 10_001 });
    expect(await open().send(delivery({ brokers: addresses }))).toMatchObject({
      outcome: 'failed',
      code: 'kafka_connection_failed',
      message: expect.stringContaining('more brokers or partitions'),
    });
  });

  it.each([
    ['a host above the maximum length', 'a'.repeat(254)],
    ['no host', ''],
  ])('has no metadata stored if it advertises %s', async (_what, host) => {
    const cluster = await start();
    cluster.advertise(host, 9_092);
    expect(await open().send(delivery({ brokers: cluster.addresses }))).toMatchObject({
      outcome: 'failed',
      code: 'kafka_connection_failed',
      message: expect.stringContaining('invalid host name'),
    });
  });

  it('is not connected to at a refused address, by name or literally', async () => {
    const sender = open({ isAddressAllowed: createAddressPolicy([]) });
    for (const broker of ['127.0.0.1:9092', 'localhost:9092', '[::1]:9092']) {
      expect(await sender.send(delivery({ brokers: [broker], config: { tls: true } }))).toMatchObject(
        refused,
      );
    }
  });

  it('gets no unencrypted password on another machine', async () => {
    const sender = open({ isAddressAllowed: createAddressPolicy(['10.0.0.0/8', '127.0.0.0/8']) });
    expect(await sender.send(delivery({ brokers: ['10.0.0.1:9092'] }))).toMatchObject({
      ...refused,
      message: expect.stringContaining('Without TLS'),
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
  ])('ends an attempt with %s, and nothing else', async (_what, answer) => {
    const { address } = await startServer((write) => write(answer));
    expect(await open().send(delivery({ brokers: [address] }))).toMatchObject({
      outcome: 'failed',
      code: 'kafka_connection_failed',
      retryable: true,
    });
  });

  it.each(['Metadata', 'InitProducerId', 'Produce'])(
    'cannot answer %s so that a record is lost without an error',
    async (name) => {
      const cluster = await start();
      cluster.faults = (request) => (request === name ? Buffer.from([0, 0, 0, 4, 0, 0, 0, 77]) : null);
      const result = await open().send(
        delivery({ brokers: cluster.addresses, details: { timeoutMs: 1_000 } }),
      );
      expect(result.outcome).toBe(name === 'Produce' ? 'unknown' : 'failed');
    },
  );

  it.each(['ApiVersions', 'Metadata', 'InitProducerId'])(
    'that does not respond to %s takes the time of one attempt',
    async (name) => {
      const cluster = await start();
      cluster.faults = (request) => (request === name ? 'hang' : null);
      const sender = open();
      const send = () => sender.send(delivery({ brokers: cluster.addresses, details: { timeoutMs: 300 } }));
      const result = await send();
      expect(result).toMatchObject({ outcome: 'failed', code: 'kafka_connection_failed', retryable: true });
    },
  );
});
