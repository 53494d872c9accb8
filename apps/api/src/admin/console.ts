import {
  endConsoleSession,
  issueConsoleLink,
  listConsoleLinks,
  listConsoleSessions,
  readOperator,
} from '@postrider/db';
import {
  ALL_SCOPES,
  CONSOLE_LINK_FIELDS,
  CONSOLE_SESSION_FIELDS,
  conflict,
  invalid,
  invalidValue,
  parseId,
  presentConsoleLink,
  presentListedSession,
  refuse,
  reject,
  sha256,
} from '@postrider/domain';
import { createSecret } from '../console/cookie.ts';
import { adminDigestOf } from '../console/sessions.ts';
import { UNAUTHORIZED } from '../http/reply.ts';
import { EXAMPLE_IDS } from '../openapi/examples.ts';
import { creates } from '../openapi/operation.ts';
import * as json from '../openapi/schema.ts';
import { described, idParameter } from '../paging/query.ts';
import {
  type AdminDeps,
  type AdminRequest,
  type AdminResource,
  adminOperation,
  type CallDeps,
  listPage,
} from './operation.ts';
import { lackedScopes } from './operators/rights.ts';

/** See docs/console.md, "Sessions". */
const CONSOLE_SCHEMAS: json.Schemas = {
  ConsoleSession: json.record('A session of the console.', CONSOLE_SESSION_FIELDS),
  ConsoleSessionList: json.pageOf('ConsoleSession', 'A page of sessions, newest first.'),
  IssuedConsoleLink: json.record('A link that was not used yet.', CONSOLE_LINK_FIELDS),
  ConsoleLinkList: json.pageOf('IssuedConsoleLink', 'A page of links, newest first.'),
  ConsoleLink: json.record('A new link that signs in once, with its secret.', {
    ...CONSOLE_LINK_FIELDS,
    url_fragment: json.text('The fragment to append to the console’s address, such as `#link=…`.'),
  }),
};

const SESSION_EXAMPLE = {
  role: 'integrator',
  environment_id: EXAMPLE_IDS.environment,
  actor: 'tok_01k9w2m1n3fjb8d6s4h2g0x7ta',
  address: '192.0.2.10',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0',
  last_used_at: '2026-11-21T09:41:00.000Z',
  expires_at: '2026-11-21T21:00:00.000Z',
};

const list = listPage({
  path: '/admin/v1/console-sessions',
  operationId: 'listConsoleSessions',
  scope: 'operators:admin',
  summary: 'List the sessions of the console',
  description: 'The sessions of the console that have not ended, newest first.',
  filters: {
    operator_id: described(
      'Only sessions of this operator.',
      idParameter('opr'),
      json.id('opr', 'An operator.'),
    ),
  },
  read: (db, { filter: { operatorId = null }, after, limit }) =>
    listConsoleSessions(db, { after, limit, operatorId }),
  present: presentListedSession,
  schema: json.ref('ConsoleSessionList'),
  example: SESSION_EXAMPLE,
});

const LINK_EXAMPLE = {
  id: 'ses_01kb2x8q1gfa0t3w5y7b9d2f4h',
  actor: 'ada',
  expires_at: '2026-11-21T09:10:00.000Z',
};

const listLinks = listPage({
  path: '/admin/v1/console-links',
  operationId: 'listConsoleLinks',
  scope: 'operators:admin',
  summary: 'List the sign-in links',
  description:
    'The links that can still be used, newest first. Once used, a link is in the list of sessions.',
  read: (db, { after, limit }) => listConsoleLinks(db, { after, limit }),
  present: presentConsoleLink,
  schema: json.ref('ConsoleLinkList'),
  example: LINK_EXAMPLE,
});

/** A link and the session that it opens have one id and one end. */
async function runEnd({ ids }: AdminRequest<'consoleSessionId'>, deps: CallDeps): Promise<undefined> {
  if (!(await endConsoleSession(deps, ids.consoleSessionId))) reject('console_session_not_found');
}

const end = adminOperation({
  method: 'delete',
  path: '/admin/v1/console-sessions/{consoleSessionId}',
  operationId: 'endConsoleSession',
  scope: 'operators:admin',
  summary: 'End a session of the console',
  description:
    'Ends the session, the links that it issued and their sessions: every process refuses them within a second.',
  success: { status: 204 },
  run: runEnd,
});

const revokeLink = adminOperation({
  method: 'delete',
  path: '/admin/v1/console-links/{consoleSessionId}',
  operationId: 'revokeConsoleLink',
  scope: 'operators:admin',
  summary: 'Revoke a sign-in link',
  description: 'Revokes the link. If it was used before that, its session ends within a second.',
  success: { status: 204 },
  run: runEnd,
});

const LINK_BODY_SCHEMA = json.closedObject([], {
  operator_id: {
    type: ['string', 'null'],
    maxLength: 64,
    default: null,
    description:
      'The operator whose session it opens; by default the caller’s own, or one of the admin token.',
  },
});

const rejectOperator = (message: string) => reject(invalid([invalidValue('/operator_id', message)]));
const CONSOLE_OFF = conflict('The console is off: start the service with CONSOLE=on.');
const NEEDS_EVERY_RIGHT = refuse('forbidden', {
  message: 'Only a caller with every scope and without bounds can open a session of another operator.',
});

/** Whose session a link opens, under which name, and the session that it ends with. */
type LinkOf = Omit<Parameters<typeof issueConsoleLink>[1], 'linkHash'>;

const NEEDS_WHOLE_TOKEN = refuse('forbidden', {
  message:
    'This token does not have all the rights of its operator, but the session of a link would: sign in yourself.',
});

/** Whether a token gives all rights of its operator. */
async function hasAllRights(db: AdminDeps['db'], tokenId: string): Promise<boolean> {
  const which = { id: tokenId, role: null, scopes: { isEmpty: true }, bounded: false };
  return (await db.operatorToken.count({ where: which })) > 0;
}

/**
 * The link that a caller may create.
 * @throws RefusedError
 */
async function linkOf(
  { db, adminToken }: AdminDeps,
  request: AdminRequest,
  operatorId: string | null,
): Promise<LinkOf> {
  const { actor, callerId, sessionId, bounds } = request;
  const isOwn = actor.kind === 'operator' && (operatorId === null || operatorId === callerId);
  if (isOwn) {
    const owner = { role: 'operator', operatorId: callerId } as const;
    const operatorTokenId = parseId('otk', actor.credentialId ?? '');
    if (operatorTokenId && !(await hasAllRights(db, operatorTokenId))) reject(NEEDS_WHOLE_TOKEN);
    return { owner, name: actor.name, issuerId: sessionId, operatorTokenId };
  }
  if (operatorId !== null) {
    if (bounds !== null || lackedScopes(request, ALL_SCOPES).length > 0) reject(NEEDS_EVERY_RIGHT);
    const operator = await readOperator(db, operatorId);
    if (!operator || operator.disabledAt) return rejectOperator('there is no such enabled operator');
    // It is for somebody else, so it does not end with the session that issued it.
    return {
      owner: { role: 'operator', operatorId },
      name: operator.email,
      issuerId: null,
      operatorTokenId: null,
    };
  }
  if (adminToken === null || actor.kind !== 'admin_token')
    return rejectOperator("is required: a machine's token has no session of its own");
  const owner = { role: 'operator', adminDigest: adminDigestOf(adminToken) } as const;
  return { owner, name: actor.name, issuerId: sessionId, operatorTokenId: null };
}

const createLink = adminOperation({
  path: '/admin/v1/console-links',
  operationId: 'createConsoleLink',
  scope: 'operators:admin',
  summary: 'Create a sign-in link',
  description:
    'A code that opens the console once, within 10 minutes, as the operator in the body or otherwise as the ' +
    'caller. With the admin token the session’s name in the audit log is the `X-Actor` of this request. A link for ' +
    'yourself, and the session that it opens, end with the session or token that issued it. A token without all ' +
    'the rights of its operator gets 403.',
  body: {
    use: 'optional',
    schema: LINK_BODY_SCHEMA,
    examples: { own: { summary: 'For yourself', value: {} } },
  },
  success: creates('ConsoleLink', {
    ...LINK_EXAMPLE,
    url_fragment: '#link=q0cCqPq3sZ5vUu1h9Y0m6bq1yq5S8v2nJmWf0m3d1xI',
  }),
  errors: ['conflict'],
  run: async (request, deps) => {
    const { db, newId, hasConsole } = deps;
    if (!hasConsole) reject(CONSOLE_OFF);
    const { operator_id: given = null } = request.body;
    const operatorId = given === null ? null : parseId('opr', given);
    if (given !== null && operatorId === null) return rejectOperator('must be the id of an operator, opr_…');
    const allowed = await linkOf(deps, request, operatorId);
    const code = createSecret();
    const { actor } = request;
    const link = await issueConsoleLink({ db, newId, actor }, { ...allowed, linkHash: sha256(code) });
    if (!link) reject(UNAUTHORIZED);
    return { ...presentConsoleLink(link), url_fragment: `#link=${code}` };
  },
});

export const CONSOLE: AdminResource = {
  tag: { name: 'Console', description: 'Management: sessions of the console, and links that open them.' },
  schemas: CONSOLE_SCHEMAS,
  operations: [list, end, listLinks, createLink, revokeLink],
};
