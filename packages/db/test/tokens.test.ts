import { createUuidV7Source, formatId, hashToken, isWellFormedToken, orRefusal } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { Client } from 'pg';
import {
  createSnapshots,
  createTokenUses,
  issueToken,
  listTokens,
  openDatabase,
  revokeToken,
  rotateToken,
} from '../src/index.ts';
import {
  actorNamed,
  asOwner,
  createFixture,
  createTestDatabase,
  type TestDatabase,
} from '../src/testing/index.ts';

const DAY_S = 86_400;
const newId = createUuidV7Source();

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const deps = () => ({
  db: database.db,
  newId,
  actor: actorNamed('ada', 'request-1'),
});
const stored = (id: string) => database.db.token.findUniqueOrThrow({ where: { id } });
const actionsOf = async (environmentId: string) =>
  (await database.db.auditEntry.findMany({ where: { environmentId }, orderBy: { id: 'asc' } }))
    .map(({ action }) => action)
    .filter((action) => action.startsWith('token.'));

/** The seconds from now, by the database's clock, until a time. */
async function secondsUntil(time: Date | null): Promise<number> {
  const [row] = await database.db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  return ((time?.getTime() ?? Number.NaN) - (row?.now.getTime() ?? 0)) / 1_000;
}

async function issue(environmentId: string, expiresAt: Date | null = null) {
  const issued = await issueToken(deps(), { environmentId, name: 'ci', expiresAt });
  return issued;
}

describe('issuing a token', () => {
  it('stores only its digest, prefix and last four characters', async () => {
    const { environmentId } = await createFixture(database.db, { environmentName: 'production' });
    const { token, secret } = await issue(environmentId);
    expect(isWellFormedToken(secret)).toBe(true);
    expect(token).toMatchObject({ prefix: 'pr_production_', lastFour: secret.slice(-4), expiresAt: null });
    expect(Buffer.from((await stored(token.id)).hash)).toEqual(hashToken(secret));
    const rows = await database.db.$queryRaw<{ row: string }[]>`SELECT tokens::text AS row FROM tokens`;
    const audit = await database.db.$queryRaw<
      { row: string }[]
    >`SELECT audit_log::text AS row FROM audit_log`;
    expect(JSON.stringify([rows, audit])).not.toContain(secret.slice(14, 40));
  });

  it('refuses an expiry in the past, and an unknown environment', async () => {
    const { environmentId } = await createFixture(database.db);
    const past = { environmentId, name: 'late', expiresAt: new Date(Date.now() - 60_000) };
    expect(await orRefusal(() => issueToken(deps(), past))).toMatchObject({
      refused: 'validation_failed',
      details: [{ path: '/expires_at' }],
    });
    const nowhere = { environmentId: newId(), name: 'ci' };
    expect(await orRefusal(() => issueToken(deps(), nowhere))).toEqual({ refused: 'environment_not_found' });
    expect(await database.db.token.count({ where: { environmentId } })).toBe(1);
  });

  it('lists all tokens of the environment, newest first', async () => {
    const { environmentId, tokenId } = await createFixture(database.db);
    const first = await issue(environmentId);
    const second = await issue(environmentId);
    await revokeToken(deps(), first.token.id);
    const page = await listTokens(database.db, { environmentId, after: null, limit: 2 });
    expect(page?.rows.map(({ id }) => id)).toEqual([second.token.id, first.token.id]);
    expect(page?.rows[1]?.revokedAt).not.toBeNull();
    const rest = await listTokens(database.db, { environmentId, after: page?.nextAfter ?? '', limit: 2 });
    expect(rest).toMatchObject({ rows: [{ id: tokenId }], nextAfter: null });
    const none = await listTokens(database.db, { environmentId: newId(), after: null, limit: 2 });
    expect(none).toEqual({ rows: [], nextAfter: null });
  });
});

describe('rotating a token', () => {
  it('keeps the old one valid until the end of the overlap, and gives the new one the same lifetime', async () => {
    const { environmentId } = await createFixture(database.db);
    const old = await issue(environmentId, new Date(Date.now() + 90 * DAY_S * 1_000));
    const rotated = await rotateToken(deps(), { tokenId: old.token.id, overlapSeconds: DAY_S });
    expect(rotated.token.name).toBe('ci');
    expect(await secondsUntil(rotated.previous.expiresAt)).toBeLessThanOrEqual(DAY_S);
    expect(await secondsUntil(rotated.previous.expiresAt)).toBeGreaterThan(DAY_S - 60);
    expect(await secondsUntil(rotated.token.expiresAt)).toBeGreaterThan(90 * DAY_S - 60);
    const snapshots = createSnapshots({ db: database.db });
    expect(await snapshots.token(hashToken(old.secret))).not.toBeNull();
    expect(await snapshots.token(hashToken(rotated.secret))).not.toBeNull();
    expect(await actionsOf(environmentId)).toEqual([
      'token.issued',
      'token.issued',
      'token.issued',
      'token.rotated',
    ]);
  });

  it('never extends the validity of the old one', async () => {
    const { environmentId } = await createFixture(database.db);
    const old = await issue(environmentId, new Date(Date.now() + 600_000));
    await rotateToken(deps(), { tokenId: old.token.id, overlapSeconds: DAY_S });
    expect((await stored(old.token.id)).expiresAt).toEqual(old.token.expiresAt);
  });

  it('ends the old one at once if there is no overlap', async () => {
    const { environmentId, tokenId, token } = await createFixture(database.db);
    const rotated = await rotateToken(deps(), { tokenId, overlapSeconds: 0 });
    const snapshots = createSnapshots({ db: database.db });
    expect(await snapshots.token(hashToken(token))).toBeNull();
    expect(await snapshots.token(hashToken(rotated.secret))).toMatchObject({ environmentId });
  });

  it('refuses a token that is revoked, expired, already replaced, or unknown, and writes nothing', async () => {
    const { environmentId } = await createFixture(database.db);
    const rotate = (tokenId: string) => orRefusal(() => rotateToken(deps(), { tokenId, overlapSeconds: 0 }));
    const [revoked, expired, replaced] = [
      await issue(environmentId),
      await issue(environmentId),
      await issue(environmentId),
    ];
    await revokeToken(deps(), revoked.token.id);
    await database.db.token.update({ where: { id: expired.token.id }, data: { expiresAt: new Date(0) } });
    await rotate(replaced.token.id);
    const before = await database.db.token.count();
    expect(await rotate(revoked.token.id)).toMatchObject({ message: expect.stringMatching(/revoked/) });
    expect(await rotate(expired.token.id)).toMatchObject({ message: expect.stringMatching(/expired/) });
    expect(await rotate(replaced.token.id)).toMatchObject({ message: expect.stringMatching(/replaced/) });
    expect(await rotate(newId())).toEqual({ refused: 'token_not_found' });
    expect(await database.db.token.count()).toBe(before);
  });

  it('succeeds for one of many at once, and the others get its successor', async () => {
    const { environmentId, tokenId } = await createFixture(database.db);
    const rotated = await Promise.all(
      Array.from({ length: 8 }, () =>
        orRefusal(() => rotateToken(deps(), { tokenId, overlapSeconds: DAY_S })),
      ),
    );
    const [winner, ...others] = rotated.flatMap((each) => ('token' in each ? [each] : []));
    expect(others).toEqual([]);
    if (!winner) throw new Error('nobody won');
    const refused = rotated.flatMap((each) => ('refused' in each ? [each.message] : []));
    expect(refused).toHaveLength(7);
    for (const message of refused) expect(message).toContain(formatId('tok', winner.token.id));
    expect(await database.db.token.count({ where: { environmentId } })).toBe(2);
    await rotateToken(deps(), { tokenId: winner.token.id, overlapSeconds: 0 });
  });

  it('and revoking it at once never leave an unknown successor', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { environmentId, tokenId } = await createFixture(database.db);
      const [rotated, revoked] = await Promise.all([
        orRefusal(() => rotateToken(deps(), { tokenId, overlapSeconds: DAY_S })),
        revokeToken(deps(), tokenId),
      ]);
      expect(revoked).toBe(true);
      if ('refused' in rotated) expect(rotated.message).toMatch(/revoked/);
      expect((await stored(tokenId)).revokedAt).not.toBeNull();
      const others = await database.db.token.findMany({ where: { environmentId, id: { not: tokenId } } });
      expect(others.map(({ id }) => id)).toEqual('token' in rotated ? [rotated.token.id] : []);
    }
  });
});

describe('revoking a token', () => {
  it('is audited once if it is repeated', async () => {
    const { environmentId, tokenId } = await createFixture(database.db);
    await Promise.all([1, 2, 3].map(() => revokeToken(deps(), tokenId)));
    expect((await actionsOf(environmentId)).filter((action) => action === 'token.revoked')).toHaveLength(1);
    expect(await revokeToken(deps(), newId())).toBe(false);
  });
});

describe('a cached token', () => {
  it.each([
    ['expired', 'expires_at'],
    ['revoked', 'revoked_at'],
  ] as const)('is refused within 5 s when it is %s, even without a notification', async (_, column) => {
    const { tokenId, token } = await createFixture(database.db);
    let elapsed = 1_000;
    const snapshots = createSnapshots({ db: database.db, monotonicMs: () => elapsed });
    expect(await snapshots.token(hashToken(token))).not.toBeNull();
    const data = column === 'expires_at' ? { expiresAt: new Date(0) } : { revokedAt: new Date() };
    await database.db.token.update({ where: { id: tokenId }, data });
    elapsed += 4_900;
    expect(await snapshots.token(hashToken(token))).toBeNull();
  });
});

describe('when tokens were last used', () => {
  it("is written with the precision of a minute by the database's clock, once for several processes", async () => {
    const { tokenId, environmentId } = await createFixture(database.db);
    const idle = await issue(environmentId);
    let elapsed = 0;
    const processes = [1, 2, 3].map(() => createTokenUses({ db: database.db, monotonicMs: () => elapsed }));
    for (const { record } of processes) record('tokens', tokenId);
    elapsed += 120_000;
    await Promise.all(processes.map(({ flush }) => flush()));
    const { lastUsedAt } = await stored(tokenId);
    expect(lastUsedAt?.getUTCSeconds()).toBe(0);
    const age = -(await secondsUntil(lastUsedAt));
    expect(age).toBeGreaterThanOrEqual(120);
    expect(age).toBeLessThan(120 + 60 + 30);
    expect((await stored(idle.token.id)).lastUsedAt).toBeNull();
  });

  it('never goes back', async () => {
    const { tokenId } = await createFixture(database.db);
    let elapsed = 0;
    const [late, early] = [1, 2].map(() => createTokenUses({ db: database.db, monotonicMs: () => elapsed }));
    late?.record('tokens', tokenId);
    elapsed += 600_000;
    early?.record('tokens', tokenId);
    await early?.flush();
    const { lastUsedAt } = await stored(tokenId);
    await late?.flush();
    expect((await stored(tokenId)).lastUsedAt).toEqual(lastUsedAt);
  });

  it('drops no snapshot', async () => {
    const { tokenId } = await createFixture(database.db);
    const listener = new Client({ connectionString: database.url });
    await listener.connect();
    const notices: unknown[] = [];
    listener.on('notification', ({ payload }) => notices.push(payload));
    await listener.query('LISTEN postrider_config');
    const uses = createTokenUses({ db: database.db });
    uses.record('tokens', tokenId);
    await uses.flush();
    await listener.query(`SELECT pg_notify('postrider_config', 'last')`);
    await listener.end();
    expect((await stored(tokenId)).lastUsedAt).not.toBeNull();
    expect(notices).toEqual(['last']);
  });

  it('is kept in memory during an outage of PostgreSQL, and written afterwards', async () => {
    const { tokenId } = await createFixture(database.db);
    const away = openDatabase('postgresql://nobody@127.0.0.1:1/nothing');
    let db = away as typeof database.db;
    const uses = createTokenUses({
      db: asOwner(new Proxy(away, { get: (_target, key) => Reflect.get(db, key) })),
    });
    uses.record('tokens', tokenId);
    await expect(uses.flush()).rejects.toThrow();
    expect((await stored(tokenId)).lastUsedAt).toBeNull();
    db = database.db;
    await uses.flush();
    expect((await stored(tokenId)).lastUsedAt).not.toBeNull();
    await away.$disconnect();
  });

  it('is written by the last flush, even if it was recorded during another one', async () => {
    const [early, late] = [await createFixture(database.db), await createFixture(database.db)];
    let onWrite: (() => void) | undefined;
    const writing = new Promise<void>((resolve) => {
      onWrite = resolve;
    });
    const db = new Proxy(database.db, {
      get(target, key) {
        if (key === '$executeRaw') onWrite?.();
        return Reflect.get(target, key);
      },
    });
    const uses = createTokenUses({ db });
    uses.record('tokens', early.tokenId);
    const first = uses.flush();
    await writing;
    uses.record('tokens', late.tokenId);
    await Promise.all([first, uses.flush()]);
    expect((await stored(early.tokenId)).lastUsedAt).not.toBeNull();
    expect((await stored(late.tokenId)).lastUsedAt).not.toBeNull();
  });
});
