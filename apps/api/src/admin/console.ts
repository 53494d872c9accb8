import { endConsoleSession, issueConsoleLink, listConsoleLinks, listConsoleSessions } from '@postrider/db';
import { CONSOLE_ROLES, presentConsoleLink, presentConsoleSession } from '@postrider/domain';
import { createSecret, sha256 } from '../console/cookie.ts';
import { adminDigestOf } from '../console/sessions.ts';
import { MEMORY } from '../http/memory.ts';
import { created, noContent, refuse, UNAUTHORIZED } from '../http/reply.ts';
import { EXAMPLE_IDS } from '../openapi/examples.ts';
import { pathId } from '../openapi/parameters.ts';
import { id, nullable, oneOf, pageOf, record, ref, type Schema, text, time } from '../openapi/schema.ts';
import {
  type AdminDeps,
  type AdminRequest,
  type AdminResource,
  idOf,
  listPage,
  withoutBody,
} from './operation.ts';

const ISSUED_BY = nullable(
  id('ses', 'The session that issued the link: they end together. Null if the admin token did.'),
);
const LINK = {
  id: id('ses', 'The link, and the session that it opens.'),
  actor: text('The name that the session will have in the audit log.'),
  issued_by: ISSUED_BY,
  created_at: time('When it was issued.'),
  expires_at: time('Until when it can be used.'),
};

/** See docs/console.md, "Sessions". */
const CONSOLE_SCHEMAS: Readonly<Record<string, Schema>> = {
  ConsoleSession: record('A session of the console.', {
    id: id('ses', 'The session.'),
    role: oneOf(CONSOLE_ROLES, '`operator` manages everything, `integrator` has the rights of one token.'),
    environment_id: nullable(id('env', 'The environment of an integrator’s token.')),
    actor: text('The name that the operator entered, or the id of the token.'),
    issued_by: ISSUED_BY,
    created_at: time('When it began.'),
    last_used_at: time('The minute in which it was last used.'),
    expires_at: time('When it ends, independent of its use.'),
  }),
  ConsoleSessionList: pageOf('ConsoleSession', 'A page of sessions, newest first.'),
  IssuedConsoleLink: record('A link that was not used yet.', LINK),
  ConsoleLinkList: pageOf('IssuedConsoleLink', 'A page of links, newest first.'),
  ConsoleLink: record('A new link that signs in once, with its secret.', {
    ...LINK,
    url_fragment: text('The fragment to append to the console’s address, such as `#link=…`.'),
  }),
};

const SESSION_EXAMPLE = {
  id: 'ses_01kb2x7w5nfxq8s0v7z4m2t6yc',
  role: 'integrator',
  environment_id: EXAMPLE_IDS.environment,
  actor: 'tok_01k9w2m1n3fjb8d6s4h2g0x7ta',
  issued_by: null,
  created_at: '2026-11-21T09:00:00.000Z',
  last_used_at: '2026-11-21T09:41:00.000Z',
  expires_at: '2026-11-21T21:00:00.000Z',
};

const SESSION_ID = pathId('consoleSessionId', 'ses', 'a session', SESSION_EXAMPLE.id);

const list = listPage({
  path: '/admin/v1/console-sessions',
  operationId: 'listConsoleSessions',
  memory: MEMORY.rows,
  summary: 'List the sessions of the console',
  description: 'The sessions of the console that have not ended, newest first.',
  read: (db, { after, limit }) => listConsoleSessions(db, { after, limit }),
  present: presentConsoleSession,
  schema: ref('ConsoleSessionList'),
  example: SESSION_EXAMPLE,
});

const LINK_EXAMPLE = {
  id: 'ses_01kb2x8q1gfa0t3w5y7b9d2f4h',
  actor: 'ada',
  issued_by: null,
  created_at: '2026-11-21T09:00:00.000Z',
  expires_at: '2026-11-21T09:10:00.000Z',
};

const listLinks = listPage({
  path: '/admin/v1/console-links',
  operationId: 'listConsoleLinks',
  memory: MEMORY.rows,
  summary: 'List the sign-in links',
  description: 'The links that can still be used, newest first. A used one is in the list of sessions.',
  read: (db, { after, limit }) => listConsoleLinks(db, { after, limit }),
  present: presentConsoleLink,
  schema: ref('ConsoleLinkList'),
  example: LINK_EXAMPLE,
});

/** A link and the session that it opens have one id and one end. */
const runEnd =
  ({ db, newId }: AdminDeps) =>
  async (request: AdminRequest) => {
    const sessionId = idOf(request, SESSION_ID);
    const { actor } = request;
    const isKnown = sessionId !== null && (await endConsoleSession({ db, newId, actor }, sessionId));
    return isKnown ? noContent() : refuse('console_session_not_found');
  };

const end = withoutBody({
  method: 'delete',
  path: '/admin/v1/console-sessions/{consoleSessionId}',
  operationId: 'endConsoleSession',
  memory: MEMORY.small,
  summary: 'End a session of the console',
  description:
    'Ends the session, the links that it issued and their sessions: every process refuses them within 5 seconds.',
  parameters: [SESSION_ID],
  success: { status: 204 },
  errors: ['console_session_not_found'],
  run: runEnd,
});

const revokeLink = withoutBody({
  method: 'delete',
  path: '/admin/v1/console-links/{consoleSessionId}',
  operationId: 'revokeConsoleLink',
  memory: MEMORY.small,
  summary: 'Revoke a sign-in link',
  description: 'Revokes the link. If it was used meanwhile, its session ends within 5 seconds.',
  parameters: [SESSION_ID],
  success: { status: 204 },
  errors: ['console_session_not_found'],
  run: runEnd,
});

const createLink = withoutBody({
  method: 'post',
  path: '/admin/v1/console-links',
  operationId: 'createConsoleLink',
  memory: MEMORY.small,
  summary: 'Create a sign-in link',
  description:
    'A code that opens the console once, within 10 minutes, as an operator. The session’s name in the audit log is ' +
    'the `X-Actor` of this request. A link of a session, and the session that it opens, end with that session.',
  parameters: [],
  success: {
    status: 201,
    schema: ref('ConsoleLink'),
    example: { ...LINK_EXAMPLE, url_fragment: '#link=q0cCqPq3sZ5vUu1h9Y0m6bq1yq5S8v2nJmWf0m3d1xI' },
  },
  errors: ['conflict'],
  run:
    ({ db, newId, adminToken, hasConsole }) =>
    async ({ actor, sessionId }) => {
      if (!hasConsole || adminToken === null) {
        return refuse('conflict', { message: 'The console is off: start the service with CONSOLE=on.' });
      }
      const code = createSecret();
      const secrets = { linkHash: sha256(code), adminDigest: adminDigestOf(adminToken) };
      const link = await issueConsoleLink({ db, newId, actor }, { ...secrets, issuerId: sessionId });
      if (!link) return UNAUTHORIZED;
      return created({ ...presentConsoleLink(link), url_fragment: `#link=${code}` });
    },
});

export const CONSOLE: AdminResource = {
  tag: { name: 'Console', description: 'Management: sessions of the console, and links that open them.' },
  schemas: CONSOLE_SCHEMAS,
  operations: [list, end, listLinks, createLink, revokeLink],
};
