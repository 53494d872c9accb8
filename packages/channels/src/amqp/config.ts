import {
  type ChannelIssue,
  type ChannelRule,
  type JsonObject,
  KIND_FACTS,
  lineIssues,
  timeoutSchema,
} from '@postrider/domain';
import { PATHS_DESCRIPTION, pathIssues } from '../broker/settings.ts';
import {
  BROKER_TLS_RULE,
  type BrokerTls,
  CERTIFICATE_FIELDS,
  PRESENTED_CERTIFICATES,
  presentBrokerTls,
  storedBrokerTls,
} from '../broker/tls.ts';
import { hostIssues, hostText } from '../host.ts';
import { flag, type JsonSchema, record, secretText, text, wholeNumber } from '../schema.ts';

/** The stored config of an AMQP channel (docs/destinations.md), without the password. */
export type AmqpConfig = BrokerTls & {
  host: string;
  port?: number;
  vhost: string;
  username: string;
  exchange: string;
  routing_key: string;
  persistent: boolean;
  timeout_ms?: number;
};

const { defaultTimeoutMs: AMQP_TIMEOUT_MS } = KIND_FACTS.amqp;

/** The longest short string of AMQP 0-9-1, in bytes. */
export const MAX_SHORT_STRING = 255;
const DEFAULT_ROUTING_KEY = '{{ event_key }}';

/** The default port registered with IANA, with or without TLS. */
export const portOf = ({ port, tls }: Pick<AmqpConfig, 'port' | 'tls'>): number =>
  port ?? (tls ? 5_671 : 5_672);

const shortText = (description: string) => ({ type: 'string', maxLength: MAX_SHORT_STRING, description });

export const AMQP_CONFIG_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['host', 'username', 'exchange'],
  additionalProperties: false,
  description: 'Where events are published.',
  properties: {
    host: hostText(
      'A host name or address of a broker that speaks AMQP 0-9-1. Private ones are refused; those of names at the attempt, with ' +
        '`amqp_connection_failed`.',
    ),
    port: {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 65_535,
      default: null,
      description: 'By default 5671, without TLS 5672.',
    },
    tls: {
      type: 'boolean',
      default: true,
      description:
        'TLS from the first byte. False is only allowed for a broker on this machine, because the ' +
        'password would be sent unencrypted.',
    },
    ...CERTIFICATE_FIELDS,
    vhost: { ...shortText('The virtual host.'), minLength: 1, default: '/' },
    username: { ...shortText('The user; it needs the permission to write to the exchange.'), minLength: 1 },
    password: secretText(
      'Stored encrypted and never shown. A PATCH that leaves it out keeps it. It must be given ' +
        'again when `host`, `port`, `tls` or `ca` changes, so that a stored password is never sent to ' +
        'another broker.',
      { isNullable: false },
    ),
    exchange: shortText(
      'An exchange that exists; empty for the default one, whose routing keys are names of queues.',
    ),
    routing_key: {
      ...shortText(
        `The routing key. ${PATHS_DESCRIPTION} At most ${MAX_SHORT_STRING} bytes when it is filled in.`,
      ),
      default: DEFAULT_ROUTING_KEY,
    },
    persistent: {
      type: 'boolean',
      default: true,
      description: 'Whether durable queues store the messages.',
    },
    timeout_ms: timeoutSchema(AMQP_TIMEOUT_MS),
  },
};

function bytesIssues(path: string, value: string): ChannelIssue[] {
  if (Buffer.byteLength(value) <= MAX_SHORT_STRING) return [];
  return [{ path, code: 'too_long', message: `must not be longer than ${MAX_SHORT_STRING} bytes` }];
}

/** Rules on a config that fulfils {@link AMQP_CONFIG_SCHEMA}. Paths start at the config. */
export const AMQP_CONFIG_RULES: readonly ChannelRule<AmqpConfig>[] = [
  { reads: ['/host'], issuesOf: ({ host }) => hostIssues(host) },
  BROKER_TLS_RULE,
  {
    reads: ['/vhost'],
    issuesOf: ({ vhost = '/' }) => [...lineIssues('/vhost', vhost), ...bytesIssues('/vhost', vhost)],
  },
  { reads: ['/username'], issuesOf: ({ username }) => lineIssues('/username', username) },
  { reads: ['/exchange'], issuesOf: ({ exchange }) => bytesIssues('/exchange', exchange) },
  {
    reads: ['/routing_key'],
    issuesOf: ({ routing_key = DEFAULT_ROUTING_KEY }) => [
      ...pathIssues('/routing_key', routing_key),
      ...bytesIssues('/routing_key', routing_key),
    ],
  },
];

/** The stored form of a valid config: without the password and without null fields. */
export function toStoredAmqpConfig(config: JsonObject): AmqpConfig {
  const { host, port, vhost, username, exchange, routing_key, persistent, timeout_ms } =
    config as Partial<AmqpConfig>;
  return {
    host: String(host),
    ...(port ? { port } : {}),
    ...storedBrokerTls(config),
    vhost: vhost ?? '/',
    username: String(username),
    exchange: exchange ?? '',
    routing_key: routing_key ?? DEFAULT_ROUTING_KEY,
    persistent: persistent ?? true,
    ...(timeout_ms ? { timeout_ms } : {}),
  };
}

/** Parses a stored config. Returns null if it is not the config of an AMQP channel. */
export function readAmqpConfig(config: JsonObject): AmqpConfig | null {
  const { host, username, exchange } = config;
  if (typeof host !== 'string' || typeof username !== 'string' || typeof exchange !== 'string') return null;
  return toStoredAmqpConfig(config);
}

export const PRESENTED_AMQP_CONFIG = record('Where events are published.', {
  host: text('Host name or address of the broker.'),
  port: wholeNumber('TCP port.'),
  tls: flag('TLS from the first byte.'),
  ...PRESENTED_CERTIFICATES,
  vhost: text('The virtual host.'),
  username: text('The user.'),
  exchange: text('The exchange; empty is the default one.'),
  routing_key: text('The routing key, before values are filled in.'),
  persistent: flag('Whether durable queues store the messages.'),
  timeout_ms: wholeNumber('Time limit of one attempt as a whole, in milliseconds.'),
});

export function presentAmqpConfig(config: AmqpConfig): JsonObject {
  const { timeout_ms = AMQP_TIMEOUT_MS, ...rest } = config;
  return { ...rest, ...presentBrokerTls(config), port: portOf(config), timeout_ms };
}
