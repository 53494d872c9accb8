import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { createIngest, readBacklog } from '../src/index.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { eventFor, onlyRun, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const NOTHING = { dueRuns: 0, ageSeconds: 0 };

async function backlogOf(kind: string) {
  return (await readBacklog(database.db)).find((backlog) => backlog.kind === kind);
}

describe('the backlog', () => {
  it('is empty for each kind when no run waits', async () => {
    expect(await backlogOf('webhook')).toEqual({ kind: 'webhook', ...NOTHING });
    expect(await backlogOf('email')).toEqual({ kind: 'email', ...NOTHING });
  });

  it('counts the due runs of all channels, and is as old as the oldest', async () => {
    const ingest = createIngest(database.db);
    const fixtures = [
      await createFixture(database.db, { channels: [WEBHOOK] }),
      await createFixture(database.db, { channels: [WEBHOOK] }),
    ];
    const [first] = fixtures;
    if (!first) throw new Error('no fixture');
    for (const fixture of fixtures) await ingest(eventFor(fixture));
    const oldest = onlyRun(await ingest(eventFor(first)));
    await ingest(eventFor(first, { scheduleAt: new Date(Date.now() + 3_600_000) }));
    await database.db.$executeRaw`
      UPDATE delivery_runs SET due_at = now() - interval '10 minutes' WHERE id = ${oldest}::uuid`;

    const backlog = await backlogOf('webhook');

    expect(backlog?.dueRuns).toBe(3);
    expect(backlog?.ageSeconds).toBeGreaterThanOrEqual(600);
    expect(await backlogOf('email')).toEqual({ kind: 'email', ...NOTHING });
  });
});
