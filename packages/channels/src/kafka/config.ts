import { type ChannelIssue, KIND_FACTS, lineIssues } from '@postrider/domain';
import type { SaslMechanism } from '@postrider/kafka-producer';
import { PATHS_DESCRIPTION, pathIssues } from '../broker/settings.ts';
import { BROKER_TLS_RULE, type BrokerTls, brokerTlsSettings } from '../certificates.ts';
import { isHost, MAX_HOST_LENGTH, withoutBrackets } from '../host.ts';
import { optionalText, requiredText, secretText } from '../schema.ts';
import { checked, defineSettings, matching, secretOption, timeoutSetting } from '../settings.ts';

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

const MAX_BROKERS = 10;
const MAX_NAME_LENGTH = 255;
const MAX_KEY_LENGTH = 512;
const TOPIC = /^(?!\.{1,2}$)[\w.-]{1,249}$/;
const BROKER = /^(.+):(\d{1,5})$/;

/** Parses `host:port`, with an IPv6 address in brackets; null if the text has another form. */
export function parseBroker(broker: string): { readonly host: string; readonly port: number } | null {
  const [, name = '', digits = ''] = BROKER.exec(broker) ?? [];
  const port = Number(digits);
  const host = withoutBrackets(name);
  const isAddress = host !== '' && (host === name ? !host.includes(':') : host.includes(':'));
  return isAddress && port > 0 && port < 65_536 ? { host, port } : null;
}

const brokerIssues = (path: string, brokers: readonly string[]): ChannelIssue[] =>
  brokers.flatMap((broker, index) =>
    checked((text) => {
      const host = parseBroker(text)?.host;
      return host !== undefined && isHost(host)
        ? null
        : 'must be a host and a port, such as kafka.example.com:9093';
    })(`${path}/${index}`, broker),
  );

function loginIssues({
  mechanism,
  username,
  password,
}: Pick<KafkaConfig, 'mechanism' | 'username'> & { password?: string | null }): ChannelIssue[] {
  if (mechanism) {
    return username ? [] : [{ path: '/username', code: 'required', message: 'is required with a mechanism' }];
  }
  return Object.entries({ username, password })
    .filter(([, value]) => value)
    .map(([name]) => ({ path: '/mechanism', code: 'required', message: `is required with a ${name}` }));
}

/** Collects the values of an option that is repeated. */
const collect = (value: string, before: unknown): string[] => [...((before as string[]) ?? []), value];

export const KAFKA_SETTINGS = defineSettings<KafkaConfig>(
  {
    brokers: {
      isRequired: true,
      schema: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_BROKERS,
        items: { type: 'string', minLength: 1, maxLength: MAX_HOST_LENGTH + 8 },
        description:
          'Brokers of the cluster as `host:port`. The first that responds reports the others. Private addresses ' +
          "are refused; if a name or the cluster's metadata leads to one, the attempt fails with " +
          '`kafka_connection_failed`.',
      },
      shown: {
        type: 'array',
        items: { type: 'string' },
        description: 'Brokers of the cluster, as `host:port`.',
      },
      issuesOf: brokerIssues,
      option: {
        flags: '--broker <host:port>',
        description: 'a broker of the cluster; repeat it for others',
        parse: collect,
      },
    },
    ...brokerTlsSettings(
      'a cluster',
      'TLS to every broker. False only for a cluster on this machine, because the password would be sent unencrypted.',
      'TLS to every broker.',
    ),
    mechanism: {
      schema: {
        type: ['string', 'null'],
        enum: [...SASL_MECHANISMS, null],
        default: null,
        description: 'How the user logs in (SASL). Null if the cluster needs no login.',
      },
      shown: 'The mechanism of the login (SASL).',
      option: {
        flags: '--mechanism <name>',
        description: 'how the user logs in',
        choices: SASL_MECHANISMS,
      },
    },
    username: {
      schema: optionalText(
        MAX_NAME_LENGTH,
        'The user; it needs the permission to write to the topic. Required with `mechanism`.',
      ),
      shown: 'The user.',
      issuesOf: lineIssues,
      option: { flags: '--username <name>', description: 'the user' },
    },
    password: {
      schema: secretText(
        'Required with `mechanism`. Stored encrypted and never shown. In a PATCH: if left out, it stays; it must be given ' +
          'again when `brokers`, `tls`, `ca`, `mechanism` or `username` changes.',
      ),
      option: secretOption('password', 'the password', 'KAFKA_PASSWORD'),
    },
    topic: {
      isRequired: true,
      schema: requiredText(249, 'A topic that exists.'),
      shown: 'The topic.',
      issuesOf: matching(TOPIC, 'must be letters, digits, dots, hyphens and underscores'),
      option: { flags: '--topic <name>', description: 'a topic that exists' },
    },
    key: {
      schema: {
        type: 'string',
        maxLength: MAX_KEY_LENGTH,
        default: '{{ ordering_key }}',
        description:
          `The key of the record, by which its partition is chosen. ${PATHS_DESCRIPTION} Records without a key are spread over ` +
          'the partitions.',
      },
      shown: 'The key of the records, before values are filled in.',
      storesDefault: true,
      issuesOf: pathIssues,
      option: {
        flags: '--key <text>',
        description: 'the key, such as "{{ recipient.id }}"; the ordering key by default',
      },
    },
    idempotent: {
      schema: {
        type: 'boolean',
        default: true,
        description:
          'Whether records have a sequence, so that a record that is sent again within an attempt is stored once. False for clusters ' +
          'that do not allow the user a producer id.',
      },
      shown: 'Whether records are numbered.',
      storesDefault: true,
      option: {
        flags: '--no-idempotent',
        description: 'without a producer id, if the cluster does not allow the user one',
      },
    },
    timeout_ms: timeoutSetting(KIND_FACTS.kafka),
  },
  {
    description: 'The topic to which events are written.',
    rules: [BROKER_TLS_RULE, { reads: ['/mechanism', '/username', '/password'], issuesOf: loginIssues }],
  },
);
