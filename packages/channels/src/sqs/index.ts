import { KIND_FACTS } from '@postrider/domain';
import { AWS_ROLE_OPTION } from '../aws-settings.ts';
import { changeBoundCredentials } from '../bound-credentials.ts';
import { defineChannelKind } from '../channel.ts';
import { parseWholeNumber, part, readGivenSecret } from '../command.ts';
import { type JsonContent, jsonTemplate } from '../json-template.ts';
import {
  originOfQueue,
  PRESENTED_SQS_CONFIG,
  presentSqsConfig,
  SQS_CONFIG_RULES,
  SQS_CONFIG_SCHEMA,
  type SqsConfig,
  toStoredSqsConfig,
} from './config.ts';

/** Sends JSON to a queue of Amazon SQS. */
export const sqsKind = defineChannelKind<SqsConfig, JsonContent>({
  ...KIND_FACTS.sqs,
  label: 'an SQS channel',
  description: 'A channel that sends to a queue of Amazon SQS.',
  config: {
    schema: SQS_CONFIG_SCHEMA,
    rules: SQS_CONFIG_RULES,
    toStored: toStoredSqsConfig,
    plaintextUrls: ({ queue_url: url }) => (/^https:/i.test(url) ? [] : ['/queue_url']),
    endpointsOf: ({ queue_url: url }) => ({ '/queue_url': url }),
    keylessOf: ({ aws_role: role }) => (role ? ['/aws_role'] : []),
    presentedSchema: PRESENTED_SQS_CONFIG,
    present: presentSqsConfig,
    presentForAudit: presentSqsConfig,
  },
  targetOf: ({ queue_url: url }) => ({ method: 'SendMessage', url }),
  secret: null,
  credentials: {
    change: (before, after) =>
      changeBoundCredentials(
        ({ queue_url: url, access_key_id: id }) => {
          if (id === undefined) return [];
          const boundTo = `${originOfQueue(url)} ${id}`;
          return [
            { name: 'secret_access_key', at: ['secret_access_key'], boundTo, label: 'secret access key' },
            {
              name: 'session_token',
              at: ['session_token'],
              boundTo,
              label: 'session token',
              isOptional: true,
            },
          ];
        },
        before,
        after,
      ),
  },
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
    options: [
      { flags: '--queue-url <url>', description: 'the URL of the queue' },
      { flags: '--region <region>', description: 'the AWS region, if the URL does not contain it' },
      { flags: '--access-key-id <id>', description: 'the access key of an IAM user' },
      {
        flags: '--secret-access-key-from <source>',
        description: 'where to read its secret: the environment variable AWS_SECRET_ACCESS_KEY, or stdin',
        choices: ['env', 'stdin'],
      },
      {
        flags: '--session-token-from <source>',
        description:
          'where to read the session token of a temporary key: the environment variable AWS_SESSION_TOKEN, or stdin',
        choices: ['env', 'stdin'],
      },
      { flags: '--aws-role <role>', description: AWS_ROLE_OPTION },
      {
        flags: '--message-group-id <text>',
        description:
          'the group, such as "{{ recipient.id }}"; for a FIFO queue by default the ordering key or the run',
      },
      { flags: '--timeout-ms <n>', description: 'time limit of one attempt', parse: parseWholeNumber },
    ],
    examples: [
      [
        'AWS_SECRET_ACCESS_KEY=… postrider channels create-sqs --environment env_01… --name orders ' +
          '--queue-url https://sqs.eu-central-1.amazonaws.com/123456789012/orders --access-key-id AKIA… ' +
          "--secret-access-key-from env --event-keys 'order.*'",
        'To the queue orders.',
      ],
    ],
    async fieldsOf(
      {
        queueUrl,
        region,
        accessKeyId,
        secretAccessKeyFrom: from,
        sessionTokenFrom,
        awsRole,
        messageGroupId,
        timeoutMs,
      },
      io,
    ) {
      return (
        part({
          ...{ queue_url: queueUrl, region, access_key_id: accessKeyId, aws_role: awsRole },
          ...{ message_group_id: messageGroupId, timeout_ms: timeoutMs },
          secret_access_key: await readGivenSecret(io, from, 'AWS_SECRET_ACCESS_KEY'),
          session_token: await readGivenSecret(io, sessionTokenFrom, 'AWS_SESSION_TOKEN'),
        }) ?? {}
      );
    },
  },
  async loadSender() {
    const { createSqsSender } = await import('./sender.ts');
    return { createSender: createSqsSender };
  },
});
