import { ERASURE_STATUSES } from '@postrider/db';
import type { SchemaObject } from 'ajv';
import { RECIPIENT_SCHEMA } from '../../events/schema.ts';
import {
  count,
  id,
  oneOf,
  optionalTime,
  pageOf,
  record,
  type Schema,
  text,
  time,
} from '../../openapi/schema.ts';

export interface ErasureBody {
  readonly email: string;
}

/** Body of POST /admin/v1/environments/{environmentId}/erasures. */
export const ERASURE_BODY_SCHEMA = {
  type: 'object',
  required: ['email'],
  additionalProperties: false,
  properties: {
    email: {
      ...RECIPIENT_SCHEMA.properties.email,
      description: 'The recipient’s address; the case of its domain does not matter, that of the rest does.',
    },
  },
} as const satisfies SchemaObject;

/** Erasure of one recipient's data. */
export const ERASURE_SCHEMAS: Readonly<Record<string, Schema>> = {
  Erasure: record('The erasure of one recipient’s data.', {
    id: id('era', 'The erasure.'),
    environment_id: id('env', 'The environment of the messages.'),
    status: oneOf(
      ERASURE_STATUSES,
      '`pending`: not begun. `running`: goes on by itself. `completed`: nothing is left, and the service ' +
        'has forgotten the address.',
    ),
    recipient_sha256: text(
      'SHA-256, in hexadecimal, of the environment’s id, a colon and the address: who knows the address can ' +
        'find its erasure.',
    ),
    messages_erased: count('Messages that have lost recipient and payload.'),
    runs_cancelled: count('Delivery runs that waited and were ended for it.'),
    created_at: time('When it was asked for; later messages are not part of it.'),
    started_at: optionalTime('When its first messages were erased.'),
    completed_at: optionalTime('When nothing was left.'),
  }),
  ErasureList: pageOf('Erasure', 'A page of erasures, newest first.'),
};
