import { formatId, parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { type Browser, openBrowser, signIn } from '../support/console.ts';
import { useApi } from '../support/database.ts';
import { until } from '../support/waiting.ts';

const world = useApi();
const { api, db } = world;

interface Link {
  readonly id: string;
  readonly actor: string;
  readonly issued_by: string | null;
  readonly url_fragment: string;
  readonly expires_at: string;
}

const codeOf = ({ url_fragment }: Link) => url_fragment.replace('#link=', '');

async function makeLinkOf(actor: string): Promise<Link> {
  const { body } = await api().admin('post', '/admin/v1/console-links').set('X-Actor', actor).expect(201);
  return body;
}

/** A link that a session issues. */
async function issue({ request }: Browser): Promise<Link> {
  return (await request('post', '/admin/v1/console-links').expect(201)).body;
}

/** The browser in which a link was opened. */
async function openLink(link: Link): Promise<Browser> {
  const response = await signIn(api(), { link: codeOf(link) }).expect(201);
  const cookie = String(response.headers['set-cookie']).split(';', 1)[0] ?? '';
  const csrfToken = response.body.csrf_token;
  const request: Browser['request'] = (method, path) =>
    supertest(api().url)[method](path).set({ Cookie: cookie, 'X-CSRF-Token': csrfToken });
  return { cookie, csrfToken, session: response.body, request };
}

const show = ({ cookie }: Browser) => supertest(api().url).get('/console/session').set('Cookie', cookie);
const hasEnded = (browser: Browser) => until(async () => (await show(browser)).status === 401);
const uuidOf = (id: string) => parseId('ses', id) ?? '';

async function listed(path: string): Promise<Record<string, unknown>[]> {
  return (await api().admin('get', `${path}?limit=100`).expect(200)).body.data;
}

const ISSUED = "actor, admin_digest, sha256('x'), id, created_at, last_used_at, expires_at";

/**
 * Sends requests that wait for a transaction on the row of a session. It ends the session (`UPDATE`) or issues a link
 * (`SHARE`), as a request of another process does, and commits once they wait.
 */
async function whileLocked(
  { session }: Browser,
  lock: 'UPDATE' | 'SHARE',
  requests: readonly supertest.Test[],
): Promise<supertest.Response[]> {
  const id = uuidOf(session.id);
  const answers = db().$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
      await tx.$queryRawUnsafe(`SELECT FROM console_sessions WHERE id = $1::uuid FOR ${lock}`, id);
      const sent = Promise.all(requests.map(async (request) => request));
      await until(async () => {
        const [{ waiting } = { waiting: 0n }] = await db().$queryRaw<{ waiting: bigint }[]>`
          SELECT count(*) AS waiting FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%console_sessions%'`;
        return Number(waiting) === requests.length;
      });
      await tx.$executeRawUnsafe(
        lock === 'UPDATE'
          ? 'UPDATE console_sessions SET ended_at = now() WHERE id = $1::uuid'
          : `INSERT INTO console_sessions
               (id, role, actor, admin_digest, link_hash, issuer_id, created_at, last_used_at, expires_at)
             SELECT gen_random_uuid(), role, ${ISSUED} FROM console_sessions WHERE id = $1::uuid`,
        id,
      );
      return { sent };
    },
    { timeout: 20_000 },
  );
  return (await answers).sent;
}

const ACTIONS = { action: true, before: true, after: true } as const;
const auditOf = (resourceId: string) =>
  db().auditEntry.findMany({ where: { resourceId }, orderBy: { id: 'asc' }, select: ACTIONS });

describe('a link', () => {
  const makeLink = async () => codeOf(await makeLinkOf('grace'));

  it('signs in once, with the name of its creator', async () => {
    const link = await makeLink();
    const response = await signIn(api(), { link, actor: 'mallory' }).expect(201);
    expect(response.body).toMatchObject({ role: 'operator', actor: 'grace' });
    await signIn(api(), { link }).expect(401);
  });

  it('is used by one of several concurrent requests', async () => {
    const link = await makeLink();
    const all = await Promise.all(Array.from({ length: 5 }, () => signIn(api(), { link })));
    expect(all.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401]);
  });

  it('does not work if it is too old, or of another admin token', async () => {
    const old = await makeLink();
    await db().$executeRaw`UPDATE console_sessions SET expires_at = now() WHERE link_hash IS NOT NULL`;
    await signIn(api(), { link: old }).expect(401);
    const other = await world.more({ adminToken: 'another-admin-token-of-the-tests-01234' });
    await signIn(other, { link: await makeLink() }).expect(401);
  });

  it('is refused with 409 if the console is off, and so is every cookie', async () => {
    const off = await world.more({ console: null });
    await off.admin('post', '/admin/v1/console-links').expect(409);
    const { cookie } = await openBrowser(api());
    await supertest(off.url).get('/admin/v1/plans').set('Cookie', cookie).expect(401);
    await supertest(off.url).get('/console/session').set('Cookie', cookie).expect(404);
  });
});

describe('a link of a session', () => {
  it('expires with the session, and so does the session that it opens', async () => {
    const issuer = await openBrowser(api());
    const soon = new Date(Date.now() + 60_000);
    await db().consoleSession.update({
      where: { id: uuidOf(issuer.session.id) },
      data: { expiresAt: soon },
    });
    const link = await issue(issuer);
    expect(link.expires_at).toBe(soon.toISOString());
    const opened = await openLink(link);
    expect(opened.session).toMatchObject({ expires_at: soon.toISOString() });
    const next = await openLink(await issue(opened));
    expect(next.session).toMatchObject({ expires_at: soon.toISOString() });
  });

  it('never makes a chain of sessions longer than the 12 hours of the first one', async () => {
    const first = await openBrowser(api());
    const { expires_at } = first.session;
    let last = first;
    for (let count = 0; count < 3; count += 1) last = await openLink(await issue(last));
    expect(last.session).toMatchObject({ expires_at });
  });

  it.each([
    ['is signed out', (issuer: Browser) => issuer.request('delete', '/console/session').expect(204)],
    [
      'is ended by an operator',
      ({ session }: Browser) => api().admin('delete', `/admin/v1/console-sessions/${session.id}`).expect(204),
    ],
    [
      'was not used for an hour',
      ({ session }: Browser) =>
        db().$executeRaw`
          UPDATE console_sessions SET last_used_at = now() - interval '61 minutes'
           WHERE id = ${uuidOf(session.id)}::uuid`,
    ],
  ])('does not work once the session %s', async (_how, end) => {
    const issuer = await openBrowser(api());
    const link = await issue(issuer);
    await end(issuer);
    await signIn(api(), { link: codeOf(link) }).expect(401);
  });

  it('ends with it, together with the sessions that it and their links opened, each with an audit entry', async () => {
    const [issuer, stranger] = [await openBrowser(api()), await openBrowser(api())];
    const opened = await openLink(await issue(issuer));
    const next = await openLink(await issue(opened));
    const unused = await issue(next);
    await api().admin('delete', `/admin/v1/console-sessions/${issuer.session.id}`).expect(204);
    for (const browser of [issuer, opened, next]) {
      await hasEnded(browser);
      const [last] = (await auditOf(browser.session.id)).slice(-1);
      expect(last).toMatchObject({ action: 'console_session.ended', after: null });
    }
    await signIn(api(), { link: codeOf(unused) }).expect(401);
    expect((await auditOf(unused.id)).map(({ action }) => action)).toEqual([
      'console_session.link_issued',
      'console_session.link_revoked',
    ]);
    await show(stranger).expect(200);
  });

  it('opens in the browser of its own session, which it replaces, and ends with the session before it', async () => {
    const first = await openBrowser(api());
    const second = await openLink(await issue(first));
    const link = await issue(second);
    const response = await signIn(api(), { link: codeOf(link) })
      .set('Cookie', second.cookie)
      .expect(201);
    const cookie = String(response.headers['set-cookie']).split(';', 1)[0] ?? '';
    const third = { ...second, cookie };
    await show(second).expect(401);
    await show(third).expect(200);
    await first.request('delete', '/console/session').expect(204);
    await hasEnded(third);
  });

  it('is not issued by a session that is ending', async () => {
    const issuer = await openBrowser(api());
    const [issued] = await whileLocked(issuer, 'UPDATE', [issuer.request('post', '/admin/v1/console-links')]);
    expect(issued?.status).toBe(401);
  });

  it('ends with its session when it is issued just before the end', async () => {
    const issuer = await openBrowser(api());
    const path = `/admin/v1/console-sessions/${issuer.session.id}`;
    const end = api().admin('delete', path);
    const [ended] = await whileLocked(issuer, 'SHARE', [end]);
    expect(ended?.status).toBe(204);
    expect(
      await db().consoleSession.count({ where: { endedAt: null, issuerId: uuidOf(issuer.session.id) } }),
    ).toBe(0);
  });
});

describe('links that nobody has used', () => {
  it('are listed without their secrets, with who issued them, until they are used', async () => {
    const issuer = await openBrowser(api());
    const [ofSession, ofToken] = [await issue(issuer), await makeLinkOf('grace')];
    const links = await listed('/admin/v1/console-links');
    const { url_fragment: _code, ...shown } = ofSession;
    expect(links).toContainEqual(shown);
    expect(shown).toMatchObject({ issued_by: issuer.session.id, actor: issuer.session.actor });
    expect(links).toContainEqual(
      expect.objectContaining({ id: ofToken.id, actor: 'grace', issued_by: null }),
    );
    expect(JSON.stringify(links)).not.toContain(codeOf(ofSession));
    const { session } = await openLink(ofSession);
    expect(session.id).toBe(ofSession.id);
    expect((await listed('/admin/v1/console-links')).map(({ id }) => id)).not.toContain(ofSession.id);
    expect(await listed('/admin/v1/console-sessions')).toContainEqual(
      expect.objectContaining({ id: session.id, issued_by: issuer.session.id }),
    );
  });

  it('can be revoked, with an audit entry, also when they were just used', async () => {
    const [link, used] = [await makeLinkOf('grace'), await makeLinkOf('ada')];
    const revoke = ({ id }: Link) => api().admin('delete', `/admin/v1/console-links/${id}`);
    await revoke(link).expect(204);
    await revoke(link).expect(204);
    await signIn(api(), { link: codeOf(link) }).expect(401);
    const browser = await openLink(used);
    await revoke(used).expect(204);
    await hasEnded(browser);
    expect(await auditOf(link.id)).toEqual([
      { action: 'console_session.link_issued', before: null, after: expect.anything() },
      { action: 'console_session.link_revoked', before: expect.anything(), after: null },
    ]);
    const { body } = await revoke({ ...link, id: formatId('ses', crypto.randomUUID()) }).expect(404);
    expect(body.error.code).toBe('console_session_not_found');
  });
});
