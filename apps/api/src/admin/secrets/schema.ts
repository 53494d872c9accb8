import type { SchemaObject } from 'ajv';
import { count, id, list, oneOf, record, ref, type Schema, text } from '../../openapi/schema.ts';

export interface ReencryptBody {
  readonly limit?: number;
}

/** Bounds the time of one request to a second or two. */
const MAX_LIMIT = 5_000;

/** Body of POST /admin/v1/secrets/reencrypt, which may be left out. */
export const REENCRYPT_BODY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_LIMIT,
      default: 1_000,
      description: 'Channels after which this request ends; ask again while `has_more` is true.',
    },
  },
} as const satisfies SchemaObject;

const KEYS = list(ref('SecretKey'), 'Those of `ENCRYPTION_KEYS` in their order, then the missing ones.');

/** Secrets at rest: docs/specification.md, "Secrets" and "Configuration". */
export const SECRET_SCHEMAS: Readonly<Record<string, Schema>> = {
  SecretKey: record('A key under which webhook secrets and SMTP passwords are encrypted.', {
    key_id: text('Its id in `ENCRYPTION_KEYS`.'),
    status: oneOf(
      ['current', 'older', 'missing'],
      '`current` encrypts; `older` decrypts still; `missing` is not in `ENCRYPTION_KEYS`: what it has ' +
        'encrypted cannot be opened.',
    ),
    secrets: count('Stored secrets that are encrypted with it. An older key without any can be dropped.'),
    channels: list(
      id('chn', 'A channel.'),
      'Of a missing key, the first 100 channels that cannot deliver until it is back or they get a new ' +
        'secret.',
    ),
  }),
  SecretKeys: record('The keys of all stored secrets.', { keys: KEYS }),
  ReencryptedSecrets: record('What a re-encryption did, and the keys of all stored secrets after it.', {
    reencrypted: count('Secrets that this request has brought under the current key.'),
    has_more: {
      type: 'boolean',
      description: 'Whether `limit` ended it: ask again. Secrets that cannot be opened do not count.',
    },
    keys: KEYS,
  }),
};
