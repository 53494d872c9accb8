import { startKafkaCluster } from '@postrider/rig';
import { createKafkaSender } from '../../src/kafka/sender.ts';
import { webhookDelivery } from '../support/delivery.ts';
import { describeSender } from './suite.ts';

const PASSWORD = 'kafka-secret-4711';

describeSender({
  name: 'records to Kafka',
  codes: /^kafka_/,
  credential: PASSWORD,
  async startPeer() {
    const cluster = await startKafkaCluster({ users: { shop: PASSWORD }, partitions: 1 });
    const [address = ''] = cluster.addresses;
    return {
      port: Number(address.split(':')[1]),
      received: () => cluster.records.map(({ value }) => value),
      refuse(how) {
        const NOT_ENOUGH_REPLICAS = 19;
        const MESSAGE_TOO_LARGE = 10;
        const code = how === 'for now' ? NOT_ENOUGH_REPLICAS : MESSAGE_TOO_LARGE;
        cluster.faults = (request) => (request === 'Produce' ? code : null);
      },
      close: cluster.close,
      route: (port) => cluster.advertise('127.0.0.1', port),
    };
  },
  createSender: createKafkaSender,
  delivery(port, body, { credential, ...details }) {
    const made = webhookDelivery(
      { url: '' },
      { content: { body }, credentials: { password: credential }, ...details },
    );
    const login = { mechanism: 'SCRAM-SHA-256', username: 'shop' };
    // Without a producer id, as a second send would know that the record is stored.
    const config = {
      brokers: [`127.0.0.1:${port}`],
      tls: false,
      topic: 'orders',
      idempotent: false,
      ...login,
    };
    return { ...made, channel: { ...made.channel, config } };
  },
});
