import { REENCRYPT_BODY_SCHEMA } from '../../admin/secrets/schema.ts';
import type { AdminOperationDoc } from '../operation-doc.ts';
import { ref } from '../schema-object.ts';

const keysWith = (current: number, older: number) => [
  { key_id: '2026-11', status: 'current', secrets: current, channels: [] },
  { key_id: '2025-11', status: 'older', secrets: older, channels: [] },
];

export const GET_SECRETS: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/secrets',
  operationId: 'getSecrets',
  tag: 'Secrets',
  summary: 'Read which keys are in use',
  description:
    'How many stored secrets there are under each encryption key: whether an older one can be dropped, and ' +
    'which channels cannot deliver because theirs is missing. It shows no secret.',
  bodyUse: 'ignored',
  parameters: [],
  success: { status: 200, schema: ref('SecretKeys'), example: { keys: keysWith(37, 5) } },
  errors: [],
};

export const REENCRYPT_SECRETS: AdminOperationDoc = {
  method: 'post',
  path: '/admin/v1/secrets/reencrypt',
  operationId: 'reencryptSecrets',
  tag: 'Secrets',
  summary: 'Bring secrets under the current key',
  description:
    'After a key was put in front of `ENCRYPTION_KEYS`, and every process started with it: seals the ' +
    'secrets under older keys anew. It can be interrupted and asked again at any time. What is delivered ' +
    'meanwhile is not disturbed.',
  bodyUse: 'optional',
  parameters: [],
  body: {
    schema: REENCRYPT_BODY_SCHEMA,
    examples: { default: { summary: 'Up to 1,000 channels', value: {} } },
  },
  success: {
    status: 200,
    schema: ref('ReencryptedSecrets'),
    example: { reencrypted: 5, has_more: false, keys: keysWith(42, 0) },
  },
  errors: [],
};
