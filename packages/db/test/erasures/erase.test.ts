import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createUuidV7Source } from '@postrider/domain';
import {
  acceptReplay,
  cancelReplayBatch,
  createErasure,
  createIngest,
  erasePage,
  readErasure,
  readUsage,
  replayPage,
} from '../../src/index.ts';
import {
  createFixture,
  createTestDatabase,
  type Fixture,
  type TestDatabase,
} from '../../src/testing/index.ts';
import { batchNow, createBatch, pageDeps } from '../replay-batches/support.ts';
import { accepted, eventFor, plannedRuns, WEBHOOK } from '../support.ts';

const ADDRESS = 'ada@example.com';
const newId = createUuidV7Source();
const actor = { name: 'op', requestId: null, traceId: null };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const fixtureOf = () => createFixture(database.db, { channels: [WEBHOOK] });

async function send(fixture: Fixture, email = ADDRESS, scheduleAt: Date | null = null): Promise<string> {
  const event = eventFor(fixture, {
    recipient: { email, name: 'Ada' },
    payload: { email },
    requestId: email,
    scheduleAt,
    respond: ({ messageId }) => Buffer.from(JSON.stringify({ message_id: messageId })),
  });
  return accepted(await createIngest(database.db)(event)).messageId;
}

/** Ends the message's run after one attempt that failed with a text of the remote end. */
async function fail(messageId: string, address = ADDRESS): Promise<void> {
  const { db } = database;
  const run = await db.deliveryRun.findFirstOrThrow({ where: { messageId } });
  const at = new Date();
  const attempt = { fence: 1, status: 'failed', startedAt: at, completedAt: at, retryable: false };
  const said = { errorMessage: `550 <${address}> unknown`, responseExcerpt: `no ${address}` };
  await db.attempt.createMany({
    data: [
      { ...attempt, ...said, runId: run.id, number: 1, id: newId(), errorCode: 'webhook_timeout' },
      { ...attempt, ...said, runId: run.id, number: 2, id: newId(), errorCode: 'webhook_http_error' },
    ],
  });
  await db.deliveryRun.update({
    where: { id: run.id },
    data: { status: 'failed', completedAt: at, attemptCount: 2 },
  });
}

const ask = ({ tenantId, environmentId }: Fixture, recipientEmail = ADDRESS) =>
  createErasure({ db: database.db, newId, actor }, { tenantId, environmentId, recipientEmail });
const work = (erasure: { id: string }) =>
  erasePage({ db: database.db, newId, lateMessagesSeconds: 0 }, erasure);
const message = (id: string) =>
  database.db.message.findFirstOrThrow({ where: { id }, include: { runs: { include: { attempts: true } } } });

const filterOf = async (id: string) =>
  (await database.db.replayBatch.findUniqueOrThrow({ where: { id } })).filter;
/** The UUID of a new bulk replay of the recipient's messages. */
const replay = async (fixture: Fixture, recipientEmail = ADDRESS) =>
  (await createBatch(database.db, fixture, { filter: { recipientEmail } })).id;

async function isLockAwaited(): Promise<boolean> {
  const waiting = await database.db.$queryRaw<unknown[]>`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return waiting.length > 0;
}

/** Everything that the database holds, as text; bytes as hex. */
async function allText(): Promise<string> {
  const { db } = database;
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = current_schema()`;
  const rows = await Promise.all(
    tables.map(({ name }) =>
      db.$queryRawUnsafe<{ text: string }[]>(`SELECT t::text AS text FROM ${name} AS t`),
    ),
  );
  return rows
    .flat()
    .map(({ text }) => text)
    .join('\n');
}

describe('the erasure of a recipient', () => {
  it('leaves the address nowhere in the database, and every count as it was', async () => {
    const fixture = await fixtureOf();
    const address = 'grace@example.com';
    const id = await send(fixture, address);
    await fail(id, address);
    const deps = { db: database.db, newId, actor };
    await cancelReplayBatch(deps, await replay(fixture, address));
    await replay(fixture, address);
    const usage = await readUsage(database.db, fixture.tenantId);
    expect(await allText()).toContain(address);
    const erasure = await ask(fixture, address);
    expect(await work(erasure)).toEqual({ outcome: 'completed' });
    const left = await allText();
    expect(left).toContain(id);
    expect(left).not.toContain(address);
    expect(left).not.toContain(Buffer.from(address).toString('hex'));
    const erased = await message(id);
    expect(erased).toMatchObject({
      recipient: {},
      recipientEmail: null,
      payload: {},
      requestId: null,
      erasedAt: expect.any(Date),
    });
    expect(erased.runs).toMatchObject([
      { status: 'failed', lastErrorCode: 'webhook_http_error', attempts: [{ responseExcerpt: null }, {}] },
    ]);
    expect(await readUsage(database.db, fixture.tenantId)).toEqual(usage);
    expect(await readErasure(database.db, erasure.id)).toMatchObject({
      status: 'completed',
      recipientEmail: null,
      messagesErased: 1,
      runsCancelled: 0,
    });
  });

  it('touches no other recipient, no other environment and nothing that came later', async () => {
    const [fixture, elsewhere] = [await fixtureOf(), await fixtureOf()];
    const others = [await send(fixture, 'bob@example.com'), await send(elsewhere)];
    const erasure = await ask(fixture);
    const later = await send(fixture);
    await database.db.$executeRaw`
      UPDATE messages SET created_at = created_at + interval '1 second' WHERE id = ${later}::uuid`;
    expect(await work(erasure)).toEqual({ outcome: 'completed' });
    for (const id of [...others, later]) expect(await message(id)).toMatchObject({ erasedAt: null });
  });

  it('cancels what waits, visibly, before it erases', async () => {
    const fixture = await fixtureOf();
    const far = await send(fixture, ADDRESS, new Date(Date.now() + 86_400_000));
    const queued = await send(fixture);
    const erasure = await ask(fixture);
    expect(await work(erasure)).toEqual({ outcome: 'completed' });
    const attempt = { status: 'cancelled', errorCode: 'scheduled_cancelled' };
    expect((await message(far)).runs).toMatchObject([{ status: 'cancelled', attempts: [attempt] }]);
    expect((await message(queued)).runs).toMatchObject([{ status: 'failed', attempts: [attempt] }]);
    expect(await readErasure(database.db, erasure.id)).toMatchObject({ runsCancelled: 2, messagesErased: 2 });
  });

  it('waits for an attempt that is open, and is completed when it has ended', async () => {
    const fixture = await fixtureOf();
    const id = await send(fixture);
    await database.db.deliveryRun.updateMany({
      where: { messageId: id },
      data: { status: 'running', leaseUntil: new Date() },
    });
    const erasure = await ask(fixture);
    expect(await work(erasure)).toEqual({ outcome: 'advanced', messages: 0 });
    expect(await message(id)).toMatchObject({ recipientEmail: ADDRESS });
    await database.db.deliveryRun.updateMany({
      where: { messageId: id },
      data: { status: 'succeeded', leaseUntil: null, completedAt: new Date() },
    });
    expect(await work(erasure)).toEqual({ outcome: 'completed' });
    expect(await message(id)).toMatchObject({ recipientEmail: null });
  });

  it('is done once by workers that take it up at once, and takes any number of pages', async () => {
    const fixture = await fixtureOf();
    for (let sent = 0; sent < 210; sent += 1) await send(fixture);
    const erasure = await ask(fixture);
    for (;;) {
      const outcomes = await Promise.all([work(erasure), work(erasure), work(erasure)]);
      if (outcomes.some(({ outcome }) => outcome === 'completed')) break;
    }
    expect(await readErasure(database.db, erasure.id)).toMatchObject({ messagesErased: 210 });
    expect(await work(erasure)).toEqual({ outcome: 'not_available' });
  }, 60_000);

  it('is in the audit log when it is asked for and when it is completed, by the address’ hash', async () => {
    const fixture = await fixtureOf();
    const erasure = await ask(fixture);
    await work(erasure);
    const entries = await database.db.auditEntry.findMany({
      where: { environmentId: fixture.environmentId, resourceType: 'erasure' },
      orderBy: { id: 'asc' },
    });
    const after = { recipient_sha256: erasure.recipientSha256 };
    expect(entries).toMatchObject([
      { action: 'erasure.created', actor: 'op', after },
      { action: 'erasure.completed', actor: 'worker', after: { ...after, status: 'completed' } },
    ]);
  });

  it('finds the bulk replays of the address in the audit log by the same hash', async () => {
    const fixture = await fixtureOf();
    const id = await replay(fixture);
    await cancelReplayBatch({ db: database.db, newId, actor }, id);
    const { recipientSha256 } = await ask(fixture);
    const filter = { recipient_sha256: recipientSha256, created_before: expect.any(String) };
    const entries = await database.db.auditEntry.findMany({
      where: { environmentId: fixture.environmentId, resourceType: 'replay_batch' },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ before, after }) => [before, after])).toEqual([
      [null, expect.objectContaining({ filter })],
      [expect.objectContaining({ filter }), expect.objectContaining({ filter })],
    ]);
  });

  it('takes the address out of a bulk replay that is open, which then completes', async () => {
    const fixture = await fixtureOf();
    await fail(await send(fixture));
    const id = await replay(fixture);
    expect(await work(await ask(fixture))).toEqual({ outcome: 'completed' });
    expect(await filterOf(id)).toMatchObject({ recipient_email: 'erased@example.invalid' });
    expect(await replayPage(pageDeps(database.db), { id })).toMatchObject({ outcome: 'advanced' });
    expect(await batchNow(database.db, id)).toMatchObject({ status: 'completed', replayed: 0 });
  });

  it('and a page of a bulk replay of the same messages do not wait for each other', async () => {
    const fixture = await fixtureOf();
    const messageId = await send(fixture);
    await fail(messageId);
    const id = await replay(fixture);
    const erasure = await ask(fixture);
    let erased: ReturnType<typeof work> | undefined;
    await database.db.$transaction(async (page) => {
      await page.$queryRaw`SELECT FROM replay_batches WHERE id = ${id}::uuid FOR UPDATE`;
      erased = work(erasure);
      while (!(await isLockAwaited())) await new Promise(setImmediate);
      await page.message.update({
        where: { environmentId_id: { environmentId: fixture.environmentId, id: messageId } },
        data: { replayCount: 1 },
      });
    });
    expect(await erased).toEqual({ outcome: 'completed' });
    expect(await filterOf(id)).toMatchObject({ recipient_email: 'erased@example.invalid' });
    expect(await message(messageId)).toMatchObject({ recipientEmail: null, replayCount: 1 });
  });

  it('keeps a message from being replayed', async () => {
    const fixture = await fixtureOf();
    const messageId = await send(fixture);
    await work(await ask(fixture));
    const replayed = await acceptReplay(database.db, {
      tenantId: fixture.tenantId,
      environmentId: fixture.environmentId,
      messageId,
      runs: plannedRuns(fixture),
      traceparent: null,
      idempotency: null,
      responseStatus: 201,
      respond: () => Buffer.from('{}'),
    });
    expect(replayed).toEqual({ outcome: 'message_not_found' });
  });
});
