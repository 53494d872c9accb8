import { createToken, createUuidV7Source, hashToken, NEW_CONSUMER } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  createSnapshots,
  issueToken,
  listenForConfig,
  openDatabase,
  putConsumer,
  revokeToken,
  type UnboundDatabase,
} from '../src/index.ts';
import { createMemo } from '../src/snapshot/snapshots.ts';
import { actorNamed, createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Waits until `holds`, giving other work its turn between looks. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(setImmediate);
}

/** A clock by which nothing ages: what is forgotten was dropped. */
const stoppedClock = () => 0;

/** The database, where loading one environment's snapshot never ends. */
function withoutAnswerFor(environmentId: string): UnboundDatabase {
  const ask = (query: TemplateStringsArray, ...values: unknown[]) =>
    values.includes(environmentId) ? new Promise(() => undefined) : database.db.$queryRaw(query, ...values);
  return new Proxy(database.db, {
    get: (db, name) => (name === '$queryRaw' ? ask : Reflect.get(db, name)),
  });
}

describe('snapshots', () => {
  it('contain plan, enabled channels and active templates, and are cached', async () => {
    const fixture = await createFixture(database.db, {
      plan: { eventsPerMonth: 7, requestsPerSecond: 5, burst: 9 },
      channels: [WEBHOOK, { ...WEBHOOK, name: 'off', enabled: false }],
      templates: [
        { channelKind: 'email', eventKey: 'a.b', subject: 's', html: null, text: 't', activate: true },
        { channelKind: 'email', eventKey: 'a.b', subject: 's', html: null, text: 't2', activate: false },
      ],
    });
    const snapshots = createSnapshots({ db: database.db });
    const token = await snapshots.token(hashToken(fixture.token));
    expect(token).toMatchObject({ id: fixture.tokenId, environmentId: fixture.environmentId });
    const environment = await snapshots.environment(fixture.environmentId);
    expect(environment?.plan).toMatchObject({ eventsPerMonth: 7, requestsPerSecond: 5, burst: 9 });
    expect(environment?.channels.map((channel) => channel.name)).toEqual(['hook']);
    expect(environment?.activeTemplates).toEqual(
      new Map([['email', new Map([['a.b', fixture.templates[0]?.id]])]]),
    );
    expect(await snapshots.environment(fixture.environmentId)).toBe(environment);
  });

  it('do not contain unknown, revoked or expired tokens', async () => {
    const fixture = await createFixture(database.db);
    const find = (text: string) => createSnapshots({ db: database.db }).token(hashToken(text));
    expect(await find(createToken('test'))).toBeNull();
    await database.db.token.update({ where: { id: fixture.tokenId }, data: { expiresAt: new Date(0) } });
    expect(await find(fixture.token)).toBeNull();
    await database.db.token.update({
      where: { id: fixture.tokenId },
      data: { expiresAt: null, revokedAt: new Date() },
    });
    expect(await find(fixture.token)).toBeNull();
  });

  it("refuse a cached token from its expiry on, by the database's clock", async () => {
    const fixture = await createFixture(database.db);
    await database.db.$executeRaw`
      UPDATE tokens SET expires_at = clock_timestamp() + interval '3 s' WHERE id = ${fixture.tokenId}::uuid`;
    let elapsed = 0;
    const snapshots = createSnapshots({ db: database.db, monotonicMs: () => elapsed });
    const hash = hashToken(fixture.token);
    const token = await snapshots.token(hash);
    const expiresAt = token?.expiresAt ?? 0;
    expect(expiresAt).toBeLessThanOrEqual(3_000);
    elapsed = expiresAt - 0.001;
    expect(await snapshots.token(hash)).toBe(token);
    // The snapshot is not old enough to be loaded again.
    elapsed = expiresAt;
    expect(await snapshots.token(hash)).toBeNull();
  });

  it.each([
    ['a channel is disabled', 'channel'],
    ['the plan changes', 'plan'],
    ['the tenant is suspended', 'tenant'],
    ['the token is revoked', 'token'],
  ] as const)('are dropped by a notification when %s', async (_, changed) => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const snapshots = createSnapshots({ db: database.db, monotonicMs: stoppedClock });
    const listener = listenForConfig({
      databaseUrl: database.url,
      onNotice: snapshots.drop,
      onGap: snapshots.clear,
    });
    try {
      await listener.listening;
      const hash = hashToken(fixture.token);
      const [environment, token] = [
        await snapshots.environment(fixture.environmentId),
        await snapshots.token(hash),
      ];
      expect([environment, token]).not.toContain(null);
      switch (changed) {
        case 'channel':
          await database.db.channel.updateMany({
            where: { environmentId: fixture.environmentId },
            data: { enabled: false },
          });
          return await until(
            async () => (await snapshots.environment(fixture.environmentId))?.channels.length === 0,
          );
        case 'plan':
          await database.db.plan.update({
            where: { code: fixture.planCode ?? '' },
            data: { eventsPerMonth: 3 },
          });
          return await until(
            async () => (await snapshots.environment(fixture.environmentId))?.plan.eventsPerMonth === 3,
          );
        case 'tenant':
          await database.db.tenant.update({
            where: { id: fixture.tenantId },
            data: { billingStatus: 'suspended' },
          });
          return await until(
            async () =>
              (await snapshots.environment(fixture.environmentId))?.tenant.billingStatus === 'suspended',
          );
        case 'token':
          await database.db.token.update({ where: { id: fixture.tokenId }, data: { revokedAt: new Date() } });
          return await until(async () => (await snapshots.token(hash)) === null);
      }
    } finally {
      await listener.close();
    }
  });

  it("keep the environment and other consumers' tokens when a consumer's token is revoked or removed", async () => {
    const { environmentId, ...fixture } = await createFixture(database.db);
    const deps = { db: database.db, newId: createUuidV7Source(), actor: actorNamed('test') };
    const issue = async (consumerId: string) => {
      await putConsumer(deps, { environmentId, id: consumerId }, NEW_CONSUMER);
      const issued = await issueToken(deps, { environmentId, name: consumerId, consumerId });
      return { id: issued.token.id, hash: hashToken(issued.secret) };
    };
    const [revoked, removed, other] = [await issue('one'), await issue('one'), await issue('other')];
    const snapshots = createSnapshots({ db: database.db, monotonicMs: stoppedClock });
    const notices: string[] = [];
    const listener = listenForConfig({
      databaseUrl: database.url,
      onNotice: (notice) => {
        notices.push(notice);
        snapshots.drop(notice);
      },
      onGap: snapshots.clear,
    });
    try {
      await listener.listening;
      const environment = await snapshots.environment(environmentId);
      const kept = [await snapshots.token(hashToken(fixture.token)), await snapshots.token(other.hash)];
      expect(await snapshots.token(revoked.hash)).toMatchObject({ consumerId: 'one' });
      await revokeToken(deps, revoked.id);
      await until(async () => (await snapshots.token(revoked.hash)) === null);
      expect(await snapshots.token(removed.hash)).toMatchObject({ consumerId: 'one' });
      await database.db.token.delete({ where: { id: removed.id } });
      await until(async () => (await snapshots.token(removed.hash)) === null);
      expect(new Set(notices)).toEqual(new Set([`consumer:${environmentId}:one`]));
      expect(await snapshots.environment(environmentId)).toBe(environment);
      expect(await snapshots.token(hashToken(fixture.token))).toBe(kept[0]);
      expect(await snapshots.token(other.hash)).toBe(kept[1]);
    } finally {
      await listener.close();
    }
  });

  it('are dropped by a notification while other loads hang', async () => {
    const [fixture, other] = [await createFixture(database.db), await createFixture(database.db)];
    const db = withoutAnswerFor(other.environmentId);
    const snapshots = createSnapshots({ db, monotonicMs: stoppedClock });
    const billingStatus = async () =>
      (await snapshots.environment(fixture.environmentId))?.tenant.billingStatus;
    expect(await billingStatus()).toBe('active');
    void snapshots.environment(other.environmentId);
    await database.db.tenant.update({
      where: { id: fixture.tenantId },
      data: { billingStatus: 'suspended' },
    });
    snapshots.drop(`tenant:${fixture.tenantId}`);
    await until(async () => (await billingStatus()) === 'suspended');
  });

  it('are all dropped after a lost connection, because notifications were missed', async () => {
    const gaps: number[] = [];
    const listener = listenForConfig({
      databaseUrl: database.url,
      onNotice: () => undefined,
      onGap: () => gaps.push(gaps.length),
    });
    await listener.listening;
    await database.db.$executeRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE 'LISTEN%'`;
    await until(async () => gaps.length >= 2);
    await listener.close();
  });

  it("return the database's time, independent of the process's clock", async () => {
    const fixture = await createFixture(database.db);
    let elapsed = 0;
    const snapshots = createSnapshots({ db: database.db, monotonicMs: () => elapsed });
    const environment = await snapshots.environment(fixture.environmentId);
    const before = environment?.databaseNow().getTime() ?? 0;
    elapsed += 1_500;
    expect((environment?.databaseNow().getTime() ?? 0) - before).toBe(1_500);
  });

  it("return the database's time without the wait for a connection", async () => {
    const fixture = await createFixture(database.db, {});
    const db = openDatabase(database.url, { poolSize: 1 });
    try {
      let elapsed = 0;
      const snapshots = createSnapshots({ db, monotonicMs: () => elapsed });
      const { loading } = await db.$transaction(async (tx) => {
        // This transaction has the only connection, so the load waits for its end.
        await tx.$queryRaw`SELECT 1`;
        const waiting = snapshots.environment(fixture.environmentId);
        elapsed = 3_600_000;
        return { loading: waiting };
      });
      const environment = await loading;
      const ahead = (environment?.databaseNow().getTime() ?? 0) - Date.now();
      expect(ahead).toBeLessThan(1_800_000);
    } finally {
      await db.$disconnect();
    }
  });
});

describe('a memo', () => {
  it('serves a load that was in flight at a change only to those who wait for it', async () => {
    const loads: ((value: { readonly version: number }) => void)[] = [];
    const memo = createMemo(stoppedClock, 10, () => {
      return new Promise<{ readonly version: number }>((resolve) => loads.push(resolve));
    });
    const before = memo.get('key');
    memo.dropWhere(() => false);
    const after = memo.get('key');
    loads[0]?.({ version: 1 });
    loads[1]?.({ version: 2 });
    expect([await before, await after, await memo.get('key')]).toEqual([
      { version: 1 },
      { version: 2 },
      { version: 2 },
    ]);
    memo.dropWhere(({ version }) => version === 1);
    expect(await memo.get('key')).toEqual({ version: 2 });
  });
});
