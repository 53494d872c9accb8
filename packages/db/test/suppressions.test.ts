import { addressHash, createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  addSuppression,
  createAddressHashKey,
  createIngest,
  createServiceKeys,
  deleteExpiredRows,
  findSubscription,
  importSuppressions,
  listSuppressions,
  type NewSuppression,
  openDatabase,
  removeSuppression,
  resubscribe,
  ServiceKeyLost,
  type ServiceKeySource,
  type Subscription,
  suppress,
  type UnboundDatabase,
  unsubscribe,
} from '../src/index.ts';
import {
  actorNamed,
  createFixture,
  createOwnerClaim,
  createTestDatabase,
  createTestKeys,
  createTestSecretBox,
  type Fixture,
  type TestDatabase,
} from '../src/testing/index.ts';
import { ask, work } from './erasures/support.ts';
import { accepted, eventFor } from './support.ts';

const newId = createUuidV7Source();
const actor = actorNamed('op');
const MAIL = {
  kind: 'email',
  name: 'mail',
  config: { smtp: { host: 'mail.test', port: 25 }, from: { email: 'shop@mail.test' } },
} as const;
const HOOK = { kind: 'webhook', name: 'hook', config: { url: 'https://hook.test/' } } as const;
const TEMPLATE = {
  eventKey: 'order.shipped',
  channelKind: 'email',
  subject: 'Sent',
  text: 'Sent',
  activate: true,
} as const;

let database: TestDatabase;
let db: UnboundDatabase;
let keys: ServiceKeySource;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  keys = createTestKeys(db);
});
afterAll(() => database.drop());

const deps = async () => ({ db, newId, actor, keys: await keys.get() });
const mailFixture = () => createFixture(db, { channels: [MAIL], templates: [TEMPLATE] });

/** Puts an address on the list as a hard bounce does. */
async function put(fixture: Fixture, entry: Partial<NewSuppression> = {}): Promise<boolean> {
  const suppressDeps = { newId, keys: await keys.get() };
  const { environmentId } = fixture;
  return db.$transaction((tx) =>
    suppress(tx as never, suppressDeps, {
      environmentId,
      email: 'ada@example.com',
      source: 'hard_bounce',
      ...entry,
    }),
  );
}

/** An event to an address, for the fixture's only channel. */
function eventTo(fixture: Fixture, email: string, more: object = {}) {
  const [channel] = fixture.channels;
  const [template] = fixture.templates;
  const kind = template ? 'email' : 'webhook';
  const run = {
    channel: { id: channel?.id ?? '', kind, name: kind },
    templateVersionId: template?.id ?? null,
  };
  return eventFor(fixture, { recipient: { email }, runs: [{ ...run, maxAttempts: 3 }], ...more });
}

/** What comes of a run that is claimed now. */
async function claim(
  runId: string,
  addressHashKey: () => Promise<Uint8Array | null> = createAddressHashKey(keys, () => undefined),
) {
  return createOwnerClaim(db, { addressHashKey: await addressHashKey() })({ runId, attemptId: newId() });
}

/** Accepts an event and returns what the claim of its first run gives. */
async function sendTo(fixture: Fixture, email: string, more: object = {}) {
  const { wakeUps } = accepted(await createIngest(db)(eventTo(fixture, email, more)));
  const runId = wakeUps[0]?.runId ?? '';
  const { outcome } = await claim(runId);
  return { runId, outcome };
}

const list = async ({ environmentId }: Fixture, email?: string) =>
  (await listSuppressions(db, await keys.get(), { environmentId, email, after: null, limit: 10 })).rows;

describe('a suppressed address', () => {
  it('ends a run with an attempt that was never opened and says why', async () => {
    const fixture = await mailFixture();
    await put(fixture);
    const { runId, outcome } = await sendTo(fixture, 'ada@example.com');
    expect(outcome).toBe('recipient_suppressed');
    const run = await db.deliveryRun.findFirstOrThrow({ where: { id: runId }, include: { attempts: true } });
    expect(run).toMatchObject({ status: 'failed', lastErrorCode: 'recipient_suppressed', attemptCount: 1 });
    expect(run.attempts).toMatchObject([
      {
        status: 'failed',
        errorCode: 'recipient_suppressed',
        errorMessage:
          "Nothing was sent: the recipient's address is on the suppression list (hard_bounce, scope all).",
        retryable: false,
      },
    ]);
  });

  it('does not affect other addresses, other environments and webhooks', async () => {
    const fixture = await createFixture(db, { channels: [MAIL], templates: [TEMPLATE] });
    const other = await mailFixture();
    const hooks = await createFixture(db, { channels: [HOOK] });
    await put(fixture);
    await put(hooks);
    expect((await sendTo(fixture, 'ada2@example.com')).outcome).toBe('claimed');
    expect((await sendTo(other, 'ada@example.com')).outcome).toBe('claimed');
    expect((await sendTo(hooks, 'ada@example.com')).outcome).toBe('claimed');
  });

  it('is matched in any case, also in messages of earlier releases', async () => {
    const fixture = await mailFixture();
    await put(fixture, { email: ' Ada@Example.COM' });
    for (const email of ['ada@example.com', 'ADA@EXAMPLE.COM', 'aDa@exAmple.com']) {
      expect((await sendTo(fixture, email)).outcome).toBe('recipient_suppressed');
    }
  });

  it('of a stream stops only this stream; of `all` also transactional email', async () => {
    const fixture = await mailFixture();
    await put(fixture, { scope: 'news', source: 'unsubscribe' });
    expect((await sendTo(fixture, 'ada@example.com', { stream: 'news' })).outcome).toBe(
      'recipient_suppressed',
    );
    expect((await sendTo(fixture, 'ada@example.com', { stream: 'offers' })).outcome).toBe('claimed');
    expect((await sendTo(fixture, 'ada@example.com')).outcome).toBe('claimed');
    await put(fixture);
    expect((await sendTo(fixture, 'ada@example.com', { stream: 'offers' })).outcome).toBe(
      'recipient_suppressed',
    );
  });

  it('still gets email that ignores the list', async () => {
    const fixture = await mailFixture();
    await put(fixture);
    expect((await sendTo(fixture, 'ada@example.com', { ignoreSuppression: true })).outcome).toBe('claimed');
  });

  it('makes runs wait while the key cannot be decrypted, except in environments without a list', async () => {
    const [listed, unlisted] = [await mailFixture(), await mailFixture()];
    await put(listed, { email: 'bob@example.com' });
    const lost: unknown[] = [];
    const key = createAddressHashKey(createServiceKeys({ db, secretBox: createTestSecretBox() }), (error) =>
      lost.push(error),
    );
    const run = async (fixture: Fixture) => {
      const { wakeUps } = accepted(await createIngest(db)(eventTo(fixture, 'ada@example.com')));
      return claim(wakeUps[0]?.runId ?? '', key);
    };
    expect((await run(listed)).outcome).toBe('not_claimable');
    expect((await run(unlisted)).outcome).toBe('claimed');
    expect(lost[0]).toBeInstanceOf(ServiceKeyLost);
  });
});

describe('the list', () => {
  it('keeps the first entry of an address and scope, and its audit entry has no address', async () => {
    const fixture = await mailFixture();
    const { environmentId } = fixture;
    const entry = { environmentId, email: 'Ada@example.com', reason: 'asked', source: 'manual' } as const;
    expect(await addSuppression(await deps(), entry)).toMatchObject({ reason: 'asked' });
    expect(await addSuppression(await deps(), { ...entry, reason: 'again' })).toMatchObject({
      reason: 'asked',
    });
    expect(await list(fixture)).toMatchObject([{ email: 'Ada@example.com', scope: 'all', reason: 'asked' }]);
    const entries = await db.auditEntry.findMany({ where: { environmentId, resourceType: 'suppression' } });
    expect(entries).toHaveLength(1);
    expect(JSON.stringify(entries)).not.toMatch(/ada@|asked/i);
  });

  it('is stored without plaintext addresses, which differ between environments', async () => {
    const [first, second] = [await mailFixture(), await mailFixture()];
    await put(first);
    await put(second);
    const rows = await db.suppression.findMany({
      where: { environmentId: { in: [first.environmentId, second.environmentId] } },
    });
    expect(new Set(rows.map(({ addressHash: hash }) => Buffer.from(hash).toString('hex'))).size).toBe(2);
    // `ada` alone can occur in a hexadecimal id.
    expect(JSON.stringify(rows)).not.toMatch(/ada@|example\.com/i);
  });

  it('is searched by the exact address in any case', async () => {
    const fixture = await mailFixture();
    await put(fixture);
    await put(fixture, { email: 'bob@example.com' });
    expect(await list(fixture, 'ADA@example.com')).toMatchObject([{ email: 'ada@example.com' }]);
    expect(await list(fixture, 'carol@example.com')).toEqual([]);
  });

  it('is imported idempotently', async () => {
    const fixture = await mailFixture();
    const { environmentId } = fixture;
    const entries = ['a@example.com', 'A@example.com', 'b@example.com'].map((email) => ({
      email,
      source: 'import' as const,
    }));
    const twice = async () => importSuppressions(await deps(), { environmentId, entries });
    expect(await twice()).toEqual({ added: 2, existing: 1 });
    expect(await twice()).toEqual({ added: 0, existing: 3 });
    expect(await list(fixture)).toHaveLength(2);
  });

  it('allows email again once an entry is removed', async () => {
    const fixture = await mailFixture();
    await put(fixture);
    const [entry] = await list(fixture);
    expect(await removeSuppression(await deps(), { id: entry?.id ?? '' })).toBe(true);
    expect(await removeSuppression(await deps(), { id: entry?.id ?? '' })).toBe(false);
    expect((await sendTo(fixture, 'ada@example.com')).outcome).toBe('claimed');
  });

  it('keeps the hash of an erased address, even if the address is imported again', async () => {
    const fixture = await mailFixture();
    const { environmentId } = fixture;
    await put(fixture, { email: 'ADA@example.com' });
    await put(fixture, { email: 'bob@example.com' });
    const erasure = await ask(db, fixture);
    expect((await work(db, erasure)).outcome).toBe('completed');
    const entry = { email: 'ada@example.com', source: 'import' } as const;
    expect(await importSuppressions(await deps(), { environmentId, entries: [entry] })).toMatchObject({
      added: 0,
      existing: 1,
    });
    expect((await list(fixture)).map(({ email }) => email)).toEqual(['bob@example.com', null]);
    expect(await list(fixture, 'ada@example.com')).toMatchObject([{ email: null, source: 'hard_bounce' }]);
    expect((await sendTo(fixture, 'ada@example.com')).outcome).toBe('recipient_suppressed');
  });
});

describe('a suppression that ends', () => {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1_000);

  it('stops mail until then alone, and is then removed', async () => {
    const fixture = await mailFixture();
    await put(fixture, { expiresAt: at(3_600) });
    expect((await sendTo(fixture, 'ada@example.com')).outcome).toBe('recipient_suppressed');
    await db.suppression.updateMany({
      where: { environmentId: fixture.environmentId },
      data: { expiresAt: at(-3_600) },
    });
    expect((await sendTo(fixture, 'ada@example.com')).outcome).toBe('claimed');
    await put(fixture, { email: 'bob@example.com', expiresAt: at(3_600) });
    await put(fixture, { email: 'carol@example.com' });
    await deleteExpiredRows(db, 'suppressions', 1_000);
    const left = await list(fixture);
    expect(left.map(({ email }) => email)).toEqual(['carol@example.com', 'bob@example.com']);
  });

  it('is replaced by one that ends later or never, and not by an earlier one', async () => {
    const fixture = await mailFixture();
    const [soon, later] = [at(3_600), at(7_200)];
    expect(await put(fixture, { source: 'soft_bounce', expiresAt: later })).toBe(true);
    expect(await put(fixture, { expiresAt: soon })).toBe(false);
    expect(await list(fixture)).toMatchObject([{ source: 'soft_bounce', expiresAt: later }]);
    expect(await put(fixture)).toBe(true);
    expect(await put(fixture, { source: 'soft_bounce', expiresAt: later })).toBe(false);
    expect(await list(fixture)).toMatchObject([
      { source: 'hard_bounce', expiresAt: null, email: 'ada@example.com' },
    ]);
  });

  it('does not bring back a text that was erased', async () => {
    const fixture = await mailFixture();
    await put(fixture, { expiresAt: at(3_600) });
    await work(db, await ask(db, fixture));
    expect(await put(fixture)).toBe(true);
    expect(await list(fixture)).toMatchObject([{ email: null, expiresAt: null }]);
  });
});

describe('a link of an email', () => {
  /** What the API's own role may do, in the environment of the link alone. */
  it("works with the API's role, which sees no other environment", async () => {
    const [fixture, other] = [await mailFixture(), await mailFixture()];
    await put(other, { scope: 'news', source: 'unsubscribe' });
    const { wakeUps } = accepted(
      await createIngest(db)(eventTo(fixture, 'ada@example.com', { stream: 'news' })),
    );
    const opened = await keys.get();
    const target = {
      environmentId: fixture.environmentId,
      runId: wakeUps[0]?.runId ?? '',
      addressHash: addressHash(opened.addressHash, fixture.environmentId, 'ada@example.com'),
      stream: 'news',
    };
    const api = openDatabase(database.urlFor('postrider_api'), { poolSize: 2 });
    const suppressDeps = { db: api, newId, keys: opened };
    const addressIn = ({ recipient }: Subscription) => String(recipient.email);
    const stored = () => db.suppression.count({ where: { environmentId: fixture.environmentId } });
    try {
      expect(await findSubscription(api, target)).toMatchObject({
        isUnsubscribed: false,
        tenantName: 'Test tenant',
        channel: { kind: 'email' },
        recipient: { email: 'ada@example.com' },
      });
      for (const _ of [1, 2]) {
        expect(await unsubscribe(suppressDeps, target, addressIn)).toMatchObject({
          isUnsubscribed: true,
          canResubscribe: true,
        });
      }
      expect(await stored()).toBe(1);
      const elsewhere = { ...target, environmentId: other.environmentId };
      expect(await findSubscription(api, elsewhere)).toMatchObject({ channel: null, recipient: {} });
      expect(await resubscribe({ db: api }, target)).toMatchObject({ isUnsubscribed: false });
      expect(await stored()).toBe(0);
      expect(await db.suppression.count({ where: { environmentId: other.environmentId } })).toBe(1);
      expect(await findSubscription(api, { ...target, environmentId: newId() })).toBeNull();
    } finally {
      await api.$disconnect();
    }
  });
});
