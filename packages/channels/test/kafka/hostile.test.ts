import { createAddressPolicy } from '@postrider/domain';
import { createAuthority } from '@postrider/rig/certificates';
import { describe, expect, it } from '@postrider/testing';
import { closeAfterEach, delivery, open, start, startServer } from './send.ts';

closeAfterEach();

describe('a hostile cluster', () => {
  const refused = { code: 'kafka_connection_failed', retryable: false };

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
          status: 'failed',
          error: { ...refused, message: expect.stringContaining("from the cluster's metadata") },
        });
        expect(cluster.records).toEqual([]);
      }
      expect(inside.connections()).toBe(0);
    },
  );

  it('gets no unencrypted password on another machine', async () => {
    const sender = open({ isAddressAllowed: createAddressPolicy(['10.0.0.0/8', '127.0.0.0/8']) });
    expect(await sender.send(delivery({ brokers: ['10.0.0.1:9092'] }))).toMatchObject({
      status: 'failed',
      error: { ...refused, message: expect.stringContaining('Without TLS') },
    });
  });
});
