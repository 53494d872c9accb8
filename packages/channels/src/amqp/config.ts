import { type ChannelIssue, KIND_FACTS, lineIssues } from '@postrider/domain';
import { PATHS_DESCRIPTION, pathIssues } from '../broker/settings.ts';
import { BROKER_TLS_RULE, type BrokerTls, brokerTlsSettings } from '../certificates.ts';
import { parseWholeNumber } from '../command.ts';
import { hostSetting } from '../host.ts';
import { secretText, wholeNumber } from '../schema.ts';
import { defineSettings, secretOption, timeoutSetting } from '../settings.ts';

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

/** The longest short string of AMQP 0-9-1, in bytes. */
export const MAX_SHORT_STRING = 255;

/** The default port registered with IANA, with or without TLS. */
export const portOf = ({ port, tls }: Pick<AmqpConfig, 'port' | 'tls'>): number =>
  port ?? (tls ? 5_671 : 5_672);

const shortText = (description: string) => ({ type: 'string', maxLength: MAX_SHORT_STRING, description });

function bytesIssues(path: string, value: string): ChannelIssue[] {
  if (Buffer.byteLength(value) <= MAX_SHORT_STRING) return [];
  return [{ path, code: 'too_long', message: `must not be longer than ${MAX_SHORT_STRING} bytes` }];
}

export const AMQP_SETTINGS = defineSettings<AmqpConfig>(
  {
    host: hostSetting(
      'A host name or address of a broker that speaks AMQP 0-9-1. Private addresses are refused; if a name ' +
        'resolves to one, the attempt fails with `amqp_connection_failed`.',
      'Host name or address of the broker.',
      { flags: '--host <host>', description: 'the broker' },
    ),
    port: {
      schema: {
        type: ['integer', 'null'],
        minimum: 1,
        maximum: 65_535,
        default: null,
        description: 'Default: 5671, or 5672 without TLS.',
      },
      shown: wholeNumber('TCP port.'),
      shownOf: portOf,
      option: { flags: '--port <n>', description: 'its port (5671)', parse: parseWholeNumber },
    },
    ...brokerTlsSettings(
      'a broker',
      'TLS from the first byte. False is only allowed for a broker on this machine, because the ' +
        'password would be sent unencrypted.',
      'TLS from the first byte.',
    ),
    vhost: {
      schema: { ...shortText('The virtual host.'), minLength: 1, default: '/' },
      shown: 'The virtual host.',
      storesDefault: true,
      issuesOf: (path, vhost) => [...lineIssues(path, vhost), ...bytesIssues(path, vhost)],
      option: { flags: '--vhost <name>', description: 'the virtual host (/)' },
    },
    username: {
      isRequired: true,
      schema: { ...shortText('The user; it needs the permission to write to the exchange.'), minLength: 1 },
      shown: 'The user.',
      issuesOf: lineIssues,
      option: { flags: '--username <name>', description: 'the user' },
    },
    password: {
      schema: secretText(
        'Stored encrypted and never shown. A PATCH that leaves it out keeps it. It must be given ' +
          'again when `host`, `port`, `tls` or `ca` changes, so that a stored password is never sent to ' +
          'another broker.',
        { isNullable: false },
      ),
      option: secretOption('password', 'the password', 'AMQP_PASSWORD'),
    },
    exchange: {
      isRequired: true,
      schema: shortText(
        'An exchange that exists; empty for the default one, whose routing keys are names of queues.',
      ),
      shown: 'The exchange; empty is the default one.',
      issuesOf: bytesIssues,
      option: { flags: '--exchange <name>', description: 'an exchange that exists; "" is the default one' },
    },
    routing_key: {
      schema: {
        ...shortText(
          `The routing key. ${PATHS_DESCRIPTION} At most ${MAX_SHORT_STRING} bytes when it is filled in.`,
        ),
        default: '{{ event_key }}',
      },
      shown: 'The routing key, before values are filled in.',
      storesDefault: true,
      issuesOf: (path, key) => [...pathIssues(path, key), ...bytesIssues(path, key)],
      option: {
        flags: '--routing-key <text>',
        description: 'the routing key, such as "shop.{{ event_key }}"',
      },
    },
    persistent: {
      schema: { type: 'boolean', default: true, description: 'Whether durable queues store the messages.' },
      shown: 'Whether durable queues store the messages.',
      storesDefault: true,
    },
    timeout_ms: timeoutSetting(KIND_FACTS.amqp),
  },
  { description: 'Where events are published.', rules: [BROKER_TLS_RULE] },
);
