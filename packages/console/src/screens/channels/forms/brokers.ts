import type { FormShape } from '../../../ui/fields.ts';
import { awsKey, awsRole, certificates, common, EVENTS, is, NAME } from './shared.ts';

const VALUES =
  'May contain {{ event_key }}, {{ message_id }}, {{ ordering_key }} and fields such as {{ payload.country }}.';

export const AMQP: FormShape = {
  first: [
    NAME,
    { at: 'config.host', label: 'Host', required: true, placeholder: 'rabbit.example.com' },
    {
      at: 'config.exchange',
      label: 'Exchange',
      placeholder: 'events',
      hint: 'Empty for the default exchange.',
    },
    { at: 'config.username', label: 'User name', required: true },
    { at: 'config.password', label: 'Password', secret: true },
  ],
  advanced: [
    {
      title: 'Messages',
      fields: [
        EVENTS,
        { at: 'config.routing_key', label: 'Routing key', placeholder: '{{ event_key }}', hint: VALUES },
        { at: 'config.persistent', label: 'Durable queues store the messages', kind: 'check', usual: true },
      ],
    },
    {
      title: 'Connection',
      fields: [
        { at: 'config.port', label: 'Port', kind: 'number', placeholder: '5671; without TLS 5672' },
        { at: 'config.vhost', label: 'Virtual host', placeholder: '/' },
        {
          at: 'config.tls',
          label: 'Encrypt the connection (TLS)',
          kind: 'check',
          usual: true,
          hint: 'Required unless the broker is on this machine.',
        },
        ...certificates('config'),
      ],
    },
    ...common('15'),
  ],
};

export const SQS: FormShape = {
  first: [
    NAME,
    {
      at: 'config.queue_url',
      label: 'Queue URL',
      required: true,
      placeholder: 'https://sqs.eu-central-1.amazonaws.com/123456789012/events',
    },
    ...awsKey('config', 'It may call sqs:SendMessage.'),
  ],
  advanced: [
    {
      title: 'Messages',
      fields: [
        EVENTS,
        {
          at: 'config.message_group_id',
          label: 'Message group',
          placeholder: 'The ordering key',
          hint: VALUES,
        },
      ],
    },
    {
      title: 'Account',
      fields: [
        { at: 'config.region', label: 'Region', placeholder: 'From the URL' },
        {
          at: 'config.session_token',
          label: 'Session token',
          secret: true,
          hint: 'For a temporary access key.',
        },
        awsRole('config'),
      ],
    },
    ...common('15'),
  ],
};

const hasLogin = is('config.mechanism', 'PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512');
export const KAFKA: FormShape = {
  first: [
    NAME,
    {
      at: 'config.brokers',
      label: 'Brokers',
      kind: 'words',
      required: true,
      placeholder: 'kafka-1.example.com:9093, kafka-2.example.com:9093',
    },
    { at: 'config.topic', label: 'Topic', required: true, placeholder: 'events' },
    {
      at: 'config.mechanism',
      label: 'Login',
      kind: 'choice',
      none: 'No login',
      options: [
        ['PLAIN', 'PLAIN'],
        ['SCRAM-SHA-256', 'SCRAM-SHA-256'],
        ['SCRAM-SHA-512', 'SCRAM-SHA-512'],
      ],
    },
    { at: 'config.username', label: 'User name', required: true, when: hasLogin },
    { at: 'config.password', label: 'Password', secret: true, when: hasLogin },
  ],
  advanced: [
    {
      title: 'Records',
      fields: [
        EVENTS,
        { at: 'config.key', label: 'Key of a record', placeholder: '{{ ordering_key }}', hint: VALUES },
        {
          at: 'config.idempotent',
          label: 'Store a repeated record only once',
          kind: 'check',
          usual: true,
          hint: 'Off for clusters that give the user no producer id.',
        },
      ],
    },
    {
      title: 'Connection',
      fields: [
        {
          at: 'config.tls',
          label: 'Encrypt the connection (TLS)',
          kind: 'check',
          usual: true,
          hint: 'Required unless the cluster is on this machine.',
        },
        ...certificates('config'),
      ],
    },
    ...common('15'),
  ],
};
