import { KIND_FACTS } from '@postrider/domain';
import { boundCredentials } from '../bound-credentials.ts';
import { wantedKey } from '../certificates.ts';
import { defineChannelKind } from '../channel.ts';
import { type JsonContent, jsonTemplate } from '../json-template.ts';
import { AMQP_SETTINGS, type AmqpConfig, portOf } from './config.ts';

/** Publishes JSON to an exchange of a broker that speaks AMQP 0-9-1, such as RabbitMQ, and waits for its confirm. */
export const amqpKind = defineChannelKind<AmqpConfig, JsonContent>({
  ...KIND_FACTS.amqp,
  label: 'an AMQP channel',
  description: 'A channel that publishes to an exchange of RabbitMQ.',
  config: {
    ...AMQP_SETTINGS.config,
    endpointsOf: ({ host }) => ({ '/host': host }),
  },
  targetOf: (config) => ({
    method: 'PUBLISH',
    url: `${config.tls ? 'amqps' : 'amqp'}://${config.host}:${portOf(config)}/${encodeURIComponent(config.vhost)}`,
  }),
  secret: null,
  credentials: boundCredentials((config) => [
    {
      name: 'password',
      at: ['password'],
      label: 'password',
      // With another authority, another server could impersonate the broker.
      boundTo: { host: config.host, port: portOf(config), tls: config.tls, ca: config.ca },
    },
    ...wantedKey(config),
  ]),
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
    ...AMQP_SETTINGS.command,
    examples: [
      [
        'AMQP_PASSWORD=… postrider channels create-amqp --environment env_01… --name bus --host mq.example.com ' +
          "--username postrider --password-from env --exchange events --event-keys 'order.*'",
        'To the exchange events, by event key.',
      ],
    ],
  },
  loadSender: async () => ({ createSender: (await import('./sender.ts')).createAmqpSender }),
});
