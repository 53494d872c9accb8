import { ERASURE_BODY_SCHEMA } from '../../admin/erasures/schema.ts';
import { EXAMPLE_IDS } from '../examples.ts';
import type { AdminOperationDoc, Parameter } from '../operation-doc.ts';
import { ENVIRONMENT_ID, PAGING } from '../parameters.ts';
import { ref } from '../schema-object.ts';
import { id } from '../schemas/common.ts';

const PENDING_EXAMPLE = {
  id: 'era_01kb2w3c5nfxq8s0v7z4m2t6yb',
  environment_id: EXAMPLE_IDS.environment,
  status: 'pending',
  recipient_sha256: 'd2b3a5c0f3d84a4e8f6a1c7be0953f2f4b9b8f1f0a6d5f3e2c1b0a9988776655',
  messages_erased: 0,
  runs_cancelled: 0,
  created_at: '2026-11-21T11:00:00.000Z',
  started_at: null,
  completed_at: null,
};

const COMPLETED_EXAMPLE = {
  ...PENDING_EXAMPLE,
  status: 'completed',
  messages_erased: 37,
  runs_cancelled: 1,
  started_at: '2026-11-21T11:00:00.410Z',
  completed_at: '2026-11-21T11:00:25.530Z',
};

const ERASURE_ID: Parameter = {
  name: 'erasureId',
  in: 'path',
  required: true,
  description: 'The `id` of an erasure.',
  schema: id('era', 'An erasure.'),
  example: PENDING_EXAMPLE.id,
};

export const CREATE_ERASURE: AdminOperationDoc = {
  method: 'post',
  path: '/admin/v1/environments/{environmentId}/erasures',
  operationId: 'createErasure',
  tag: 'Operations',
  summary: 'Erase a recipient’s data',
  description:
    'Erases recipient and payload of the messages that are there now and have this address, and what mail ' +
    'servers and endpoints said of them, in the background. Runs that wait are ended first, with an attempt ' +
    '`scheduled_cancelled`: a `scheduled` one is `cancelled`, one that was due is `failed`. An attempt that ' +
    'is open is waited for. Messages, runs and attempts stay, and so does what was used. The messages can ' +
    'not be replayed. The audit log names the address by a hash alone.',
  bodyUse: 'required',
  parameters: [ENVIRONMENT_ID],
  body: {
    schema: ERASURE_BODY_SCHEMA,
    examples: { recipient: { summary: 'One recipient', value: { email: 'ada@example.com' } } },
  },
  success: { status: 201, schema: ref('Erasure'), example: PENDING_EXAMPLE },
  errors: ['environment_not_found'],
};

export const LIST_ERASURES: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/environments/{environmentId}/erasures',
  operationId: 'listErasures',
  tag: 'Operations',
  summary: 'List erasures',
  description: 'The erasures of an environment, newest first.',
  bodyUse: 'ignored',
  parameters: [ENVIRONMENT_ID, ...PAGING],
  success: {
    status: 200,
    schema: ref('ErasureList'),
    example: { data: [COMPLETED_EXAMPLE], has_more: false, next_cursor: null },
  },
  errors: ['environment_not_found', 'validation_failed'],
};

export const GET_ERASURE: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/erasures/{erasureId}',
  operationId: 'getErasure',
  tag: 'Operations',
  summary: 'Read an erasure',
  description: 'The erasure and how far it has come.',
  bodyUse: 'ignored',
  parameters: [ERASURE_ID],
  success: { status: 200, schema: ref('Erasure'), example: COMPLETED_EXAMPLE },
  errors: ['erasure_not_found'],
};
