import { chargeAttempt, deleteFullLimits, openDatabase, refundAttempt } from '@postrider/db';
import { statementsDuring } from '@postrider/db/testing';
import { createToken, formatId } from '@postrider/domain';
import { startTcpProxy } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { ADMIN_TOKEN, type TestApi } from '../support/api.ts';
import { openBrowser, signIn } from '../support/console.ts';
import { useApi } from '../support/database.ts';

const world = useApi({ trustedProxies: ['127.0.0.0/8'] });
const { api, db, environment } = world;

/** Failures of a client at one account that are allowed at once. */
const BURST = 20;

const tryFrom = async (to: Pick<TestApi, 'url'>, address: string, token: string) =>
  (await signIn(to, { token }).set('X-Forwarded-For', address)).status;

/** Fails at this account until it is refused. Returns how often it was not. */
async function exhaust(to: Pick<TestApi, 'url'>, address: string, token: string): Promise<number> {
  for (let failed = 0; failed < 2 * BURST; failed += 1)
    if ((await tryFrom(to, address, token)) === 429) return failed;
  throw new Error('the client is not refused');
}

/** The bucket of a key is used up for the hour. */
const useUp = (key: string) =>
  db().$executeRaw`
    INSERT INTO sign_in_limits VALUES (sha256(${Buffer.from(key)}::bytea), now() + interval '1 hour')
    ON CONFLICT (key) DO UPDATE SET full_at = EXCLUDED.full_at`;

describe('failed sign-ins', () => {
  it('are counted together by all processes, also concurrent ones', async () => {
    const other = await world.more({ trustedProxies: ['127.0.0.0/8'] });
    const statuses = await Promise.all(
      Array.from({ length: 2 * BURST }, (_, index) =>
        tryFrom(index % 2 === 0 ? api() : other, '192.0.2.1', 'wrong'),
      ),
    );
    const allowed = statuses.filter((status) => status === 401).length;
    expect(allowed).toBeGreaterThanOrEqual(BURST);
    expect(allowed).toBeLessThanOrEqual(BURST + 2);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2 * BURST - allowed);
  });

  it('of one token refuse neither other tokens behind the same address nor other addresses', async () => {
    const { token } = await environment();
    const stale = createToken('production');
    await exhaust(api(), '192.0.2.2', stale);
    expect(await tryFrom(api(), '192.0.2.2', token)).toBe(201);
    expect(await tryFrom(api(), '192.0.2.3', stale)).toBe(401);
  });

  it('of an address with ever other tokens refuse that address alone, and no session', async () => {
    const { token } = await environment();
    const { cookie, request } = await openBrowser(api(), token);
    await useUp('client 192.0.2.4');
    expect(await tryFrom(api(), '192.0.2.4', token)).toBe(429);
    expect(await tryFrom(api(), '192.0.2.5', token)).toBe(201);
    expect(cookie).not.toBe('');
    await request('get', '/api/v1/limits').set('X-Forwarded-For', '192.0.2.4').expect(200);
  });

  it('at an account under attack still let a client try that has not failed there lately, once', async () => {
    await useUp('account admin token');
    expect(await tryFrom(api(), '192.0.2.6', 'wrong')).toBe(401);
    expect(await tryFrom(api(), '192.0.2.6', ADMIN_TOKEN)).toBe(429);
    expect(await tryFrom(api(), '192.0.2.7', ADMIN_TOKEN)).toBe(201);
  });

  it('count a whole IPv6 network as one client', async () => {
    const stale = createToken('v6');
    await exhaust(api(), '2001:db8:1:2::1', stale);
    expect(await tryFrom(api(), '2001:db8:1:2:ffff::9', stale)).toBe(429);
    expect(await tryFrom(api(), '2001:db8:1:3::1', stale)).toBe(401);
  });

  it('leave no trace of a sign-in that succeeds', async () => {
    const { token } = await environment();
    for (let signedIn = 0; signedIn < BURST; signedIn += 1) await tryFrom(api(), '192.0.2.8', token);
    const [used] = await db().$queryRaw<{ left: number }[]>`
      SELECT count(*)::int4 AS left FROM sign_in_limits
       WHERE key = sha256('client 192.0.2.8') AND full_at > now()`;
    expect(used?.left).toBe(0);
  });

  it('are forgotten when their buckets are full again, and refused ones add no rows', async () => {
    await exhaust(api(), '192.0.2.9', 'wrong');
    const count = () => db().signInLimit.count();
    const before = await count();
    await tryFrom(api(), '192.0.2.9', 'wrong');
    expect(await count()).toBe(before);
    await db().$executeRaw`UPDATE sign_in_limits SET full_at = now()`;
    expect(await deleteFullLimits(db(), before - 1)).toBe(before - 1);
    expect(await deleteFullLimits(db(), 1_000)).toBe(1);
    expect(await count()).toBe(0);
  });

  it('are given back only to the buckets that were charged', async () => {
    const slow = { requestsPerSecond: 0.001, burst: 1 };
    const [own, shared] = [
      { key: 'own bucket', rate: slow, kind: 'own' },
      { key: 'shared bucket', rate: slow, kind: 'shared' },
    ] as const;
    expect((await chargeAttempt(db(), [shared])).outcome).toBe('allowed');
    const counted = await chargeAttempt(db(), [own, shared]);
    expect(counted).toEqual({ outcome: 'allowed', charged: [own] });
    await refundAttempt(db(), counted.outcome === 'allowed' ? counted.charged : []);
    expect((await chargeAttempt(db(), [{ ...shared, kind: 'strict' }])).outcome).toBe('refused');
  });

  it('that cannot be given back leave the sign-in a success', async () => {
    const refuse = (name: string) => db().$executeRawUnsafe(name);
    await refuse(`CREATE FUNCTION no_refund() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF NEW.full_at < OLD.full_at THEN RAISE 'no'; END IF; RETURN NEW; END $$`);
    await refuse(
      'CREATE TRIGGER no_refund BEFORE UPDATE ON sign_in_limits FOR EACH ROW EXECUTE FUNCTION no_refund()',
    );
    expect(await tryFrom(api(), '192.0.2.10', ADMIN_TOKEN)).toBe(201);
    await refuse('DROP FUNCTION no_refund CASCADE');
  });

  it('charge nothing when one of their buckets refuses', async () => {
    const rate = { requestsPerSecond: 1, burst: 1 };
    const [shared, spent] = ['shared', 'spent'].map((key) => ({ key, rate, kind: 'strict' }) as const);
    if (!shared || !spent) throw new Error('two limits');
    expect((await chargeAttempt(db(), [spent])).outcome).toBe('allowed');
    const refused = await chargeAttempt(db(), [shared, spent]);
    expect(refused).toEqual({ outcome: 'refused', retryAfterMs: expect.any(Number) });
    expect((await chargeAttempt(db(), [shared])).outcome).toBe('allowed');
  });
});

describe('the work of a refused sign-in', () => {
  const workOf = (body: Record<string, unknown>) =>
    statementsDuring(() => signIn(api(), body).set('X-Forwarded-For', '198.51.100.1').expect(401));

  it('is the same for a token that cannot be one, an unknown token and a revoked one', async () => {
    const { token, tokenId } = await environment();
    await api()
      .admin('delete', `/admin/v1/tokens/${formatId('tok', tokenId)}`)
      .expect(204);
    const [malformed, unknown, revoked] = [
      await workOf({ token: 'x'.repeat(40) }),
      await workOf({ token: createToken('production') }),
      await workOf({ token }),
    ];
    expect(unknown.length).toBeGreaterThan(1);
    expect(malformed).toEqual(unknown);
    expect(revoked).toEqual(unknown);
  });

  it('is the same for a link that cannot be one, an unknown link and a used one', async () => {
    const { body } = await api().admin('post', '/admin/v1/console-links').expect(201);
    const [, link] = body.url_fragment.split('=');
    await signIn(api(), { link }).expect(201);
    const [malformed, unknown, used] = [
      await workOf({ link: 'x' }),
      await workOf({ link: 'x'.repeat(43) }),
      await workOf({ link }),
    ];
    expect(unknown.length).toBeGreaterThan(1);
    expect(malformed).toEqual(unknown);
    expect(used).toEqual(unknown);
  });
});

describe('while PostgreSQL does not count attempts', () => {
  it('refuses correct credentials with 503, keeps open sessions, and counts again afterwards', async () => {
    const { cookie, request } = await openBrowser(api());
    const refused = await db().$transaction(
      async (tx) => {
        await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
        await tx.$executeRaw`LOCK TABLE sign_in_limits IN ACCESS EXCLUSIVE MODE`;
        const response = await signIn(api(), { token: ADMIN_TOKEN }).expect(503);
        await request('get', '/admin/v1/plans').expect(200);
        return response;
      },
      { timeout: 60_000 },
    );
    expect(cookie).not.toBe('');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await signIn(api(), { token: ADMIN_TOKEN }).expect(201);
  });

  it('refuses with 503 while PostgreSQL is unreachable', async () => {
    const proxy = await startTcpProxy(world.url());
    const behind = openDatabase(proxy.url);
    const other = await world.more({ db: behind });
    await signIn(other, { token: ADMIN_TOKEN }).expect(201);
    proxy.set('reset');
    await signIn(other, { token: ADMIN_TOKEN }).expect(503);
    proxy.set(null);
    await signIn(other, { token: ADMIN_TOKEN }).expect(201);
    await behind.$disconnect();
    await proxy.close();
  });
});
