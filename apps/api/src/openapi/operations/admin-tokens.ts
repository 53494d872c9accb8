import { ROTATE_TOKEN_BODY_SCHEMA, TOKEN_BODY_SCHEMA } from '../../admin/tokens/schema.ts';
import { EXAMPLE_IDS } from '../examples.ts';
import type { AdminOperationDoc, Parameter } from '../operation-doc.ts';
import { ENVIRONMENT_ID, PAGING } from '../parameters.ts';
import { ref } from '../schema-object.ts';
import { id } from '../schemas/common.ts';

const EXAMPLE_TOKEN = 'tok_01k9w2m1n3fjb8d6s4h2g0x7ta';
const EXAMPLE_SUCCESSOR = 'tok_01kb2t4v6xe0f9w7r5m3k1d8pc';

const TOKEN_ID: Parameter = {
  name: 'tokenId',
  in: 'path',
  required: true,
  description: 'The `id` of a token.',
  schema: id('tok', 'A token.'),
  example: EXAMPLE_TOKEN,
};

const TOKEN_EXAMPLE = {
  id: EXAMPLE_TOKEN,
  environment_id: EXAMPLE_IDS.environment,
  name: 'checkout service',
  prefix: 'pr_production_',
  last_four: 'x7Qa',
  created_at: '2026-09-01T09:00:00.000Z',
  expires_at: null,
  last_used_at: '2026-11-21T09:29:00.000Z',
  revoked_at: null,
  replaced_by: null,
};

const ISSUED_EXAMPLE = {
  ...TOKEN_EXAMPLE,
  id: EXAMPLE_SUCCESSOR,
  last_four: 'k2Vd',
  created_at: '2026-11-21T09:30:00.000Z',
  last_used_at: null,
  token: 'pr_production_4fT9sQ2mZx8LcV1nBw6RyK3hJ7pD0gk2Vd00',
};

export const ISSUE_TOKEN: AdminOperationDoc = {
  method: 'post',
  path: '/admin/v1/environments/{environmentId}/tokens',
  operationId: 'issueToken',
  tag: 'Tokens',
  summary: 'Issue a token',
  description:
    'A token that authenticates clients of this environment. The answer has the token itself, which is ' +
    'stored as a digest only and not shown again.',
  bodyUse: 'required',
  parameters: [ENVIRONMENT_ID],
  body: {
    schema: TOKEN_BODY_SCHEMA,
    examples: {
      lasting: { summary: 'Until it is revoked', value: { name: 'checkout service' } },
      expiring: { summary: 'For a time', value: { name: 'migration', expires_at: '2099-01-01T00:00:00Z' } },
    },
  },
  success: { status: 201, schema: ref('IssuedToken'), example: ISSUED_EXAMPLE },
  errors: ['environment_not_found'],
};

export const LIST_TOKENS: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/environments/{environmentId}/tokens',
  operationId: 'listTokens',
  tag: 'Tokens',
  summary: 'List tokens',
  description:
    'The tokens of an environment, newest first, those that are revoked or expired too. A token is ' +
    'recognised by its prefix and its last four characters.',
  bodyUse: 'ignored',
  parameters: [ENVIRONMENT_ID, ...PAGING],
  success: {
    status: 200,
    schema: ref('TokenList'),
    example: { data: [TOKEN_EXAMPLE], has_more: false, next_cursor: null },
  },
  errors: ['environment_not_found', 'validation_failed'],
};

export const ROTATE_TOKEN: AdminOperationDoc = {
  method: 'post',
  path: '/admin/v1/tokens/{tokenId}/rotate',
  operationId: 'rotateToken',
  tag: 'Tokens',
  summary: 'Rotate a token',
  description:
    'Issues a token in the place of this one, with its name and, counted from now, its length of life. The ' +
    'answer has the new token itself, which is not shown again. The old one works on for ' +
    '`overlap_seconds`, but no longer than it would have anyway. A token is rotated once: after that, and ' +
    'when it is revoked or expired, the answer is `conflict`. If an answer is lost, rotate the token that ' +
    'the list shows as `replaced_by`.',
  bodyUse: 'optional',
  parameters: [TOKEN_ID],
  body: {
    schema: ROTATE_TOKEN_BODY_SCHEMA,
    examples: {
      overlap: { summary: 'Both work for an hour', value: { overlap_seconds: 3_600 } },
      leaked: { summary: 'The old one ends at once', value: { overlap_seconds: 0 } },
    },
  },
  success: {
    status: 200,
    schema: ref('RotatedToken'),
    example: {
      ...ISSUED_EXAMPLE,
      previous: {
        ...TOKEN_EXAMPLE,
        expires_at: '2026-11-22T09:30:00.000Z',
        replaced_by: EXAMPLE_SUCCESSOR,
      },
    },
  },
  errors: ['token_not_found', 'conflict'],
};

export const REVOKE_TOKEN: AdminOperationDoc = {
  method: 'delete',
  path: '/admin/v1/tokens/{tokenId}',
  operationId: 'revokeToken',
  tag: 'Tokens',
  summary: 'Revoke a token',
  description:
    'The token is refused everywhere within 5 seconds and stays in the list. What was issued in its place ' +
    'by a rotation works on. Revoking it again changes nothing.',
  bodyUse: 'ignored',
  parameters: [TOKEN_ID],
  success: { status: 204 },
  errors: ['token_not_found'],
};
