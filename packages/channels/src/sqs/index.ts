import { KIND_FACTS } from '@postrider/domain';
import { boundCredentials } from '../bound-credentials.ts';
import { defineChannelKind } from '../channel.ts';
import { type JsonContent, jsonTemplate } from '../json-template.ts';
import { originOfQueue, SQS_SETTINGS, type SqsConfig } from './config.ts';

/** Sends JSON to a queue of Amazon SQS. */
export const sqsKind = defineChannelKind<SqsConfig, JsonContent>({
  ...KIND_FACTS.sqs,
  label: 'an SQS channel',
  description: 'A channel that sends to a queue of Amazon SQS.',
  config: {
    ...SQS_SETTINGS.config,
    plaintextUrls: ({ queue_url: url }) => (/^https:/i.test(url) ? [] : ['/queue_url']),
    endpointsOf: ({ queue_url: url }) => ({ '/queue_url': url }),
    keylessOf: ({ aws_role: role }) => (role ? ['/aws_role'] : []),
  },
  targetOf: ({ queue_url: url }) => ({ method: 'SendMessage', url }),
  secret: null,
  credentials: boundCredentials(({ queue_url: url, access_key_id: id }) => {
    if (id === undefined) return [];
    const boundTo = { queue_url: originOfQueue(url), access_key_id: id };
    return [
      { name: 'secret_access_key', at: ['secret_access_key'], boundTo, label: 'secret access key' },
      {
        name: 'session_token',
        at: ['session_token'],
        boundTo,
        label: 'session token',
        isOptional: true,
        isDroppedIfMoved: true,
      },
    ];
  }),
  template: jsonTemplate('sqs', 'an SQS message'),
  errorCodes: ['sqs_connection_failed', 'sqs_auth_failed', 'sqs_rejected', 'sqs_outcome_unknown'],
  secretErrorCode: 'sqs_auth_failed',
  example: {
    summary: 'Amazon SQS',
    value: {
      name: 'orders queue',
      event_keys: ['order.*'],
      config: {
        queue_url: 'https://sqs.eu-central-1.amazonaws.com/123456789012/orders.fifo',
        access_key_id: 'AKIAIOSFODNN7EXAMPLE',
        secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
        message_group_id: '{{ recipient.id }}',
      },
    },
  },
  command: {
    description: 'create a channel to a queue of Amazon SQS',
    ...SQS_SETTINGS.command,
    examples: [
      [
        'AWS_SECRET_ACCESS_KEY=… postrider channels create-sqs --environment env_01… --name orders ' +
          '--queue-url https://sqs.eu-central-1.amazonaws.com/123456789012/orders --access-key-id AKIA… ' +
          "--secret-access-key-from env --event-keys 'order.*'",
        'To the queue orders.',
      ],
    ],
  },
  loadSender: async () => ({ createSender: (await import('./sender.ts')).createSqsSender }),
});
