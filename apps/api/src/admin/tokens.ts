import { issueToken, listTokens, revokeToken, rotateToken } from '@postrider/db';
import {
  CONSUMER_ID_PATTERN,
  CONSUMER_SCOPES,
  DEFAULT_TOKEN_SCOPES,
  invalid,
  parseTimestamp,
  presentToken,
  reject,
  TOKEN_FIELDS,
  TOKEN_SCOPES,
  tokenScopes,
} from '@postrider/domain';
import { creates, returns } from '../openapi/operation.ts';
import * as json from '../openapi/schema.ts';
import { ENVIRONMENT } from './environments.ts';
import { type AdminResource, adminOperation } from './operation.ts';
import { consumerScopeIssues, requireRights } from './operators/rights.ts';
import { NAME_SCHEMA } from './schemas.ts';
import { standardOperationsOf } from './standard-operations.ts';

const SCOPE_NAMES = Object.keys(TOKEN_SCOPES);
const SCOPE_TEXTS = Object.entries(TOKEN_SCOPES).map(([scope, text]) => `- \`${scope}\`: ${text}`);

/** Body of POST /admin/v1/environments/{environmentId}/tokens (docs/specification.md, "Tokens"). */
const TOKEN_BODY_SCHEMA = json.closedObject(['name'], {
  name: { ...NAME_SCHEMA, description: 'A display name; it need not be unique.' },
  expires_at: json.timeOrNull(
    'The token is refused from this time on, by the database’s clock; an RFC 3339 time in the ' +
      'future. Null means never.',
  ),
  consumer: {
    type: ['string', 'null'],
    pattern: CONSUMER_ID_PATTERN,
    default: null,
    description:
      'The consumer that the token is bound to: it sees and changes only its own channels and deliveries, with the ' +
      `scopes ${CONSUMER_SCOPES.map((scope) => `\`${scope}\``).join(', ')}, which it has by default. It ends with the consumer.`,
  },
  scopes: {
    type: 'array',
    maxItems: SCOPE_NAMES.length,
    uniqueItems: true,
    items: { title: 'Token scope', type: 'string', enum: SCOPE_NAMES },
    default: [...DEFAULT_TOKEN_SCOPES],
    description: `What the token may do. Without a scope of the form \`area:action\` it has the default ones. \
Every action of an area includes its \`read\`.\n\n${SCOPE_TEXTS.join('\n')}`,
  },
});

/** 30 days. For a longer overlap, issue a second token. */
const MAX_OVERLAP_SECONDS = 2_592_000;

/** Optional body of POST /admin/v1/tokens/{tokenId}/rotate. */
const ROTATE_TOKEN_BODY_SCHEMA = json.closedObject([], {
  overlap_seconds: json.wholeNumber(
    0,
    MAX_OVERLAP_SECONDS,
    86_400,
    'How long the old token stays valid, at most 30 days; 0 ends it immediately.',
  ),
});

export const SECRET = json.text(
  'The token itself, for the Authorization header. Only this response contains it.',
);

/** Response schemas (docs/specification.md, "Tokens"). */
const TOKEN_SCHEMAS: json.Schemas = {
  Token: json.record('A token of an environment’s clients, without its secret.', TOKEN_FIELDS),
  TokenList: json.pageOf('Token', 'A page of tokens, newest first.'),
  IssuedToken: json.record('A new token, with its secret.', { ...TOKEN_FIELDS, token: SECRET }),
  RotatedToken: json.record('A new token, with its secret, and the one that it replaces.', {
    ...TOKEN_FIELDS,
    token: SECRET,
    previous: json.ref('Token'),
  }),
};

const EXAMPLE_SUCCESSOR = 'tok_01kb2t4v6xe0f9w7r5m3k1d8pc';

const TOKEN_EXAMPLE = {
  name: 'checkout service',
  prefix: 'pr_production_',
  last_four: 'x7Qa',
  scopes: [...DEFAULT_TOKEN_SCOPES],
  created_at: '2026-09-01T09:00:00.000Z',
  last_used_at: '2026-11-21T09:29:00.000Z',
};

const ISSUED_EXAMPLE = {
  ...TOKEN_EXAMPLE,
  id: EXAMPLE_SUCCESSOR,
  last_four: 'k2Vd',
  created_at: '2026-11-21T09:30:00.000Z',
  last_used_at: null,
  token: 'pr_production_4fT9sQ2mZx8LcV1nBw6RyK3hJ7pD0gk2Vd00',
};

/** The scopes of a new token, as they are stored. */
const scopesOf = ({
  scopes = [],
  consumer = null,
}: json.BodyOf<typeof TOKEN_BODY_SCHEMA>): readonly string[] =>
  consumer !== null && scopes.length === 0 ? CONSUMER_SCOPES : scopes;

const DEFAULT_OVERLAP_SECONDS = ROTATE_TOKEN_BODY_SCHEMA.properties.overlap_seconds.default;

const STANDARD = standardOperationsOf({
  name: 'Token',
  all: '/admin/v1/environments/{environmentId}/tokens',
  one: '/admin/v1/tokens/{tokenId}',
  scopes: ['tokens:read', 'tokens:write'],
  parent: ENVIRONMENT,
  present: presentToken,
  example: TOKEN_EXAMPLE,
});

export const TOKENS: AdminResource = {
  tag: { name: 'Tokens', description: 'Management: tokens of an environment’s clients.' },
  schemas: TOKEN_SCHEMAS,
  operations: [
    STANDARD.create({
      operationId: 'issueToken',
      summary: 'Issue a token',
      description:
        'A token that authenticates clients of this environment. Only this response contains the ' +
        'token itself, which is stored as a digest. Nobody can give scopes that they do not have.',
      body: {
        schema: TOKEN_BODY_SCHEMA,
        examples: {
          lasting: { summary: 'Until it is revoked', value: { name: 'checkout service' } },
          scoped: {
            summary: 'For mail that must arrive',
            value: { name: 'account security', scopes: ['events:write', 'ignore_suppression'] },
          },
          consumer: { summary: 'Of one consumer', value: { name: 'api', consumer: 'org_42' } },
          selfService: {
            summary: 'To let a customer manage channels',
            value: { name: 'portal', scopes: ['channels:write', 'messages:read'] },
          },
          expiring: {
            summary: 'For a time',
            value: { name: 'migration', expires_at: '2099-01-01T00:00:00Z' },
          },
        },
      },
      success: creates('IssuedToken', ISSUED_EXAMPLE),
      errors: ['consumer_not_found'],
      run: async (request, deps) => {
        const { ids, body } = request;
        const { consumer: consumerId = null } = body;
        const scopes = scopesOf(body);
        const issues = consumerId === null ? [] : consumerScopeIssues(scopes);
        if (issues.length > 0) reject(invalid(issues));
        requireRights(request, tokenScopes(scopes));
        const expiresAt = body.expires_at ? parseTimestamp(body.expires_at) : null;
        const given = { ...ids, name: body.name, expiresAt, scopes, consumerId };
        const { token, secret } = await issueToken(deps, given);
        return { ...presentToken(token), token: secret };
      },
    }),
    STANDARD.list({
      description:
        'The tokens of an environment, newest first, including revoked and expired ones. A token is ' +
        'recognised by its prefix and its last four characters.',
      read: listTokens,
    }),
    adminOperation({
      path: '/admin/v1/tokens/{tokenId}/rotate',
      operationId: 'rotateToken',
      scope: 'tokens:write',
      summary: 'Rotate a token',
      description:
        'Issues a successor of this token with the same name, scopes and lifetime, counted from now. The ' +
        'response contains the new token, which is not shown again. The old one stays valid for ' +
        '`overlap_seconds`, but not beyond its own expiry. A token can be rotated once: after that, and ' +
        'if it is revoked or expired, the response is `conflict`. If a response is lost, rotate the token that ' +
        'the list shows as `replaced_by`.',
      body: {
        use: 'optional',
        schema: ROTATE_TOKEN_BODY_SCHEMA,
        examples: {
          overlap: { summary: 'Both work for an hour', value: { overlap_seconds: 3_600 } },
          leaked: { summary: 'The old one ends at once', value: { overlap_seconds: 0 } },
        },
      },
      success: returns('RotatedToken', {
        ...ISSUED_EXAMPLE,
        previous: {
          ...TOKEN_EXAMPLE,
          expires_at: '2026-11-22T09:30:00.000Z',
          replaced_by: EXAMPLE_SUCCESSOR,
        },
      }),
      errors: ['conflict'],
      run: async (request, deps) => {
        const { tokenId } = request.ids;
        // Its scopes never change, so they need no lock.
        const current = await deps.db.token.findUnique({ where: { id: tokenId }, select: { scopes: true } });
        if (current) requireRights(request, tokenScopes(current.scopes));
        const { overlap_seconds: overlapSeconds = DEFAULT_OVERLAP_SECONDS } = request.body;
        const { token, secret, previous } = await rotateToken(deps, { tokenId, overlapSeconds });
        return { ...presentToken(token), token: secret, previous: presentToken(previous) };
      },
    }),
    // Every process refuses the token within 5 s. Idempotent.
    STANDARD.remove({
      operationId: 'revokeToken',
      summary: 'Revoke a token',
      description:
        'The token is refused everywhere within 5 seconds and stays in the list. A successor issued ' +
        'by a rotation stays valid. Revoking it again changes nothing.',
      run: ({ ids }, deps) => revokeToken(deps, ids.tokenId),
    }),
  ],
};
