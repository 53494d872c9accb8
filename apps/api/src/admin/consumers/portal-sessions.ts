import { issuePortalLink, MAX_PORTAL_SESSIONS, type PortalIssuer } from '@postrider/db';
import {
  CONSUMER_SCOPES,
  completeTheme,
  formatId,
  hashToken,
  invalid,
  parseId,
  portalLocaleOf,
  presentFields,
  refuse,
  reject,
  type Scope,
} from '@postrider/domain';
import { createSecret } from '../../console/cookie.ts';
import { EXAMPLE_IDS } from '../../openapi/examples.ts';
import { creates } from '../../openapi/operation.ts';
import * as json from '../../openapi/schema.ts';
import {
  lookIssues,
  PORTAL_LOCALE_SCHEMA,
  RETURN_URL_SCHEMA,
  THEME_SCHEMA,
} from '../environment-settings.ts';
import { ENVIRONMENT } from '../environments.ts';
import { type AdminRequest, adminOperation } from '../operation.ts';
import { consumerScopeIssues, requireRights } from '../operators/rights.ts';
import { CONSUMER_PATH } from './schema.ts';

const TTL_SECONDS = { minimum: 60, maximum: 86_400, default: 3_600 } as const;
/** The scopes of a session that asks for none, as far as its issuer has them. */
const DEFAULT_SCOPES = CONSUMER_SCOPES.filter((scope) => scope !== 'deliveries:cancel');

const PORTAL_SESSION_SCHEMA = json.closedObject([], {
  scopes: {
    type: 'array',
    minItems: 1,
    maxItems: CONSUMER_SCOPES.length,
    uniqueItems: true,
    items: { title: 'Consumer scope', type: 'string', enum: [...CONSUMER_SCOPES] },
    description:
      'What the session may do: at most what the caller may do. Default: everything except `deliveries:cancel`.',
  },
  ttl_seconds: {
    type: 'integer',
    ...TTL_SECONDS,
    description: 'Until the session ends, counted from now.',
  },
  theme: { ...THEME_SCHEMA, default: null },
  locale: { ...PORTAL_LOCALE_SCHEMA, default: null },
  return_url: RETURN_URL_SCHEMA,
});

type PortalSessionBody = json.BodyOf<typeof PORTAL_SESSION_SCHEMA>;

export const PORTAL_SESSION_SCHEMAS: json.Schemas = {
  PortalSession: json.record('A link to the portal of a consumer, which works once.', {
    id: json.id('tok', 'The token that the session will have. Revoking it ends the session.'),
    url: json.text(
      'The link. Give it only to the consumer, as a link or as the address of a frame. Without `PUBLIC_URL` it is a path.',
    ),
    link_expires_at: json.time('When the link expires: after five minutes.'),
    expires_at: json.time('When the session ends.'),
  }),
};

const scopesOf = ({ scopes }: PortalSessionBody, own: AdminRequest['scopes']): readonly Scope[] =>
  scopes ?? DEFAULT_SCOPES.filter((scope) => own.has(scope));

/** What ends a link and its session by its own end; nothing for the admin token without a session of the console. */
function issuerOf({ actor, callerId, sessionId }: AdminRequest): PortalIssuer {
  if (actor.kind === 'environment_token') return { tokenId: callerId, consoleSessionId: sessionId };
  const operatorTokenId = parseId('otk', actor.credentialId ?? '');
  if (operatorTokenId !== null) return { operatorTokenId };
  return {
    operatorId: actor.kind === 'operator' ? callerId : null,
    consoleSessionId: sessionId,
  };
}

export const createPortalSession = adminOperation({
  path: `${CONSUMER_PATH}/portal-sessions`,
  operationId: 'createPortalSession',
  forTokens: 'stores more',
  scope: 'portal-sessions:write',
  summary: 'Open the portal of a consumer',
  description:
    'Gives a link to the page in which the consumer manages its channels and sees its deliveries. It works once. ' +
    'The session ends at `expires_at`, or when the consumer, token, operator or console session behind it ends. At ' +
    `most ${MAX_PORTAL_SESSIONS} sessions of a consumer are open at once.`,
  body: {
    use: 'optional',
    schema: PORTAL_SESSION_SCHEMA,
    examples: {
      hour: { summary: 'For an hour', value: {} },
      reader: {
        summary: 'Read-only, in German',
        value: { scopes: ['channels:read', 'messages:read'], locale: 'de', theme: { accent: '#0a7f5a' } },
      },
    },
  },
  success: creates('PortalSession', {
    id: 'tok_01kb2t4v6xe0f9w7r5m3k1d8pc',
    url: `https://events.example.com/portal/?environment=${EXAMPLE_IDS.environment}#link=plk_wPq3…`,
    link_expires_at: '2026-11-21T10:05:00.000Z',
    expires_at: '2026-11-21T11:00:00.000Z',
  }),
  errors: ['conflict'],
  of: ENVIRONMENT,
  run: async (request, deps) => {
    const { body, found: environment } = request;
    const scopes = scopesOf(body, request.scopes);
    const issues = [...consumerScopeIssues(scopes), ...lookIssues(body, environment.portal)];
    if (issues.length > 0) reject(invalid(issues));
    requireRights(request, scopes);
    if (scopes.length === 0)
      reject(refuse('forbidden', { message: 'You have none of the scopes that a session can have.' }));
    const link = `plk_${createSecret()}`;
    const issued = await issuePortalLink(deps, {
      consumer: { environmentId: environment.id, id: request.ids.consumer },
      hash: hashToken(link),
      scopes,
      theme: body.theme ? completeTheme(body.theme) : null,
      locale: body.locale ? portalLocaleOf(body.locale) : null,
      returnUrl: body.return_url ?? null,
      issuer: issuerOf(request),
      seconds: body.ttl_seconds ?? TTL_SECONDS.default,
    });
    return {
      id: formatId('tok', issued.id),
      url: `${deps.publicUrl ?? ''}/portal/?environment=${formatId('env', environment.id)}#link=${link}`,
      ...presentFields(issued, ['linkExpiresAt', 'expiresAt']),
    };
  },
});
