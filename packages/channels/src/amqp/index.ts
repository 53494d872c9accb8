import { KIND_FACTS } from '@postrider/domain';
import { changeBoundCredentials } from '../bound-credentials.ts';
import { wantedKey } from '../broker/tls.ts';
import { defineChannelKind } from '../channel.ts';
import { parseWholeNumber, part, readGivenSecret } from '../command.ts';
import { type JsonContent, jsonTemplate } from '../json-template.ts';
import {
  AMQP_CONFIG_RULES,
  AMQP_CONFIG_SCHEMA,
  type AmqpConfig,
  PRESENTED_AMQP_CONFIG,
  portOf,
  presentAmqpConfig,
  toStoredAmqpConfig,
} from './config.ts';

/** Publishes JSON to an exchange of a broker that speaks AMQP 0-9-1, such as RabbitMQ, and waits for its confirm. */
export const amqpKind = defineChannelKind<AmqpConfig, JsonContent>({
  ...KIND_FACTS.amqp,
  label: 'an AMQP channel',
  description: 'A channel that publishes to an exchange of RabbitMQ.',
  config: {
    schema: AMQP_CONFIG_SCHEMA,
    rules: AMQP_CONFIG_RULES,
    toStored: toStoredAmqpConfig,
    endpointsOf: ({ host }) => ({ '/host': host }),
    presentedSchema: PRESENTED_AMQP_CONFIG,
    present: presentAmqpConfig,
    presentForAudit: presentAmqpConfig,
  },
  targetOf: (config) => ({
    method: 'PUBLISH',
    url: `${config.tls ? 'amqps' : 'amqp'}://${config.host}:${portOf(config)}/${encodeURIComponent(config.vhost)}`,
  }),
  secret: null,
  credentials: {
    change: (before, after) =>
      changeBoundCredentials(
        (config) => [
          {
            name: 'password',
            at: ['password'],
            // With another authority, another server could impersonate the broker.
            boundTo: JSON.stringify([config.host, portOf(config), config.tls, config.ca]),
            label: 'password',
          },
          ...wantedKey(config),
        ],
        before,
        after,
      ),
  },
  template: jsonTemplate('amqp', 'an AMQP message'),
  errorCodes: ['amqp_connection_failed', 'amqp_auth_failed', 'amqp_rejected', 'amqp_outcome_unknown'],
  secretErrorCode: 'amqp_auth_failed',
  example: {
    summary: 'RabbitMQ',
    value: {
      name: 'orders bus',
      event_keys: ['order.*'],
      config: {
        host: 'rabbitmq.example.com',
        vhost: 'shop',
        username: 'postrider',
        password: 'correct-horse-battery',
        exchange: 'events',
        routing_key: 'shop.{{ event_key }}',
      },
    },
  },
  command: {
    description: 'create an AMQP channel (RabbitMQ); events are published with confirms',
    options: [
      { flags: '--host <host>', description: 'the broker' },
      { flags: '--port <n>', description: 'its port (5671)', parse: parseWholeNumber },
      { flags: '--no-tls', description: 'without TLS, for a broker on this machine' },
      { flags: '--vhost <name>', description: 'the virtual host (/)' },
      { flags: '--username <name>', description: 'the user' },
      {
        flags: '--password-from <source>',
        description: 'where to read the password: the environment variable AMQP_PASSWORD, or stdin',
        choices: ['env', 'stdin'],
      },
      { flags: '--exchange <name>', description: 'an exchange that exists; "" is the default one' },
      { flags: '--routing-key <text>', description: 'the routing key, such as "shop.{{ event_key }}"' },
      { flags: '--timeout-ms <n>', description: 'time limit of one attempt', parse: parseWholeNumber },
    ],
    examples: [
      [
        'AMQP_PASSWORD=… postrider channels create-amqp --environment env_01… --name bus --host mq.example.com ' +
          "--username postrider --password-from env --exchange events --event-keys 'order.*'",
        'To the exchange events, by event key.',
      ],
    ],
    async fieldsOf({ host, port, tls, vhost, username, passwordFrom, exchange, routingKey, timeoutMs }, io) {
      return (
        part({
          ...{ host, port, vhost, username, exchange },
          tls: tls === false ? false : undefined,
          routing_key: routingKey,
          timeout_ms: timeoutMs,
          password: await readGivenSecret(io, passwordFrom, 'AMQP_PASSWORD'),
        }) ?? {}
      );
    },
  },
  async loadSender() {
    const { createAmqpSender } = await import('./sender.ts');
    return { createSender: createAmqpSender };
  },
});
