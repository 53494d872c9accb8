import { KIND_FACTS } from '@postrider/domain';
import { boundCredentials, type WantedCredential } from '../bound-credentials.ts';
import { wantedKey } from '../certificates.ts';
import { defineChannelKind } from '../channel.ts';
import { type JsonContent, jsonTemplate } from '../json-template.ts';
import { KAFKA_SETTINGS, type KafkaConfig, parseBroker } from './config.ts';

/** The password is bound to the brokers and to the authorities: with another authority, another server could impersonate a broker. */
function wantedPassword({ brokers, tls, ca, mechanism, username }: KafkaConfig): WantedCredential[] {
  if (!mechanism) return [];
  const boundTo = { brokers, tls, ca, mechanism, username };
  return [{ name: 'password', at: ['password'], boundTo, label: 'password' }];
}

/** Writes JSON to a topic of Apache Kafka, or of a service that speaks its protocol, and waits until it is stored. */
export const kafkaKind = defineChannelKind<KafkaConfig, JsonContent>({
  ...KIND_FACTS.kafka,
  label: 'a Kafka channel',
  description: 'A channel that writes to a topic of Apache Kafka.',
  config: {
    ...KAFKA_SETTINGS.config,
    endpointsOf: ({ brokers }) =>
      Object.fromEntries(
        brokers.map((broker, index) => [`/brokers/${index}`, parseBroker(broker)?.host ?? '']),
      ),
  },
  targetOf: ({ brokers, topic }) => ({ method: 'PRODUCE', url: `kafka://${brokers.join(',')}/${topic}` }),
  secret: null,
  credentials: boundCredentials((config) => [...wantedPassword(config), ...wantedKey(config)]),
  template: jsonTemplate('kafka', 'a Kafka record'),
  errorCodes: ['kafka_connection_failed', 'kafka_auth_failed', 'kafka_rejected', 'kafka_outcome_unknown'],
  secretErrorCode: 'kafka_auth_failed',
  example: {
    summary: 'Apache Kafka',
    value: {
      name: 'orders stream',
      event_keys: ['order.*'],
      config: {
        brokers: ['kafka-1.example.com:9093', 'kafka-2.example.com:9093'],
        mechanism: 'SCRAM-SHA-512',
        username: 'postrider',
        password: 'correct-horse-battery',
        topic: 'shop.orders',
        key: '{{ recipient.id }}',
      },
    },
  },
  command: {
    description: 'create a Kafka channel; events are written to a topic',
    ...KAFKA_SETTINGS.command,
    examples: [
      [
        'KAFKA_PASSWORD=… postrider channels create-kafka --environment env_01… --name stream --broker kafka-1.example.com:9093 ' +
          '--mechanism SCRAM-SHA-512 --username postrider --password-from env --topic shop.orders ' +
          "--event-keys 'order.*'",
        'To the topic shop.orders, in the order of each ordering key.',
      ],
    ],
  },
  loadSender: async () => ({ createSender: (await import('./sender.ts')).createKafkaSender }),
});
