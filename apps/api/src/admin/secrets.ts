import { readSecretKeys, reencryptSecrets, type SecretKey } from '@postrider/db';
import { formatId, type JsonObject } from '@postrider/domain';
import { MEMORY } from '../http/memory.ts';
import { returns } from '../openapi/operation.ts';
import * as json from '../openapi/schema.ts';
import { type AdminResource, adminOperation } from './operation.ts';

const SECRETS_PATH = '/admin/v1/secrets';

/** Bounds the time of one request to a second or two. */
const MAX_LIMIT = 5_000;

/** Body of POST /admin/v1/secrets/reencrypt, which may be left out. */
const REENCRYPT_BODY_SCHEMA = json.closedObject([], {
  limit: json.wholeNumber(
    1,
    MAX_LIMIT,
    1_000,
    'The most channels to handle in this request; repeat it while `has_more` is true.',
  ),
});

const KEYS = json.list(
  json.ref('SecretKey'),
  'Those of `ENCRYPTION_KEYS` in their order, then the missing ones.',
);

/** Secrets at rest: docs/configuration.md, "Secrets". */
const SECRET_SCHEMAS: json.Schemas = {
  SecretKey: json.record('A key under which webhook secrets and SMTP passwords are encrypted.', {
    key_id: json.text('Its id in `ENCRYPTION_KEYS`.'),
    status: json.oneOf(
      ['current', 'older', 'missing'],
      '`current` encrypts; `older` only decrypts; `missing` is not in `ENCRYPTION_KEYS`, so its ' +
        'secrets cannot be decrypted.',
    ),
    secrets: json.count(
      'Stored secrets that are encrypted with it. An older key without any can be removed.',
    ),
    channels: json.list(
      json.id('chn', 'A channel.'),
      'The first 100 channels that cannot deliver until the key is restored or they get a new secret: ' +
        'it is missing, or `ENCRYPTION_KEYS` has another key with its id.',
    ),
  }),
  SecretKeys: json.record('The keys of all stored secrets.', { keys: KEYS }),
  ReencryptedSecrets: json.record(
    'The result of a re-encryption, and the keys of all stored secrets after it.',
    {
      reencrypted: json.count('Secrets that this request re-encrypted with the current key.'),
      has_more: json.flag(
        'Whether it stopped at `limit`: then repeat the request. Secrets that cannot be decrypted do not ' +
          'count.',
      ),
      keys: KEYS,
    },
  ),
};

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

/** Counts the stored secrets under each key, and lists channels whose secrets cannot be decrypted. */
const get = adminOperation({
  path: SECRETS_PATH,
  operationId: 'getSecrets',
  scope: 'installation:admin',
  memory: MEMORY.rows,
  summary: 'Read which keys are in use',
  description:
    'The number of stored secrets under each encryption key: whether an older key can be ' +
    'removed, and which channels cannot deliver because their secrets cannot be decrypted. It shows ' +
    'no secret.',
  success: returns('SecretKeys', { keys: keysWith(37, 5) }),
  run: async (_request, { db, secretBox }) => ({
    keys: presentSecretKeys(await readSecretKeys(db, secretBox)),
  }),
});

const DEFAULT_LIMIT = REENCRYPT_BODY_SCHEMA.properties.limit.default;

/** Re-encrypts secrets with the current key, so that an older key can be removed. */
const reencrypt = adminOperation({
  path: `${SECRETS_PATH}/reencrypt`,
  operationId: 'reencryptSecrets',
  scope: 'installation:admin',
  summary: 'Re-encrypt secrets with the current key',
  description:
    'Re-encrypts secrets that use older keys. Call it after adding a key at the front of ' +
    '`ENCRYPTION_KEYS` and restarting every process. It can be interrupted and repeated at any ' +
    'time, and does not disturb deliveries.',
  body: {
    use: 'optional',
    schema: REENCRYPT_BODY_SCHEMA,
    examples: { default: { summary: 'Up to 1,000 channels', value: {} } },
  },
  success: returns('ReencryptedSecrets', { reencrypted: 5, has_more: false, keys: keysWith(42, 0) }),
  run: async ({ body: { limit = DEFAULT_LIMIT } }, deps) => {
    const { reencrypted, hasMore } = await reencryptSecrets(deps, { limit });
    const keys = presentSecretKeys(await readSecretKeys(deps.db, deps.secretBox));
    return { reencrypted, has_more: hasMore, keys };
  },
});

export const SECRETS: AdminResource = {
  tag: { name: 'Secrets', description: 'Management: the keys that stored secrets are encrypted with.' },
  schemas: SECRET_SCHEMAS,
  operations: [get, reencrypt],
};
