import { randomUUID } from 'node:crypto';
import { formatId } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  type Database,
  erasePage,
  listSuppressions,
  openDatabase,
  readDeliveries,
  readInEnvironments,
  readMessage,
  recordFeedback,
} from '../../src/index.ts';
import { createFixture, type Fixture } from '../../src/testing/index.ts';
import { ask, newId } from '../erasures/support.ts';
import { EMAIL, endRun, report, reported, type Sent, sendOne, useFeedback } from './support.ts';

const world = useFeedback();
let worker: Database;
let ours: Fixture;
beforeAll(async () => {
  worker = openDatabase(world.urlFor('postrider_worker'), { poolSize: 2 });
  ours = await world.fixture();
});
afterAll(() => worker.$disconnect());

const rowsOf = ({ runId }: Sent) => world.db.runFeedback.findMany({ where: { runId } });

/** What the run shows, as both reads have it. */
async function shownBy({ messageId, runId }: Sent, { environmentId }: Fixture = ours) {
  return readInEnvironments(world.api, [environmentId], async (tx) => {
    const page = await readDeliveries(tx, { environmentId, messageId });
    const message = await readMessage(tx, { environmentId, messageId });
    const [run] = page?.rows.filter(({ id }) => id === runId) ?? [];
    const [summary] = message?.runs.filter(({ id }) => id === runId) ?? [];
    expect(summary?.feedback).toEqual(run?.feedback);
    return run?.feedback ?? null;
  });
}

describe('feedback', () => {
  it('is shown with its run, and does not change the status of run or message', async () => {
    const sent = await sendOne(world.api, ours);
    expect(await shownBy(sent)).toBeNull();
    await endRun(world.db, sent.runId);
    const result = await report(world.deps, ours, [
      reported(sent, { type: 'bounced', permanent: true, reason: '550 no such user' }),
    ]);
    expect(result).toMatchObject({ recorded: [{ type: 'bounced' }], duplicates: 0, ignored: 0 });
    expect(await shownBy(sent)).toEqual({
      type: 'bounced',
      permanent: true,
      at: new Date('2026-11-22T10:00:00.000Z'),
      reason: '550 no such user',
    });
    const message = await readInEnvironments(world.api, [ours.environmentId], (tx) =>
      readMessage(tx, { environmentId: ours.environmentId, messageId: sent.messageId }),
    );
    expect(message?.status).toBe('delivered');
  });

  it('is recorded once, even if it is repeated concurrently', async () => {
    const sent = await sendOne(world.api, ours);
    const event = reported(sent, { type: 'complained' });
    const [first] = await Promise.all([1, 2, 3].map(() => report(world.deps, ours, [event, event])));
    expect(first?.ignored).toBe(0);
    const again = await report(world.deps, ours, [event, event, { ...event, type: 'delivered' }]);
    expect(again).toEqual({ recorded: [], duplicates: 3, ignored: 0 });
    expect(await rowsOf(sent)).toHaveLength(1);
  });

  it('with a future time is dated at its arrival', async () => {
    const sent = await sendOne(world.api, ours);
    await report(world.deps, ours, [reported(sent, { at: new Date('2999-01-01T00:00:00Z') })]);
    const [row] = await rowsOf(sent);
    expect(row?.at).toEqual(row?.receivedAt);
  });

  it("finds the run by the provider's message id", async () => {
    const sent = await sendOne(world.api, ours);
    const providerMessageId = `<${randomUUID()}@provider.example>`;
    await endRun(world.db, sent.runId, providerMessageId);
    const event = reported(sent, { runId: null, providerMessageId });
    expect((await report(world.deps, ours, [event])).recorded).toHaveLength(1);
    expect((await report(world.deps, ours, [{ ...event, providerMessageId: 'unknown' }])).ignored).toBe(1);
  });

  it("finds the run by the provider's id, even if attempts of another tenant have the same id", async () => {
    const providerMessageId = randomUUID();
    const other = await world.fixture();
    for (let sent = 0; sent < 20; sent += 1) {
      await endRun(world.db, (await sendOne(world.api, other)).runId, providerMessageId);
    }
    const sent = await sendOne(world.api, ours);
    await endRun(world.db, sent.runId, providerMessageId);
    const event = reported(sent, { runId: null, providerMessageId });
    expect((await report(world.deps, ours, [event])).recorded).toHaveLength(1);
  });

  it.each([
    ['of another tenant', () => world.fixture()],
    [
      'of another environment of the tenant',
      () => createFixture(world.db, { channels: [EMAIL], tenantId: ours.tenantId }),
    ],
    [
      'of another channel of the environment',
      async () => ({ ...ours, channels: (await world.fixture()).channels }),
    ],
  ])('%s is ignored, by run id and by provider id', async (_whose, makeOther) => {
    const sent = await sendOne(world.api, ours);
    const providerMessageId = randomUUID();
    await endRun(world.db, sent.runId, providerMessageId);
    const bounce = { type: 'bounced', permanent: true } as const;
    const events = [
      reported(sent, bounce),
      reported(sent, { ...bounce, runId: null, providerMessageId }),
      reported({ runId: newId() }, bounce),
      reported(sent, { ...bounce, runId: 'run_none' }),
      reported(sent, { ...bounce, runId: null }),
    ];
    const other = await makeOther();
    expect(await report(world.deps, other, events)).toEqual({ recorded: [], duplicates: 0, ignored: 5 });
    expect(await rowsOf(sent)).toEqual([]);
  });

  it('of one type is limited per run, and more important types are still stored', async () => {
    const sent = await sendOne(world.api, ours);
    const deferred = Array.from({ length: 30 }, () => reported(sent, { type: 'deferred' }));
    await report(world.deps, ours, deferred.slice(0, 15));
    await report(world.deps, ours, deferred);
    await report(world.deps, ours, [...deferred, reported(sent, { type: 'bounced' })]);
    const rows = await rowsOf(sent);
    expect(rows.length).toBeLessThanOrEqual(50);
    expect(await shownBy(sent)).toMatchObject({ type: 'bounced' });
    const before = rows.length;
    await report(world.deps, ours, [reported(sent, { type: 'deferred' })]);
    expect(await rowsOf(sent)).toHaveLength(before);
  });

  it('about an address in copy is recorded once, and not shown with the run', async () => {
    const fixture = await world.fixture({ bcc: 'blind@example.com' });
    const sent = await sendOne(world.api, fixture);
    const ofCopy = { type: 'bounced', permanent: true, email: 'copy@example.com' } as const;
    const events = [
      ...Array.from({ length: 20 }, () => reported(sent, ofCopy)),
      reported(sent, { type: 'complained', email: 'blind@example.com' }),
    ];
    expect(await report(world.deps, fixture, events)).toMatchObject({ duplicates: 0, ignored: 0 });
    expect(await shownBy(sent, fixture)).toBeNull();
    const again = await report(world.deps, fixture, [
      ...events,
      reported(sent, { email: 'ADA@example.com' }),
    ]);
    expect(again).toMatchObject({ recorded: [{ type: 'delivered' }], duplicates: events.length });
    expect(await shownBy(sent, fixture)).toMatchObject({ type: 'delivered' });
    // Copies leave room for what is reported of the recipient.
    await report(world.deps, fixture, [reported(sent, { type: 'bounced', permanent: true })]);
    expect(await shownBy(sent, fixture)).toMatchObject({ type: 'bounced', permanent: true });
  });

  it('about another address is about the recipient of a mail without copies', async () => {
    const fixture = await world.fixture();
    const sent = await sendOne(world.api, fixture);
    await report(world.deps, fixture, [
      reported(sent, { type: 'bounced', permanent: true, email: 'home@example.net' }),
    ]);
    // It may be forwarded besides being read where it was sent to.
    expect(await shownBy(sent, fixture)).toMatchObject({ type: 'bounced', permanent: false });
    const where = { environmentId: fixture.environmentId };
    expect(await world.db.suppression.findMany({ where })).toEqual([]);
    const complaint = reported(sent, { type: 'complained', email: 'redacted@example.net' });
    await report(world.deps, fixture, [complaint], true);
    expect(await shownBy(sent, fixture)).toMatchObject({ type: 'complained' });
    expect(await world.db.suppression.findMany({ where })).toMatchObject([
      { source: 'complaint', scope: 'all' },
    ]);
  });

  it('is removed with its message', async () => {
    const sent = await sendOne(world.api, ours);
    await report(world.deps, ours, [reported(sent)]);
    await world.db.message.delete({
      where: { environmentId_id: { environmentId: ours.environmentId, id: sent.messageId } },
    });
    expect(await rowsOf(sent)).toEqual([]);
  });

  it('of an erased recipient keeps no text, before and after the erasure', async () => {
    const fixture = await world.fixture();
    const sent = await sendOne(world.api, fixture);
    await endRun(world.db, sent.runId);
    const reason = '550 <ada@example.com>: unknown';
    await report(world.deps, fixture, [reported(sent, { type: 'bounced', reason })]);
    const { id } = await ask(world.db, fixture);
    await erasePage({ db: worker, newId, keys: world.deps.keys, lateMessagesSeconds: 0 }, { id });
    await report(world.deps, fixture, [reported(sent, { type: 'complained', email: null, reason })]);
    expect((await rowsOf(sent)).map((row) => row.reason)).toEqual([null, null]);
    expect(await shownBy(sent, fixture)).toMatchObject({ type: 'complained', reason: null });
  });
});

describe('an address that must get no more email', () => {
  const BOUNCE = { type: 'bounced', permanent: true } as const;

  /** The suppression list of an environment. */
  async function listOf({ environmentId }: Fixture) {
    const page = { environmentId, after: null, limit: 100 };
    const { rows } = await listSuppressions(world.db, await world.deps.keys.get(), page);
    return rows.map(({ email, scope, source, reason }) => ({ email, scope, source, reason }));
  }

  it.each([
    ['bounced', true, 'hard_bounce'],
    ['complained', false, 'complaint'],
  ] as const)('is suppressed when its mail is %s (permanent: %s)', async (type, permanent, source) => {
    const fixture = await world.fixture();
    const sent = await sendOne(world.api, fixture);
    await report(world.deps, fixture, [reported(sent, { type, permanent, reason: '550 <ada@example.com>' })]);
    expect(await listOf(fixture)).toEqual([
      {
        email: 'ada@example.com',
        scope: 'all',
        source,
        reason: `Reported by provider of ${formatId('run', sent.runId)}.`,
      },
    ]);
  });

  it.each([
    ['bounced', false],
    ['deferred', false],
    ['delivered', false],
    // Of a transactional mail, which has no stream.
    ['unsubscribed', false],
  ] as const)('is not suppressed when its mail is %s (permanent: %s)', async (type, permanent) => {
    const fixture = await world.fixture();
    await report(world.deps, fixture, [reported(await sendOne(world.api, fixture), { type, permanent })]);
    expect(await listOf(fixture)).toEqual([]);
  });

  it('is not suppressed again by a repeated report after an operator has removed it', async () => {
    const fixture = await world.fixture();
    const event = reported(await sendOne(world.api, fixture), BOUNCE);
    await report(world.deps, fixture, [event]);
    await world.db.suppression.deleteMany({ where: { environmentId: fixture.environmentId } });
    await report(world.deps, fixture, [event]);
    expect(await listOf(fixture)).toEqual([]);
  });

  it('is only suppressed in the stream of its mail when it unsubscribes', async () => {
    const fixture = await world.fixture();
    const sent = await sendOne(world.api, fixture);
    await world.db.message.updateMany({ where: { id: sent.messageId }, data: { stream: 'news' } });
    await report(world.deps, fixture, [reported(sent, { type: 'unsubscribed' })]);
    expect(await listOf(fixture)).toMatchObject([{ scope: 'news' }]);
  });

  it("is the recipient's if the report names no address", async () => {
    const [one, other] = [await world.fixture(), await world.fixture()];
    await report(world.deps, one, [reported(await sendOne(world.api, one), { ...BOUNCE, email: null })]);
    await report(world.deps, other, [
      reported(await sendOne(world.api, other), { ...BOUNCE, email: 'Ada <x>' }),
    ]);
    for (const fixture of [one, other])
      expect(await listOf(fixture)).toMatchObject([{ email: 'ada@example.com' }]);
  });

  it.each([
    [false, ['copy@example.com']],
    [true, []],
  ])('is the copy that the report names, not the recipient (unsigned: %s)', async (unsigned, suppressed) => {
    const fixture = await world.fixture({ cc: 'copy@example.com' });
    const sent = await sendOne(world.api, fixture);
    await report(world.deps, fixture, [reported(sent, { ...BOUNCE, email: 'copy@example.com' })], unsigned);
    expect((await listOf(fixture)).map(({ email }) => email)).toEqual(suppressed);
    expect(await shownBy(sent, fixture)).toBeNull();
  });

  it('is not suppressed again as a copy once an operator has removed it', async () => {
    const fixture = await world.fixture({ cc: 'copy@example.com' });
    const event = reported(await sendOne(world.api, fixture), { ...BOUNCE, email: 'copy@example.com' });
    await report(world.deps, fixture, [event]);
    await world.db.suppression.deleteMany({ where: { environmentId: fixture.environmentId } });
    await report(world.deps, fixture, [event]);
    expect(await listOf(fixture)).toEqual([]);
  });

  it("is only suppressed by an unsigned report if it is the recipient's", async () => {
    const fixture = await world.fixture();
    const sent = await sendOne(world.api, fixture);
    const victim = reported(sent, { ...BOUNCE, email: 'victim@example.com' });
    expect(await report(world.deps, fixture, [victim], true)).toMatchObject({
      recorded: [{ type: 'bounced' }],
    });
    expect(await listOf(fixture)).toEqual([]);
    await report(world.deps, fixture, [reported(sent, { ...BOUNCE, email: 'ada@EXAMPLE.com' })], true);
    expect(await listOf(fixture)).toMatchObject([{ email: 'ada@example.com' }]);
  });

  it('is stored only as a hash if the recipient was erased', async () => {
    const fixture = await world.fixture();
    const sent = await sendOne(world.api, fixture);
    await world.db.message.updateMany({
      where: { id: sent.messageId },
      data: { recipient: {}, recipientEmail: null, erasedAt: new Date() },
    });
    await report(world.deps, fixture, [reported(sent, BOUNCE)]);
    expect(await listOf(fixture)).toMatchObject([{ email: null, source: 'hard_bounce' }]);
  });

  it('is stored in the transaction of the report', async () => {
    const fixture = await world.fixture();
    const sent = await sendOne(world.api, fixture);
    // No id that a row could have.
    const keys = await world.deps.keys.get();
    const failing = recordFeedback(
      { db: world.api, newId: () => 'none', keys: { get: async () => keys } },
      {
        environmentId: fixture.environmentId,
        channelId: fixture.channels[0]?.id ?? '',
        source: 'provider',
        onlyRecipient: false,
        events: [reported(sent, BOUNCE)],
      },
    );
    await expect(failing).rejects.toThrow();
    expect(await rowsOf(sent)).toEqual([]);
    expect(await listOf(fixture)).toEqual([]);
  });
});
