import {
  type ChannelIssue,
  type ChannelRule,
  type JsonObject,
  KIND_FACTS,
  lineIssues,
  timeoutSchema,
} from '@postrider/domain';
import type { SaslMechanism } from '@postrider/kafka-producer';
import { PATHS_DESCRIPTION, pathIssues } from '../broker/settings.ts';
import {
  BROKER_TLS_RULE,
  type BrokerTls,
  CERTIFICATE_FIELDS,
  PRESENTED_CERTIFICATES,
  presentBrokerTls,
  storedBrokerTls,
} from '../broker/tls.ts';
import { hostIssues, MAX_HOST_LENGTH, withoutBrackets } from '../host.ts';
import { flag, type JsonSchema, nullable, record, secretText, text, wholeNumber } from '../schema.ts';

/** How a user logs in to a broker. */
const SASL_MECHANISMS: readonly SaslMechanism[] = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'];

/** The stored config of a Kafka channel: docs/destinations.md. The password is stored separately. */
export type KafkaConfig = BrokerTls & {
  brokers: string[];
  mechanism?: SaslMechanism;
  username?: string;
  topic: string;
  key: string;
  idempotent: boolean;
  timeout_ms?: number;
};

const { defaultTimeoutMs: KAFKA_TIMEOUT_MS } = KIND_FACTS.kafka;

const MAX_BROKERS = 10;
const MAX_NAME_LENGTH = 255;
const MAX_KEY_LENGTH = 512;
const DEFAULT_KEY = '{{ ordering_key }}';
const TOPIC = /^[\w.-]{1,249}$/;
const BROKER = /^(.+):(\d{1,5})$/;

/** Parses `host:port`, with an IPv6 address in brackets; null if the text has another form. */
export function parseBroker(broker: string): { readonly host: string; readonly port: number } | null {
  const [, name = '', digits = ''] = BROKER.exec(broker) ?? [];
  const port = Number(digits);
  const host = withoutBrackets(name);
  const isAddress = host !== '' && (host === name ? !host.includes(':') : host.includes(':'));
  return isAddress && port > 0 && port < 65_536 ? { host, port } : null;
}

export const KAFKA_CONFIG_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['brokers', 'topic'],
  additionalProperties: false,
  description: 'The topic to which events are written.',
  properties: {
    brokers: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_BROKERS,
      items: { type: 'string', minLength: 1, maxLength: MAX_HOST_LENGTH + 8 },
      description:
        'Brokers of the cluster as `host:port`. The first that responds reports the others. Private addresses are ' +
        "refused; those of names and of the cluster's metadata at the attempt, with `kafka_connection_failed`.",
    },
    tls: {
      type: 'boolean',
      default: true,
      description:
        'TLS to every broker. False only for a cluster on this machine, because the password would be sent unencrypted.',
    },
    ...CERTIFICATE_FIELDS,
    mechanism: {
      type: ['string', 'null'],
      enum: [...SASL_MECHANISMS, null],
      default: null,
      description: 'How the user logs in (SASL). Null if the cluster needs no login.',
    },
    username: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: MAX_NAME_LENGTH,
      default: null,
      description: 'The user; it needs the permission to write to the topic. Required with `mechanism`.',
    },
    password: secretText(
      'Required with `mechanism`. Stored encrypted and never shown. In a PATCH: if left out, it stays; it must be given ' +
        'again when `brokers`, `tls`, `ca`, `mechanism` or `username` changes.',
    ),
    topic: { type: 'string', minLength: 1, maxLength: 249, description: 'A topic that exists.' },
    key: {
      type: 'string',
      maxLength: MAX_KEY_LENGTH,
      default: DEFAULT_KEY,
      description:
        `The key of the record, by which its partition is chosen. ${PATHS_DESCRIPTION} Records without a key are spread over ` +
        'the partitions.',
    },
    idempotent: {
      type: 'boolean',
      default: true,
      description:
        'Whether records have a sequence, so that a record that is sent again within an attempt is stored once. False for clusters ' +
        'that do not allow the user a producer id.',
    },
    timeout_ms: timeoutSchema(KAFKA_TIMEOUT_MS),
  },
};

function brokerIssues(brokers: readonly string[]): ChannelIssue[] {
  return brokers.flatMap((broker, index) => {
    const parsed = parseBroker(broker);
    const isValid = parsed !== null && hostIssues(parsed.host).length === 0;
    const path = `/brokers/${index}`;
    return isValid
      ? []
      : [
          {
            path,
            code: 'invalid_format',
            message: 'must be a host and a port, such as kafka.example.com:9093',
          },
        ];
  });
}

function loginIssues({ mechanism, username }: Pick<KafkaConfig, 'mechanism' | 'username'>): ChannelIssue[] {
  const path = '/username';
  if (mechanism && !username) return [{ path, code: 'required', message: 'is required with a mechanism' }];
  if (!mechanism && username) {
    return [{ path: '/mechanism', code: 'required', message: 'is required with a username' }];
  }
  return username ? lineIssues(path, username) : [];
}

/** Rules on a config that fulfils {@link KAFKA_CONFIG_SCHEMA}. Paths start at the config. */
export const KAFKA_CONFIG_RULES: readonly ChannelRule<KafkaConfig & { password?: string | null }>[] = [
  { reads: ['/brokers'], issuesOf: ({ brokers }) => brokerIssues(brokers) },
  BROKER_TLS_RULE,
  { reads: ['/mechanism', '/username'], issuesOf: loginIssues },
  {
    reads: ['/mechanism', '/password'],
    issuesOf: ({ mechanism, password }) =>
      password && !mechanism
        ? [{ path: '/mechanism', code: 'required', message: 'is required with a password' }]
        : [],
  },
  {
    reads: ['/topic'],
    issuesOf: ({ topic }) =>
      TOPIC.test(topic) && topic !== '.' && topic !== '..'
        ? []
        : [
            {
              path: '/topic',
              code: 'invalid_format',
              message: 'must be letters, digits, dots, hyphens and underscores',
            },
          ],
  },
  { reads: ['/key'], issuesOf: ({ key = DEFAULT_KEY }) => pathIssues('/key', key) },
];

/** The stored form of a valid config: without the password and without null fields. */
export function toStoredKafkaConfig(config: JsonObject): KafkaConfig {
  const { brokers, mechanism, username, topic, key, idempotent, timeout_ms } = config as Partial<KafkaConfig>;
  return {
    brokers: (brokers ?? []).map(String),
    ...storedBrokerTls(config),
    ...(mechanism ? { mechanism } : {}),
    ...(username ? { username } : {}),
    topic: String(topic),
    key: key ?? DEFAULT_KEY,
    idempotent: idempotent ?? true,
    ...(timeout_ms ? { timeout_ms } : {}),
  };
}

/** Parses a stored config. Returns null if it is not the config of a Kafka channel. */
export function readKafkaConfig(config: JsonObject): KafkaConfig | null {
  return Array.isArray(config.brokers) && typeof config.topic === 'string'
    ? toStoredKafkaConfig(config)
    : null;
}

export const PRESENTED_KAFKA_CONFIG = record('The topic to which events are written.', {
  brokers: {
    type: 'array',
    items: { type: 'string' },
    description: 'Brokers of the cluster, as `host:port`.',
  },
  tls: flag('TLS to every broker.'),
  ...PRESENTED_CERTIFICATES,
  mechanism: nullable(text('The mechanism of the login (SASL).')),
  username: nullable(text('The user.')),
  topic: text('The topic.'),
  key: text('The key of the records, before values are filled in.'),
  idempotent: flag('Whether records are numbered.'),
  timeout_ms: wholeNumber('Time limit of one attempt as a whole, in milliseconds.'),
});

export function presentKafkaConfig(config: KafkaConfig): JsonObject {
  const { mechanism = null, username = null, timeout_ms = KAFKA_TIMEOUT_MS, ...rest } = config;
  return { ...rest, ...presentBrokerTls(config), mechanism, username, timeout_ms };
}
