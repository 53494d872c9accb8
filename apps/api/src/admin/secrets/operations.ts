import { readSecretKeys, reencryptSecrets, type SecretKey } from '@postrider/db';
import { formatId, type JsonObject } from '@postrider/domain';
import { ok } from '../../http/reply.ts';
import { ref } from '../../openapi/schema.ts';
import { type AdminResource, withBody, withoutBody } from '../operation.ts';
import { REENCRYPT_BODY_SCHEMA, type ReencryptBody, SECRET_SCHEMAS } from './schema.ts';

/** The keys of stored secrets as the API presents them. */
function presentSecretKeys(keys: readonly SecretKey[]): JsonObject[] {
  return keys.map(({ keyId, status, secrets, channelIds }) => ({
    key_id: keyId,
    status,
    secrets,
    channels: channelIds.map((id) => formatId('chn', id)),
  }));
}

const keysWith = (current: number, older: number) => [
  { key_id: '2026-11', status: 'current', secrets: current, channels: [] },
  { key_id: '2025-11', status: 'older', secrets: older, channels: [] },
];

/** GET /admin/v1/secrets: how many stored secrets there are under each key, and whose key is missing. */
const get = withoutBody({
  method: 'get',
  path: '/admin/v1/secrets',
  operationId: 'getSecrets',
  summary: 'Read which keys are in use',
  description:
    'How many stored secrets there are under each encryption key: whether an older one can be dropped, and ' +
    'which channels cannot deliver because theirs is missing. It shows no secret.',
  parameters: [],
  success: { status: 200, schema: ref('SecretKeys'), example: { keys: keysWith(37, 5) } },
  errors: [],
  run:
    ({ db, secretBox }) =>
    async () =>
      ok({ keys: presentSecretKeys(await readSecretKeys(db, secretBox)) }),
});

const DEFAULT_LIMIT = REENCRYPT_BODY_SCHEMA.properties.limit.default;

/**
 * POST /admin/v1/secrets/reencrypt: brings secrets under the current key, so that an older one can be
 * dropped.
 */
const reencrypt = withBody<ReencryptBody>({
  method: 'post',
  path: '/admin/v1/secrets/reencrypt',
  operationId: 'reencryptSecrets',
  summary: 'Bring secrets under the current key',
  description:
    'After a key was put in front of `ENCRYPTION_KEYS`, and every process started with it: seals the ' +
    'secrets under older keys again. It can be interrupted and asked again at any time. What is delivered ' +
    'meanwhile is not disturbed.',
  parameters: [],
  body: {
    use: 'optional',
    schema: REENCRYPT_BODY_SCHEMA,
    examples: { default: { summary: 'Up to 1,000 channels', value: {} } },
  },
  success: {
    status: 200,
    schema: ref('ReencryptedSecrets'),
    example: { reencrypted: 5, has_more: false, keys: keysWith(42, 0) },
  },
  errors: [],
  run:
    ({ db, newId, secretBox }) =>
    async ({ actor, body: { limit = DEFAULT_LIMIT } }) => {
      const { reencrypted, hasMore } = await reencryptSecrets({ db, newId, secretBox, actor }, { limit });
      const keys = presentSecretKeys(await readSecretKeys(db, secretBox));
      return ok({ reencrypted, has_more: hasMore, keys });
    },
});

export const SECRETS: AdminResource = {
  tag: { name: 'Secrets', description: 'Management: the keys that stored secrets are encrypted with.' },
  schemas: SECRET_SCHEMAS,
  operations: [get, reencrypt],
};
