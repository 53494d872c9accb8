import { check, choice, type FormShape, number, secret, text, words } from '../../../ui/fields.ts';
import { awsKey, awsRole, certificates, common, EVENTS, is, NAME } from './shared.ts';

const VALUES =
  'May contain {{ event_key }}, {{ message_id }}, {{ ordering_key }} and fields such as {{ payload.country }}.';

const encrypted = (server: string) =>
  check('config.tls', 'Encrypt the connection (TLS)', {
    usual: true,
    hint: `Required unless the ${server} is on this machine.`,
  });

export const AMQP: FormShape = {
  first: [
    NAME,
    text('config.host', 'Host', { required: true, placeholder: 'rabbit.example.com' }),
    text('config.exchange', 'Exchange', { placeholder: 'events', hint: 'Empty for the default exchange.' }),
    text('config.username', 'User name', { required: true }),
    secret('config.password', 'Password'),
  ],
  advanced: [
    {
      title: 'Messages',
      fields: [
        EVENTS,
        text('config.routing_key', 'Routing key', { placeholder: '{{ event_key }}', hint: VALUES }),
        check('config.persistent', 'Durable queues store the messages', { usual: true }),
      ],
    },
    {
      title: 'Connection',
      fields: [
        number('config.port', 'Port', { placeholder: '5671; without TLS 5672' }),
        text('config.vhost', 'Virtual host', { placeholder: '/' }),
        encrypted('broker'),
        ...certificates('config'),
      ],
    },
    ...common('15'),
  ],
};

export const SQS: FormShape = {
  first: [
    NAME,
    text('config.queue_url', 'Queue URL', {
      required: true,
      placeholder: 'https://sqs.eu-central-1.amazonaws.com/123456789012/events',
    }),
    ...awsKey('config', 'It may call sqs:SendMessage.'),
  ],
  advanced: [
    {
      title: 'Messages',
      fields: [
        EVENTS,
        text('config.message_group_id', 'Message group', { placeholder: 'The ordering key', hint: VALUES }),
      ],
    },
    {
      title: 'Account',
      fields: [
        text('config.region', 'Region', { placeholder: 'From the URL' }),
        secret('config.session_token', 'Session token', { hint: 'For a temporary access key.' }),
        awsRole('config'),
      ],
    },
    ...common('15'),
  ],
};

const LOGINS = { PLAIN: 'PLAIN', 'SCRAM-SHA-256': 'SCRAM-SHA-256', 'SCRAM-SHA-512': 'SCRAM-SHA-512' };
const hasLogin = is('config.mechanism', ...Object.keys(LOGINS));
export const KAFKA: FormShape = {
  first: [
    NAME,
    words('config.brokers', 'Brokers', {
      required: true,
      placeholder: 'kafka-1.example.com:9093, kafka-2.example.com:9093',
    }),
    text('config.topic', 'Topic', { required: true, placeholder: 'events' }),
    choice('config.mechanism', 'Login', { none: 'No login', options: LOGINS }),
    text('config.username', 'User name', { required: true, when: hasLogin }),
    secret('config.password', 'Password', { when: hasLogin }),
  ],
  advanced: [
    {
      title: 'Records',
      fields: [
        EVENTS,
        text('config.key', 'Key of a record', { placeholder: '{{ ordering_key }}', hint: VALUES }),
        check('config.idempotent', 'Store a repeated record only once', {
          usual: true,
          hint: 'Off for clusters that give the user no producer id.',
        }),
      ],
    },
    { title: 'Connection', fields: [encrypted('cluster'), ...certificates('config')] },
    ...common('15'),
  ],
};
