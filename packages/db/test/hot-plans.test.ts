import { randomUUID } from 'node:crypto';
import { SERVICE_KINDS } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { claimRuns, createFinish, createIngest, openDatabase } from '../src/index.ts';
import { createFixture, createTestDatabase, SUCCEEDED, type TestDatabase } from '../src/testing/index.ts';
import { createGrownDatabase, type GrownDatabase } from './hot-plans/grown-database.ts';
import { HOT_WORK } from './hot-plans/hot-work.ts';
import { ALL_SETTINGS, type Explainer, GENERIC, openExplainer, SERVICE_SETTINGS } from './hot-plans/plans.ts';
import { statementsOf } from './hot-plans/sent-statements.ts';
import { eventFor, onlyRun, WEBHOOK } from './support.ts';

let grown: GrownDatabase;
let empty: TestDatabase;
let ofGrown: Explainer;
let ofEmpty: Explainer;

beforeAll(async () => {
  grown = await createGrownDatabase();
  empty = await createTestDatabase();
  ofGrown = await openExplainer(grown.url);
  ofEmpty = await openExplainer(empty.url);
}, 180_000);
afterAll(async () => {
  await Promise.all([ofGrown.close(), ofEmpty.close()]);
  await Promise.all([grown.drop(), empty.drop()]);
});

describe('among 100,000 messages', () => {
  it.each(HOT_WORK)('%s reads few rows, by indexes, prepared or not', async (_what, prepare) => {
    const sent = await statementsOf(grown.db, await prepare(grown));
    expect(sent.length).toBeGreaterThan(0);
    for (const statement of sent) {
      expect(statement.name).not.toBe('');
      for (const settings of ALL_SETTINGS) {
        expect({ settings, issues: await ofGrown.findIssues(statement, settings, true) }).toEqual({
          settings,
          issues: [],
        });
      }
    }
  });

  it.each(HOT_WORK)(
    '%s uses indexes by a plan that was made when there were none',
    async (_what, prepare) => {
      for (const statement of await statementsOf(grown.db, await prepare(grown))) {
        expect(await ofEmpty.findIssues(statement, GENERIC, false)).toEqual([]);
      }
    },
  );
});

describe('on a connection that only gets single events', () => {
  it('the statements of an event are not planned each time', async () => {
    const db = openDatabase(empty.url, { poolSize: 1 });
    const fixture = await createFixture(empty.db, { channels: [WEBHOOK] });
    const [ingest, finish] = [createIngest(db), createFinish(db)];
    const channelId = fixture.channels[0]?.id ?? '';
    const kinds = SERVICE_KINDS.filter(({ kind }) => kind === 'webhook');
    for (let event = 0; event < 10; event++) {
      const runId = onlyRun(await ingest(eventFor(fixture)));
      const key = { runId, environmentId: fixture.environmentId };
      const { environmentId } = fixture;
      const ask = { channelId, environmentId, slots: 2, renders: 0, since: null };
      const attemptIds = [randomUUID(), randomUUID()];
      const [claimed] = await claimRuns(db, [{ ...ask, attemptIds }], { kinds, addressHashKey: null });
      expect(claimed?.runs).toHaveLength(1);
      await finish({ run: { ...key, attemptNumber: 1, fence: 1 }, outcome: SUCCEEDED });
    }
    const plans = await db.$queryRaw<{ step: string; planned: bigint }[]>`
      SELECT substring(statement FROM 'INSERT INTO messages|INSERT INTO attempts|UPDATE attempts') AS step,
             max(custom_plans) AS planned
        FROM pg_prepared_statements WHERE generic_plans + custom_plans >= 10 GROUP BY 1 ORDER BY 1`;
    await db.$disconnect();
    // PostgreSQL plans a statement five times before it can decide for one plan.
    expect(plans.filter(({ step }) => step !== null)).toEqual([
      { step: 'INSERT INTO attempts', planned: 5n },
      { step: 'INSERT INTO messages', planned: 5n },
      { step: 'UPDATE attempts', planned: 5n },
    ]);
  });
});

describe('the search for issues in plans', () => {
  const inEnvironments = () => [grown.environments.map(({ environmentId }) => environmentId)];
  const PLANTED = [
    [
      'a sequential scan',
      'SELECT FROM messages WHERE recipient = $1',
      () => ['{}'],
      /^messages: sequential scan$/,
    ],
    [
      'a walk through a whole index',
      'SELECT count(id) FROM delivery_runs',
      () => [],
      /^delivery_runs: all of /,
    ],
    [
      'an index scan that filters most rows',
      "SELECT FROM messages WHERE environment_id = ANY($1) AND payload = '[]'",
      inEnvironments,
      /^messages: \d{5,} rows by /,
    ],
    [
      'a step that is joined by comparing all rows',
      `WITH step AS MATERIALIZED (SELECT unnest($1::uuid[]) AS id)
       SELECT FROM step AS one JOIN step AS other ON one.id < other.id`,
      () => [Array.from({ length: 30 }, randomUUID)],
      /^step: \d{3,} rows of a step$/,
    ],
  ] as const;

  it.each(PLANTED)('reports %s', async (_what, text, values, issue) => {
    for (const settings of SERVICE_SETTINGS) {
      const issues = await ofGrown.findIssues({ name: 'planted', text, values: values() }, settings, true);
      expect(issues).toEqual([expect.stringMatching(issue)]);
    }
  });
});
