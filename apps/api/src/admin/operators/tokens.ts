import {
  issueOperatorToken,
  listOperatorTokens,
  lockOperatorToken,
  type Queryable,
  readOperator,
  requireKnown,
  revokeOperatorToken,
} from '@postrider/db';
import {
  ACTOR_NAME_PATTERN,
  ALL_SCOPES,
  type Detail,
  invalid,
  invalidValue,
  OPERATOR_TOKEN_FIELDS,
  type OperatorTokenRecord,
  parseId,
  parseTimestamp,
  presentOperatorToken,
  refuse,
  reject,
} from '@postrider/domain';
import { creates } from '../../openapi/operation.ts';
import * as json from '../../openapi/schema.ts';
import { compileBody, withRules } from '../../validation/body.ts';
import { isServiceActor } from '../authenticate.ts';
import type { AdminResource } from '../operation.ts';
import { standardOperationsOf } from '../standard-operations.ts';
import { SECRET } from '../tokens.ts';
import {
  BOUNDS_SCHEMAS,
  changeRights,
  lackedScopes,
  ROLE_SCHEMA,
  requireRights,
  SCOPES_SCHEMA,
  scopesOf,
  toBounds,
} from './rights.ts';

const TOKEN_BODY_SCHEMA = json.closedObject(['name'], {
  name: {
    type: 'string',
    pattern: ACTOR_NAME_PATTERN,
    description: 'Its name in the audit log: 1 to 128 visible ASCII characters.',
  },
  operator_id: {
    type: ['string', 'null'],
    maxLength: 64,
    default: null,
    description:
      'The operator whose current rights the token has, as far as its own role, scopes and bounds allow. Only a ' +
      'caller with every scope can issue one. Null for a machine.',
  },
  role: { ...ROLE_SCHEMA, type: ['string', 'null'], default: null },
  scopes: { ...SCOPES_SCHEMA, type: ['array', 'null'], default: null },
  ...BOUNDS_SCHEMAS,
  expires_at: json.timeOrNull(
    'The token is refused from this time on; an RFC 3339 time in the future. Null means never.',
  ),
});

type TokenBody = json.BodyOf<typeof TOKEN_BODY_SCHEMA>;

/** A machine's token has a role or scopes; an operator's may have neither. */
function rightsIssues({ role = null, scopes = null, operator_id: operator = null }: TokenBody): Detail[] {
  if (role !== null && scopes !== null)
    return [invalidValue('/scopes', 'must be left out if there is a role')];
  if (role === null && scopes === null && operator === null)
    return [{ path: '/role', code: 'required', message: 'is required unless there are scopes' }];
  return [];
}

function nameIssues({ name }: TokenBody): Detail[] {
  if (!isServiceActor(name)) return [];
  return [invalidValue('/name', 'is a name that the service uses itself')];
}

const validateToken = withRules(compileBody<TokenBody>(TOKEN_BODY_SCHEMA), [
  { reads: ['/role', '/scopes', '/operator_id'], issuesOf: rightsIssues },
  { reads: ['/name'], issuesOf: nameIssues },
]);

const TOKEN_SCHEMAS: json.Schemas = {
  OperatorToken: json.record('A token for the management API, without its secret.', OPERATOR_TOKEN_FIELDS),
  OperatorTokenList: json.pageOf('OperatorToken', 'A page of tokens, newest first.'),
  IssuedOperatorToken: json.record('A new token, with its secret.', {
    ...OPERATOR_TOKEN_FIELDS,
    token: SECRET,
  }),
};

const TOKEN_EXAMPLE = {
  name: 'deploy-pipeline',
  prefix: 'po_',
  last_four: 'k2Vd',
  scopes: ['channels:write', 'templates:write'],
  created_at: '2026-11-21T09:30:00.000Z',
};

const STANDARD = standardOperationsOf({
  name: 'OperatorToken',
  label: 'token for the management API',
  all: '/admin/v1/operator-tokens',
  one: '/admin/v1/operator-tokens/{operatorTokenId}',
  scopes: ['operators:admin', 'operators:admin'],
  present: presentOperatorToken,
  example: TOKEN_EXAMPLE,
});

const NEEDS_EVERY_SCOPE = refuse('forbidden', {
  message:
    'Only a caller with every scope can issue the token of an operator: it has whatever rights the operator will have.',
});

/** What a token may do; of an operator's token all that the operator may do. */
async function scopesOfToken(
  tx: Queryable,
  { role, scopes, operatorId }: OperatorTokenRecord,
): Promise<readonly string[]> {
  const operator = operatorId === null ? null : await readOperator(tx, operatorId);
  return operator ? scopesOf(tx, operator) : scopesOf(tx, { role, scopes });
}

export const OPERATOR_TOKENS: AdminResource = {
  tag: {
    name: 'Operator tokens',
    description: 'Management: tokens of machines and people for the management API.',
  },
  schemas: TOKEN_SCHEMAS,
  operations: [
    STANDARD.create({
      operationId: 'issueOperatorToken',
      summary: 'Issue a token for the management API',
      description:
        'A token with a role or with scopes, for a machine, or for an operator. Only this response contains the token itself, ' +
        'which is stored as a digest. Nobody can give rights that they do not have themselves.',
      body: {
        schema: TOKEN_BODY_SCHEMA,
        validate: validateToken,
        examples: {
          scopes: {
            summary: 'For a pipeline',
            value: { name: 'deploy-pipeline', scopes: ['channels:write', 'templates:write'] },
          },
          role: {
            summary: 'With a role, for a time',
            value: { name: 'audit-export', role: 'admin', expires_at: '2099-01-01T00:00:00Z' },
          },
        },
      },
      success: creates('IssuedOperatorToken', {
        ...TOKEN_EXAMPLE,
        token: 'po_4fT9sQ2mZx8LcV1nBw6RyK3hJ7pD0gk2Vd00',
      }),
      run: (request, deps) =>
        changeRights(request, deps, async (tx, caller) => {
          const { body } = request;
          const { name, role = null, operator_id: operator = null } = body;
          const scopes = body.scopes ?? [];
          const operatorId = operator ? parseId('opr', operator) : null;
          const expiresAt = body.expires_at ? parseTimestamp(body.expires_at) : null;
          const rights = { role, ...toBounds(body) };
          if (operator && !(operatorId && (await readOperator(tx, operatorId))))
            reject(invalid([invalidValue('/operator_id', 'there is no such operator')]));
          await requireKnown(tx, rights);
          if (operatorId && lackedScopes(caller, ALL_SCOPES).length > 0) reject(NEEDS_EVERY_SCOPE);
          requireRights(caller, await scopesOf(tx, { role, scopes }));
          const given = { name, operatorId, scopes, expiresAt, ...rights };
          const issued = await issueOperatorToken(tx, deps, given);
          return issued
            ? { ...presentOperatorToken(issued.token), token: issued.secret }
            : reject(invalid([invalidValue('/expires_at', 'must be in the future')]));
        }),
    }),
    STANDARD.list({
      summary: 'List tokens for the management API',
      description: 'All tokens, newest first, including revoked and expired ones.',
      read: listOperatorTokens,
    }),
    STANDARD.remove({
      operationId: 'revokeOperatorToken',
      summary: 'Revoke a token for the management API',
      description:
        'The token is refused everywhere within a second, its streams end, and it stays in the list. Revoking it again changes ' +
        'nothing. Nobody can revoke a token that has rights that they do not have themselves.',
      errors: ['conflict'],
      run: (request, deps) =>
        changeRights(request, deps, async (tx, caller) => {
          const token = await lockOperatorToken(tx, request.ids.operatorTokenId);
          if (!token) return false;
          requireRights(caller, await scopesOfToken(tx, token));
          await revokeOperatorToken(tx, deps, token);
          return true;
        }),
    }),
  ],
};
