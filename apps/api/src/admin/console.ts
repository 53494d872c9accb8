import { endConsoleSession, issueConsoleLink, listConsoleSessions } from '@postrider/db';
import { CONSOLE_ROLES, formatTime, presentConsoleSession } from '@postrider/domain';
import { createSecret, sha256 } from '../console/cookie.ts';
import { adminDigestOf } from '../console/sessions.ts';
import { created, noContent, refuse } from '../http/reply.ts';
import { EXAMPLE_IDS } from '../openapi/examples.ts';
import { pathId } from '../openapi/parameters.ts';
import { id, nullable, oneOf, pageOf, record, ref, type Schema, text, time } from '../openapi/schema.ts';
import { type AdminResource, idOf, listPage, withoutBody } from './operation.ts';

/** See docs/specification.md, "Console sessions". */
const CONSOLE_SCHEMAS: Readonly<Record<string, Schema>> = {
  ConsoleSession: record('A session of the console.', {
    id: id('ses', 'The session.'),
    role: oneOf(CONSOLE_ROLES, '`operator` manages everything, `integrator` has the rights of one token.'),
    environment_id: nullable(id('env', 'The environment of an integrator’s token.')),
    actor: text('The name that the operator entered, or the id of the token.'),
    created_at: time('When it began.'),
    last_used_at: time('The minute in which it was last used.'),
    expires_at: time('When it ends, independent of its use.'),
  }),
  ConsoleSessionList: pageOf('ConsoleSession', 'A page of sessions, newest first.'),
  ConsoleLink: record('A link that signs in once.', {
    url_fragment: text('The fragment to append to the console’s address, such as `#link=…`.'),
    expires_at: time('Until when it can be used.'),
  }),
};

const SESSION_EXAMPLE = {
  id: 'ses_01kb2x7w5nfxq8s0v7z4m2t6yc',
  role: 'integrator',
  environment_id: EXAMPLE_IDS.environment,
  actor: 'tok_01k9w2m1n3fjb8d6s4h2g0x7ta',
  created_at: '2026-11-21T09:00:00.000Z',
  last_used_at: '2026-11-21T09:41:00.000Z',
  expires_at: '2026-11-21T21:00:00.000Z',
};

const SESSION_ID = pathId('consoleSessionId', 'ses', 'a session', SESSION_EXAMPLE.id);

const list = listPage({
  path: '/admin/v1/console-sessions',
  operationId: 'listConsoleSessions',
  summary: 'List the sessions of the console',
  description: 'The sessions of the console that have not ended, newest first.',
  read: (db, { after, limit }) => listConsoleSessions(db, { after, limit }),
  present: presentConsoleSession,
  schema: ref('ConsoleSessionList'),
  example: SESSION_EXAMPLE,
});

const end = withoutBody({
  method: 'delete',
  path: '/admin/v1/console-sessions/{consoleSessionId}',
  operationId: 'endConsoleSession',
  summary: 'End a session of the console',
  description: 'Ends the session: every process refuses it within 5 seconds.',
  parameters: [SESSION_ID],
  success: { status: 204 },
  errors: ['console_session_not_found'],
  run:
    ({ db, newId }) =>
    async (request) => {
      const sessionId = idOf(request, SESSION_ID);
      const { actor } = request;
      const isKnown = sessionId !== null && (await endConsoleSession({ db, newId, actor }, sessionId));
      return isKnown ? noContent() : refuse('console_session_not_found');
    },
});

const createLink = withoutBody({
  method: 'post',
  path: '/admin/v1/console-links',
  operationId: 'createConsoleLink',
  summary: 'Create a sign-in link',
  description:
    'A code that opens the console once, within 10 minutes, as an operator. The session’s name in the audit log is ' +
    'the `X-Actor` of this request.',
  parameters: [],
  success: {
    status: 201,
    schema: ref('ConsoleLink'),
    example: {
      url_fragment: '#link=q0cCqPq3sZ5vUu1h9Y0m6bq1yq5S8v2nJmWf0m3d1xI',
      expires_at: '2026-11-21T09:10:00.000Z',
    },
  },
  errors: ['conflict'],
  run:
    ({ db, newId, adminToken, hasConsole }) =>
    async ({ actor }) => {
      if (!hasConsole || adminToken === null) {
        return refuse('conflict', { message: 'The console is off: start the service with CONSOLE=on.' });
      }
      const code = createSecret();
      const link = { linkHash: sha256(code), adminDigest: adminDigestOf(adminToken) };
      const expiresAt = await issueConsoleLink({ db, newId, actor }, link);
      return created({ url_fragment: `#link=${code}`, expires_at: formatTime(expiresAt) });
    },
});

export const CONSOLE: AdminResource = {
  tag: { name: 'Console', description: 'Management: sessions of the console.' },
  schemas: CONSOLE_SCHEMAS,
  operations: [list, end, createLink],
};
