import { KIND_FACTS } from '@postrider/domain';
import { changeBoundCredentials, type WantedCredential } from '../bound-credentials.ts';
import { wantedKey } from '../broker/tls.ts';
import { defineChannelKind } from '../channel.ts';
import { parseWholeNumber, part, readGivenSecret } from '../command.ts';
import { type JsonContent, jsonTemplate } from '../json-template.ts';
import {
  KAFKA_CONFIG_RULES,
  KAFKA_CONFIG_SCHEMA,
  type KafkaConfig,
  PRESENTED_KAFKA_CONFIG,
  parseBroker,
  presentKafkaConfig,
  toStoredKafkaConfig,
} from './config.ts';

/** The password is bound to the brokers and to the authorities: with another authority, another server could impersonate a broker. */
function wantedPassword({ brokers, tls, ca, mechanism, username }: KafkaConfig): WantedCredential[] {
  if (!mechanism) return [];
  const boundTo = JSON.stringify([tls, ca, mechanism, username, ...brokers]);
  return [{ name: 'password', at: ['password'], boundTo, label: 'password' }];
}

/** Collects the values of an option that is repeated. */
const collect = (value: string, before: unknown): string[] => [...((before as string[]) ?? []), value];

/** Writes JSON to a topic of Apache Kafka, or of a service that speaks its protocol, and waits until it is stored. */
export const kafkaKind = defineChannelKind<KafkaConfig, JsonContent>({
  ...KIND_FACTS.kafka,
  label: 'a Kafka channel',
  description: 'A channel that writes to a topic of Apache Kafka.',
  config: {
    schema: KAFKA_CONFIG_SCHEMA,
    rules: KAFKA_CONFIG_RULES,
    toStored: toStoredKafkaConfig,
    endpointsOf: ({ brokers }) =>
      Object.fromEntries(
        brokers.map((broker, index) => [`/brokers/${index}`, parseBroker(broker)?.host ?? '']),
      ),
    presentedSchema: PRESENTED_KAFKA_CONFIG,
    present: presentKafkaConfig,
    presentForAudit: presentKafkaConfig,
  },
  targetOf: ({ brokers, topic }) => ({ method: 'PRODUCE', url: `kafka://${brokers.join(',')}/${topic}` }),
  secret: null,
  credentials: {
    change: (before, after) =>
      changeBoundCredentials((config) => [...wantedPassword(config), ...wantedKey(config)], before, after),
  },
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
    options: [
      {
        flags: '--broker <host:port>',
        description: 'a broker of the cluster; repeat it for others',
        parse: collect,
      },
      { flags: '--no-tls', description: 'without TLS, for a cluster on this machine' },
      {
        flags: '--mechanism <name>',
        description: 'how the user logs in',
        choices: ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'],
      },
      { flags: '--username <name>', description: 'the user' },
      {
        flags: '--password-from <source>',
        description: 'where to read the password: the environment variable KAFKA_PASSWORD, or stdin',
        choices: ['env', 'stdin'],
      },
      { flags: '--topic <name>', description: 'a topic that exists' },
      {
        flags: '--key <text>',
        description: 'the key, such as "{{ recipient.id }}"; the ordering key by default',
      },
      {
        flags: '--no-idempotent',
        description: 'without a producer id, if the cluster does not allow the user one',
      },
      { flags: '--timeout-ms <n>', description: 'time limit of one attempt', parse: parseWholeNumber },
    ],
    examples: [
      [
        'KAFKA_PASSWORD=… postrider channels create-kafka --environment env_01… --name stream --broker kafka-1.example.com:9093 ' +
          '--mechanism SCRAM-SHA-512 --username postrider --password-from env --topic shop.orders ' +
          "--event-keys 'order.*'",
        'To the topic shop.orders, in the order of each ordering key.',
      ],
    ],
    async fieldsOf(options, io) {
      const { broker, tls, mechanism, username, passwordFrom, topic, key, idempotent, timeoutMs } = options;
      return (
        part({
          ...{ brokers: broker, mechanism, username, topic, key, timeout_ms: timeoutMs },
          tls: tls === false ? false : undefined,
          idempotent: idempotent === false ? false : undefined,
          password: await readGivenSecret(io, passwordFrom, 'KAFKA_PASSWORD'),
        }) ?? {}
      );
    },
  },
  async loadSender() {
    const { createKafkaSender } = await import('./sender.ts');
    return { createSender: createKafkaSender };
  },
});
