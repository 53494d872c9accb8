import { createErasure, listErasures, readErasure } from '@postrider/db';
import { type Detail, ERASURE_FIELDS, invalid, presentErasure, reject } from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { EVENT_BODY_SCHEMA, RECIPIENT_SCHEMA } from '../events/schema.ts';
import { creates } from '../openapi/operation.ts';
import * as json from '../openapi/schema.ts';
import { ENVIRONMENT } from './environments.ts';
import { SUPPORT_TAG } from './messages.ts';
import type { AdminResource } from './operation.ts';
import { standardOperationsOf } from './standard-operations.ts';

const MAX_RECIPIENT_ID = 1_000;

/** Body of POST /admin/v1/environments/{environmentId}/erasures. */
const ERASURE_BODY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  description: 'One of `email`, `recipient_id` and `consumer`.',
  properties: {
    email: { ...RECIPIENT_SCHEMA.properties.email, description: 'The recipient’s address, ignoring case.' },
    recipient_id: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_RECIPIENT_ID,
      description: 'The `id` of the recipient in the events; a number as JSON writes it.',
    },
    consumer: {
      ...EVENT_BODY_SCHEMA.properties.consumer,
      description: 'The consumer whose messages are erased; it may be deleted already.',
    },
  },
} as const satisfies SchemaObject;

const NOT_ONE: Detail = {
  path: '/email',
  code: 'required',
  message: 'is required if there is neither recipient_id nor consumer, and only one of the three is allowed',
};

const ERASURE_SCHEMAS: json.Schemas = {
  Erasure: json.record('The erasure of one recipient’s data.', ERASURE_FIELDS),
  ErasureList: json.pageOf('Erasure', 'A page of erasures, newest first.'),
};

const PENDING_EXAMPLE = {
  recipient_sha256: 'd2b3a5c0f3d84a4e8f6a1c7be0953f2f4b9b8f1f0a6d5f3e2c1b0a9988776655',
  created_at: '2026-11-21T11:00:00.000Z',
};

const COMPLETED_EXAMPLE = {
  ...PENDING_EXAMPLE,
  status: 'completed',
  messages_erased: 37,
  runs_cancelled: 1,
  started_at: '2026-11-21T11:00:00.410Z',
  completed_at: '2026-11-21T11:00:25.530Z',
};

const STANDARD = standardOperationsOf({
  name: 'Erasure',
  all: '/admin/v1/environments/{environmentId}/erasures',
  one: '/admin/v1/erasures/{erasureId}',
  scopes: ['erasures:read', 'erasures:write'],
  parent: ENVIRONMENT,
  present: presentErasure,
  example: COMPLETED_EXAMPLE,
});

export const ERASURES: AdminResource = {
  tag: SUPPORT_TAG,
  schemas: ERASURE_SCHEMAS,
  operations: [
    STANDARD.create({
      summary: 'Erase a recipient’s data',
      description:
        'Erases, in the background, the recipient and payload of the messages that exist now with this address ' +
        '(ignoring case), recipient id or consumer, and the responses of mail servers and endpoints. Waiting runs ' +
        'are ended first, with an attempt `scheduled_cancelled`: a `scheduled` one becomes `cancelled`, a due one ' +
        '`failed`. Open attempts may finish. Messages, runs, attempts and usage stay. The messages cannot be ' +
        'replayed. The addresses of the messages are also erased from the suppression list and the filters of bulk ' +
        'replays. The audit log contains only a hash of the address or id.',
      body: {
        schema: ERASURE_BODY_SCHEMA,
        examples: {
          recipient: { summary: 'By address', value: { email: 'ada@example.com' } },
          id: { summary: 'By the id of the recipient', value: { recipient_id: 'user-1815' } },
          consumer: { summary: 'All messages of a consumer', value: { consumer: 'org_42' } },
        },
      },
      of: ENVIRONMENT,
      success: creates('Erasure', PENDING_EXAMPLE),
      run: async (request, deps) => {
        const { body, found: environment } = request;
        if (Object.keys(body).length !== 1) reject(invalid([NOT_ONE]));
        const input = {
          environmentId: environment.id,
          recipientEmail: body.email,
          recipientId: body.recipient_id,
          consumerId: body.consumer,
        };
        return presentErasure(await createErasure(deps, input));
      },
    }),
    STANDARD.list({ description: 'The erasures of an environment, newest first.', read: listErasures }),
    STANDARD.get({
      description: 'The erasure and its progress.',
      of: { name: 'erasureId', read: readErasure },
    }),
  ],
};
