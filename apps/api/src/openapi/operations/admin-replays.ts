import { REPLAYS_BODY_SCHEMA } from '../../admin/replays/schema.ts';
import { EXAMPLE_IDS } from '../examples.ts';
import type { AdminOperationDoc, Parameter } from '../operation-doc.ts';
import { ENVIRONMENT_ID, PAGING } from '../parameters.ts';
import { ref } from '../schema-object.ts';
import { id } from '../schemas/common.ts';

const FILTER = {
  run_status: 'failed',
  error_code: 'webhook_timeout',
  created_after: '2026-11-21T06:00:00.000Z',
};

const BATCH_EXAMPLE = {
  id: 'rpb_01kb2w3c5nfxq8s0v7z4m2t6ya',
  environment_id: EXAMPLE_IDS.environment,
  status: 'pending',
  reason: null,
  filter: { ...FILTER, created_before: '2026-11-21T11:00:00.000Z' },
  channels: [EXAMPLE_IDS.webhookChannel],
  messages_per_second: 20,
  matched: 1_312,
  matched_is_lower_bound: false,
  replayed: 0,
  skipped: {
    no_matching_channel: 0,
    template_not_found: 0,
    recipient_email_missing: 0,
    test_message: 0,
    message_erased: 0,
  },
  position: null,
  failures: 0,
  last_error_code: null,
  retry_at: null,
  created_at: '2026-11-21T11:00:00.000Z',
  started_at: null,
  completed_at: null,
};

const RUNNING_EXAMPLE = {
  ...BATCH_EXAMPLE,
  status: 'running',
  replayed: 240,
  skipped: { ...BATCH_EXAMPLE.skipped, no_matching_channel: 2 },
  position: EXAMPLE_IDS.message,
  started_at: '2026-11-21T11:00:00.210Z',
};

const REPLAY_ID: Parameter = {
  name: 'replayId',
  in: 'path',
  required: true,
  description: 'The `id` of a bulk replay.',
  schema: id('rpb', 'A bulk replay.'),
  example: BATCH_EXAMPLE.id,
};

export const CREATE_REPLAY_BATCH: AdminOperationDoc = {
  method: 'post',
  path: '/admin/v1/environments/{environmentId}/replays',
  operationId: 'createReplayBatch',
  tag: 'Operations',
  summary: 'Replay the messages that match',
  description:
    'Makes new delivery runs for the messages that are there now and match, newest first, in the ' +
    'background and at a pace. By the rules of replaying one: channels and templates as they are then, 1 ' +
    'of the quota for each; what cannot be replayed is counted by reason. Where the filter asks something ' +
    'of runs, only the channels of the runs that fulfil it are delivered to. An environment has one bulk ' +
    'replay at a time. With `dry_run` it counts what matches, 200.',
  bodyUse: 'required',
  parameters: [ENVIRONMENT_ID],
  body: {
    schema: REPLAYS_BODY_SCHEMA,
    examples: {
      count: { summary: 'Count what would be replayed', value: { filter: FILTER, dry_run: true } },
      failed: {
        summary: 'What timed out, to one channel',
        value: { filter: FILTER, channels: [EXAMPLE_IDS.webhookChannel], messages_per_second: 20 },
      },
    },
  },
  success: { status: 201, schema: ref('ReplayBatch'), example: BATCH_EXAMPLE },
  alternative: {
    status: 200,
    schema: ref('ReplayPreview'),
    example: { dry_run: true, filter: BATCH_EXAMPLE.filter, matched: 1_312, matched_is_lower_bound: false },
  },
  errors: ['environment_not_found', 'conflict'],
};

export const LIST_REPLAY_BATCHES: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/environments/{environmentId}/replays',
  operationId: 'listReplayBatches',
  tag: 'Operations',
  summary: 'List bulk replays',
  description: 'The bulk replays of an environment, newest first.',
  bodyUse: 'ignored',
  parameters: [ENVIRONMENT_ID, ...PAGING],
  success: {
    status: 200,
    schema: ref('ReplayBatchList'),
    example: { data: [RUNNING_EXAMPLE], has_more: false, next_cursor: null },
  },
  errors: ['environment_not_found', 'validation_failed'],
};

export const GET_REPLAY_BATCH: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/replays/{replayId}',
  operationId: 'getReplayBatch',
  tag: 'Operations',
  summary: 'Read a bulk replay',
  description: 'The bulk replay and how far it has come.',
  bodyUse: 'ignored',
  parameters: [REPLAY_ID],
  success: { status: 200, schema: ref('ReplayBatch'), example: RUNNING_EXAMPLE },
  errors: ['replay_batch_not_found'],
};

export const CANCEL_REPLAY_BATCH: AdminOperationDoc = {
  method: 'post',
  path: '/admin/v1/replays/{replayId}/cancel',
  operationId: 'cancelReplayBatch',
  tag: 'Operations',
  summary: 'Cancel a bulk replay',
  description:
    'Waits for the few messages that are being replayed at the moment; no other follows. The runs that ' +
    'were made go on. To cancel one that is cancelled changes nothing.',
  bodyUse: 'ignored',
  parameters: [REPLAY_ID],
  success: {
    status: 200,
    schema: ref('ReplayBatch'),
    example: { ...RUNNING_EXAMPLE, status: 'cancelled', completed_at: '2026-11-21T11:00:12.480Z' },
  },
  errors: ['replay_batch_not_found', 'conflict'],
};
