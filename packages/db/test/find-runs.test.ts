import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import {
  createIngest,
  createRunLookup,
  findOverdueRuns,
  findUpcomingRuns,
  type RunCursor,
} from '../src/index.ts';
import {
  createFixture,
  createOwnerClaim,
  createTestDatabase,
  type TestDatabase,
} from '../src/testing/index.ts';
import { eventFor, onlyRun, plannedRuns, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const EMAIL = {
  kind: 'email',
  name: 'mail',
  config: { smtp: { host: '127.0.0.1', port: 9, secure: false }, from: { email: 'a@example.com' } },
} as const;

const many = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

describe('the look-up of the run of a job', () => {
  it('finds a waiting run, due or not, and no running, ended or unknown one', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const ingest = createIngest(database.db);
    const scheduleAt = new Date(Date.now() + 3_600_000);
    const due = onlyRun(await ingest(eventFor(fixture)));
    const later = onlyRun(await ingest(eventFor(fixture, { scheduleAt })));
    const find = createRunLookup(database.db);
    const [channelId] = fixture.channels.map(({ id }) => id);
    for (const runId of [due, later]) {
      expect(await find(runId)).toMatchObject({ runId, channelId, kind: 'webhook', renderedFor: null });
    }
    await createOwnerClaim(database.db)({ runId: due, attemptId: randomUUID() });
    await database.db.$executeRaw`UPDATE delivery_runs SET status = 'cancelled', completed_at = now()
      WHERE id = ${later}::uuid`;
    expect(await Promise.all([due, later, randomUUID()].map(find))).toEqual([null, null, null]);
  });
});

describe('the search for overdue runs', () => {
  const PAGE = {
    kinds: [{ kind: 'webhook', limit: 50 }],
    withoutChannels: [],
    graceMs: 0,
    perChannel: 10,
  } as const;

  it('finds the run of a healthy channel behind more backlogs than the limit', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `bad ${index}`);
    const bad = await createFixture(database.db, { channels: names.map((name) => ({ ...WEBHOOK, name })) });
    const good = await createFixture(database.db, { channels: [WEBHOOK] });
    const ingest = createIngest(database.db);
    await many(10, () => ingest(eventFor(bad)));
    const healthy = onlyRun(await ingest(eventFor(good)));
    const found = await findOverdueRuns(database.db, PAGE);
    expect(found).toHaveLength(50);
    expect(found.map((run) => run.runId)).toContain(healthy);
  });

  it('is fair: the backlog of one channel does not hide the runs of another', async () => {
    const [busy, quiet] = await many(2, () => createFixture(database.db, { channels: [WEBHOOK] }));
    if (!busy || !quiet) throw new Error('no fixtures');
    const ingest = createIngest(database.db);
    await many(100, () => ingest(eventFor(busy)));
    const quietRun = onlyRun(await ingest(eventFor(quiet)));
    const found = await findOverdueRuns(database.db, PAGE);
    expect(found).toHaveLength(11);
    expect(found.map((run) => run.runId)).toContain(quietRun);
    expect(await findOverdueRuns(database.db, { ...PAGE, graceMs: 60_000 })).toEqual([]);
  });

  it('finds only runs of the given kind, without those of excluded channels', async () => {
    const webhook = await createFixture(database.db, { channels: [WEBHOOK] });
    const email = await createFixture(database.db, { channels: [EMAIL] });
    const ingest = createIngest(database.db);
    const webhookRun = onlyRun(await ingest(eventFor(webhook)));
    const runs = plannedRuns(email).map((run) => ({
      ...run,
      channel: { ...run.channel, kind: 'email' as const },
    }));
    const emailRun = onlyRun(await ingest(eventFor(email, { runs })));
    const ids = async (changes: Partial<Parameters<typeof findOverdueRuns>[1]>) =>
      (await findOverdueRuns(database.db, { ...PAGE, ...changes })).map(({ runId }) => runId);
    expect(await ids({})).toEqual([webhookRun]);
    expect(await ids({ kinds: [{ kind: 'email', limit: 50 }] })).toEqual([emailRun]);
    expect(await ids({ withoutChannels: [randomUUID()] })).toEqual([webhookRun]);
    expect(await ids({ withoutChannels: webhook.channels.map(({ id }) => id) })).toEqual([]);
  });
});

describe('the search for upcoming runs', () => {
  const HOUR_MS = 3_600_000;

  it('pages through all of them by due time, each once, even if only microseconds or ids differ', async () => {
    const [one, two] = await many(2, () => createFixture(database.db, { channels: [WEBHOOK] }));
    if (!one || !two) throw new Error('no fixtures');
    const ingest = createIngest(database.db);
    const scheduleAt = new Date(Date.now() + HOUR_MS / 2);
    const runIds = await many(24, async (index) =>
      onlyRun(await ingest(eventFor(index % 2 ? one : two, { scheduleAt }))),
    );
    for (const [index, runId] of runIds.entries()) {
      await database.db.$executeRaw`
        UPDATE delivery_runs SET due_at = due_at + make_interval(secs => ${index % 4}::float8 / 1000000)
         WHERE id = ${runId}::uuid`;
    }
    const found: string[] = [];
    let after: RunCursor | number | null = 0;
    while (after !== null) {
      const page = await findUpcomingRuns(database.db, { after, toMs: HOUR_MS, limit: 5 });
      found.push(...page.runs.map(({ runId }) => runId));
      after = page.next;
    }
    const ordered = await database.db.deliveryRun.findMany({ orderBy: [{ dueAt: 'asc' }, { id: 'asc' }] });
    expect(found).toEqual(ordered.map(({ id }) => id));
  });

  it('starts at a given position and ends at the horizon', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const scheduleAt = new Date(Date.now() + HOUR_MS);
    const runId = onlyRun(await createIngest(database.db)(eventFor(fixture, { scheduleAt })));
    const ids = async (after: number, toMs: number) =>
      (await findUpcomingRuns(database.db, { after, toMs, limit: 5 })).runs.map((run) => run.runId);
    expect(await ids(0, HOUR_MS / 2)).toEqual([]);
    expect(await ids(HOUR_MS * 2, HOUR_MS * 3)).toEqual([]);
    expect(await ids(HOUR_MS / 2, HOUR_MS * 2)).toEqual([runId]);
  });

  it('leaves out runs that have become due since the previous page', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const ingest = createIngest(database.db);
    const scheduleAt = new Date(Date.now() + HOUR_MS / 2);
    const fallenDue = onlyRun(await ingest(eventFor(fixture, { scheduleAt })));
    const upcoming = onlyRun(await ingest(eventFor(fixture, { scheduleAt })));
    await database.db.$executeRaw`
      UPDATE delivery_runs SET due_at = now() - interval '1 minute' WHERE id = ${fallenDue}::uuid`;
    const after = { dueAt: new Date(Date.now() - HOUR_MS).toISOString(), runId: randomUUID() };
    const page = await findUpcomingRuns(database.db, { after, toMs: HOUR_MS, limit: 5 });
    expect(page.runs.map(({ runId }) => runId)).toEqual([upcoming]);
  });
});
