import { DEFAULT_RETRY_POLICY } from '@postrider/domain';
import {
  CHANNEL_BODY_SCHEMA,
  CHANNEL_PATCH_SCHEMA,
  ROTATE_SECRET_BODY_SCHEMA,
} from '../../admin/channels/schema.ts';
import { TEST_BODY_SCHEMA } from '../../admin/channels/test-schema.ts';
import { ACCEPTED_EXAMPLE, EXAMPLE_IDS } from '../examples.ts';
import type { AdminOperationDoc } from '../operation-doc.ts';
import { CHANNEL_ID, ENVIRONMENT_ID, PAGING } from '../parameters.ts';
import { ref } from '../schema-object.ts';

const WEBHOOK_BODY = {
  kind: 'webhook',
  name: 'warehouse',
  event_keys: ['order.*'],
  config: { url: 'https://warehouse.example.com/hooks', headers: { 'X-Shop': 'eu' }, timeout_ms: 10_000 },
};

const EMAIL_BODY = {
  kind: 'email',
  name: 'customer mail',
  config: {
    smtp: { host: 'smtp.example.com', port: 587, secure: false, username: 'shop', password: 'correct horse' },
    from: { email: 'shop@example.com', name: 'Shop' },
    reply_to: 'help@example.com',
  },
  retry: { max_attempts: 5, base_seconds: 10, factor: 3, max_seconds: 3_600 },
};

const CHANNEL_EXAMPLE = {
  id: EXAMPLE_IDS.webhookChannel,
  environment_id: EXAMPLE_IDS.environment,
  kind: 'webhook',
  name: 'warehouse',
  enabled: true,
  disabled_reason: null,
  event_keys: ['order.*'],
  config: WEBHOOK_BODY.config,
  retry: DEFAULT_RETRY_POLICY,
  password_set: false,
  previous_secret_expires_at: null,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
};

const SECRET_EXAMPLE = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export const CREATE_CHANNEL: AdminOperationDoc = {
  method: 'post',
  path: '/admin/v1/environments/{environmentId}/channels',
  operationId: 'createChannel',
  tag: 'Channels',
  summary: 'Create a channel',
  description:
    'A destination of the environment: every event that it takes becomes a delivery run to it. The answer ' +
    'has the signing secret of a webhook, which is not shown again. The tenant’s plan must include the ' +
    'kind; an environment has at most 100 channels.',
  bodyUse: 'required',
  parameters: [ENVIRONMENT_ID],
  body: {
    schema: CHANNEL_BODY_SCHEMA,
    examples: {
      webhook: { summary: 'A webhook', value: WEBHOOK_BODY },
      email: { summary: 'An SMTP server', value: EMAIL_BODY },
    },
  },
  success: {
    status: 201,
    schema: ref('ChannelWithSecret'),
    example: { ...CHANNEL_EXAMPLE, secret: SECRET_EXAMPLE },
  },
  errors: ['environment_not_found', 'conflict'],
};

export const LIST_CHANNELS: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/environments/{environmentId}/channels',
  operationId: 'listChannels',
  tag: 'Channels',
  summary: 'List channels',
  description: 'The channels of an environment, newest first, without their secrets.',
  bodyUse: 'ignored',
  parameters: [ENVIRONMENT_ID, ...PAGING],
  success: {
    status: 200,
    schema: ref('ConfiguredChannelList'),
    example: { data: [CHANNEL_EXAMPLE], has_more: false, next_cursor: null },
  },
  errors: ['environment_not_found', 'validation_failed'],
};

export const GET_CHANNEL: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/channels/{channelId}',
  operationId: 'getChannel',
  tag: 'Channels',
  summary: 'Read a channel',
  description: 'The channel as it is now, without its secrets.',
  bodyUse: 'ignored',
  parameters: [CHANNEL_ID],
  success: { status: 200, schema: ref('ConfiguredChannel'), example: CHANNEL_EXAMPLE },
  errors: ['channel_not_found'],
};

export const UPDATE_CHANNEL: AdminOperationDoc = {
  method: 'patch',
  path: '/admin/v1/channels/{channelId}',
  operationId: 'updateChannel',
  tag: 'Channels',
  summary: 'Change a channel',
  description:
    'A JSON Merge Patch: fields that are left out stay, null removes one, lists are replaced. To change ' +
    'the form of `retry`, set the fields of the other to null. Runs that wait are sent as the channel ' +
    'then is. Runs that fall due while it is disabled end as `failed` with `channel_disabled`; those that ' +
    'fall due after it was enabled again are sent. An SMTP password stays unless it is given; it must be ' +
    'given anew when the host changes. The kind cannot be changed.',
  bodyUse: 'required',
  parameters: [CHANNEL_ID],
  body: {
    schema: CHANNEL_PATCH_SCHEMA,
    examples: {
      disable: { summary: 'Take no more events', value: { enabled: false } },
      header: { summary: 'Another header', value: { config: { headers: { 'X-Shop': 'us' } } } },
      retry: { summary: 'The default retry policy', value: { retry: null } },
    },
  },
  success: {
    status: 200,
    schema: ref('ConfiguredChannel'),
    example: { ...CHANNEL_EXAMPLE, enabled: false, updated_at: '2026-11-21T10:00:00.000Z' },
  },
  errors: ['channel_not_found'],
};

export const DELETE_CHANNEL: AdminOperationDoc = {
  method: 'delete',
  path: '/admin/v1/channels/{channelId}',
  operationId: 'deleteChannel',
  tag: 'Channels',
  summary: 'Delete a channel',
  description:
    'None of its runs is begun any more. Those that wait, scheduled ones too, end as `failed` with an ' +
    'attempt `channel_disabled`: the first 500 with the answer, the others soon after. Those that are ' +
    'running finish and are not retried. What was delivered stays readable; the secrets are erased.',
  bodyUse: 'ignored',
  parameters: [CHANNEL_ID],
  success: { status: 204 },
  errors: ['channel_not_found'],
};

export const ROTATE_CHANNEL_SECRET: AdminOperationDoc = {
  method: 'post',
  path: '/admin/v1/channels/{channelId}/rotate-secret',
  operationId: 'rotateChannelSecret',
  tag: 'Channels',
  summary: 'Rotate the signing secret of a webhook',
  description:
    'The answer has the new secret, which is not shown again. Until the overlap is over every request ' +
    'carries a signature of each, so that receivers can change over in their own time; then the old ' +
    'secret is erased. While one overlap lasts another rotation is refused, unless its `overlap_seconds` ' +
    'is 0: it ends both old secrets at once, as for one that has leaked.',
  bodyUse: 'optional',
  parameters: [CHANNEL_ID],
  body: {
    schema: ROTATE_SECRET_BODY_SCHEMA,
    examples: {
      day: { summary: 'With a day to change over', value: {} },
      atOnce: { summary: 'At once', value: { overlap_seconds: 0 } },
    },
  },
  success: {
    status: 200,
    schema: ref('ChannelWithSecret'),
    example: {
      ...CHANNEL_EXAMPLE,
      previous_secret_expires_at: '2026-11-22T10:00:00.000Z',
      updated_at: '2026-11-21T10:00:00.000Z',
      secret: SECRET_EXAMPLE,
    },
  },
  errors: ['channel_not_found', 'conflict'],
};

export const TEST_CHANNEL: AdminOperationDoc = {
  method: 'post',
  path: '/admin/v1/channels/{channelId}/test',
  operationId: 'testChannel',
  tag: 'Channels',
  summary: 'Send a test through a channel',
  description:
    'Sends a message by the way of every message, to this channel alone, also while it is disabled: so it ' +
    'can be tried before it is enabled. It is tried once, carries the header `postrider-test: true` ' +
    '(mail: `X-Postrider-Test: true`), is shown with `test: true`, and counts neither against the quota ' +
    'nor in the usage. The active template of the event key is used; without one, a webhook sends the ' +
    'default body and mail a fixed text. The answer does not wait for the delivery: read the deliveries ' +
    'of the message. At most 30 tests a minute for an environment.',
  bodyUse: 'optional',
  parameters: [CHANNEL_ID],
  body: {
    schema: TEST_BODY_SCHEMA,
    examples: {
      webhook: { summary: 'Whether the endpoint answers', value: {} },
      email: {
        summary: 'A mail with the template of an event',
        value: {
          event_key: 'order.shipped',
          recipient: { email: 'me@example.com', name: 'Me' },
          payload: { order_id: 'A-1042' },
        },
      },
    },
  },
  success: {
    status: 201,
    schema: ref('Accepted'),
    example: { ...ACCEPTED_EXAMPLE, delivery_runs: ACCEPTED_EXAMPLE.delivery_runs.slice(1) },
  },
  errors: ['channel_not_found', 'conflict', 'rate_limited'],
};
