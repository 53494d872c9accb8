import { type ChannelRecord, channelStateOf, NO_FACTS } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { listChannels, readAttention, readChannel } from '../src/index.ts';
import { createFixture, createTestDatabase, type Fixture, type TestDatabase } from '../src/testing/index.ts';
import { type Explainer, openExplainer } from './hot-plans/plans.ts';
import { statementsOf } from './hot-plans/sent-statements.ts';
import { WEBHOOK } from './support.ts';

/** Channels of consumers, which need nothing. */
const OTHERS = 20_000;
/** The most rows of a statement of a list of what needs action. */
const MAX_ROWS = 500;

const NAMES = [
  ...(['quiet', 'working', 'failing', 'refused', 'warned'] as const),
  ...(['paused', 'probing', 'blocked', 'disabled'] as const),
];

let database: TestDatabase;
let explainer: Explainer;
let fixture: Fixture;

const idOf = (name: (typeof NAMES)[number]) => fixture.channels[NAMES.indexOf(name)]?.id ?? '';
const stateOf = ({ facts = NO_FACTS, ...channel }: ChannelRecord) => channelStateOf(channel, facts).code;

async function setHealth(
  name: (typeof NAMES)[number],
  state: string,
  probeRun: string | null = null,
): Promise<void> {
  await database.db.$executeRaw`
    INSERT INTO channel_health (channel_id, environment_id, state, reason, last_success_at, probe_run_id)
    VALUES (${idOf(name)}::uuid, ${fixture.environmentId}::uuid, ${state}, ${state === 'ok' ? null : 'failures'}, now() - interval '1 hour',
            ${probeRun}::uuid)`;
}

beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 1 });
  const { db } = database;
  fixture = await createFixture(db, { channels: NAMES.map((name) => ({ ...WEBHOOK, name })) });
  const { environmentId } = fixture;
  await setHealth('working', 'ok');
  await setHealth('failing', 'ok');
  await setHealth('warned', 'failing');
  await setHealth('paused', 'paused');
  await setHealth('probing', 'paused', environmentId);
  await setHealth('blocked', 'ok');
  await setHealth('disabled', 'failing');
  await db.$executeRaw`UPDATE channels SET enabled = false WHERE id = ${idOf('disabled')}::uuid`;
  for (const [name, failures] of [
    ['failing', 3],
    ['working', 2],
    // Without a success.
    ['refused', 1],
    ['paused', 40],
  ] as const)
    await db.$executeRaw`
      INSERT INTO channel_failures (channel_id, environment_id, failures, failing_since, failed_at, last_error_code)
      VALUES (${idOf(name)}::uuid, ${environmentId}::uuid, ${failures}::int, now() - interval '5 minutes', now(), 'webhook_http_error')`;
  await db.$executeRaw`
    INSERT INTO ordering_keys (channel_id, key, environment_id, last_sequence, blocked_at)
    VALUES (${idOf('blocked')}::uuid, 'a', ${environmentId}::uuid, 2, now())`;
  await db.$executeRaw`
    INSERT INTO consumers (environment_id, id) VALUES (${environmentId}::uuid, 'org_1')`;
  await db.$executeRaw`
    INSERT INTO channels (id, environment_id, consumer_id, kind, name, config, retry)
    SELECT gen_random_uuid(), environment_id, 'org_1', kind, name, config, retry
      FROM channels, generate_series(1, ${OTHERS}::int) WHERE id = ${idOf('quiet')}::uuid`;
  await db.$executeRaw`
    INSERT INTO channel_health (channel_id, environment_id, last_success_at)
    SELECT id, environment_id, now() FROM channels WHERE consumer_id = 'org_1'`;
  await db.$executeRaw`ANALYZE channels, channel_health, channel_failures, ordering_keys`;
  explainer = await openExplainer(database.url);
}, 60_000);
afterAll(async () => {
  await explainer.close();
  await database.drop();
});

describe('the state of a channel', () => {
  it.each([
    ['quiet', 'no_traffic'],
    ['working', 'working'],
    ['failing', 'failing'],
    ['refused', 'failing'],
    ['warned', 'failing'],
    ['paused', 'paused'],
    ['probing', 'probing'],
    ['blocked', 'blocked'],
    ['disabled', 'disabled'],
  ] as const)('of %s is %s', async (name, state) => {
    const channel = await readChannel(database.db, idOf(name));
    expect(channel && stateOf(channel)).toBe(state);
  });

  it('orders a list and its pages, those that need somebody first', async () => {
    const names: string[] = [];
    let after: string | null = null;
    do {
      const query = { environmentId: fixture.environmentId, order: 'state', after, limit: 3 } as const;
      const page: Awaited<ReturnType<typeof listChannels>> = await listChannels(database.db, query);
      names.push(...page.rows.map(({ name }) => name));
      after = page.nextAfter;
    } while (after !== null);
    expect(names).toEqual([
      'warned',
      'refused',
      'failing',
      'paused',
      'probing',
      'blocked',
      'working',
      'quiet',
      'disabled',
    ]);
  });

  it('continues a list behind the last page, also when the last channel of it has another state by then', async () => {
    const { environmentId } = fixture;
    const page = (after: string | null) =>
      listChannels(database.db, { environmentId, needsAction: true, after, limit: 4 });
    const namesOf = ({ rows }: Awaited<ReturnType<typeof page>>) => rows.map(({ name }) => name);
    const first = await page(null);
    expect(namesOf(first)).toEqual(['warned', 'refused', 'failing', 'paused']);
    for (const [state, names] of [
      ['ok', ['probing', 'blocked']],
      ['failing', ['probing', 'blocked']],
      ['paused', ['probing', 'blocked']],
    ] as const) {
      await database.db
        .$executeRaw`UPDATE channel_health SET state = ${state} WHERE channel_id = ${idOf('paused')}::uuid`;
      expect(namesOf(await page(first.nextAfter))).toEqual(names);
    }
  });

  it('is the same in the report of what needs attention', async () => {
    const [of] = await readAttention(database.db, [fixture.environmentId]);
    expect(of?.failing.map(({ name }) => name)).toEqual(['failing', 'refused', 'warned']);
    expect(of?.paused.map(({ name }) => name).sort()).toEqual(['paused', 'probing']);
    expect(of?.blocked.map(({ name }) => name)).toEqual(['blocked']);
  });
});

describe('what needs action among 20,000 channels of consumers', () => {
  const needy = { needsAction: true, after: null, limit: 25 } as const;

  it('is listed with the channels of consumers, without reading the others', async () => {
    const { environmentId } = fixture;
    await database.db.$executeRaw`
      UPDATE channel_health SET state = 'failing'
       WHERE channel_id = (SELECT channel_id FROM channel_health JOIN channels ON id = channel_id WHERE consumer_id = 'org_1' LIMIT 1)`;
    const list = () => listChannels(database.db, { environmentId, ...needy });
    const { rows } = await list();
    expect(rows.map(({ name, consumerId }) => consumerId ?? name).sort()).toEqual([
      'blocked',
      'failing',
      'org_1',
      'paused',
      'probing',
      'refused',
      'warned',
    ]);
    const reads: number[] = [];
    for (const statement of await statementsOf(database.db, list))
      reads.push(await explainer.rowsRead(statement));
    expect(Math.max(...reads)).toBeLessThan(MAX_ROWS);
  });
});

describe('the activity of a channel', () => {
  it('has the newest reply behind a backlog of held runs, and the attempts of each hour', async () => {
    const { db } = database;
    const id = idOf('paused');
    const { environmentId } = fixture;
    const old = '00000000-0000-7000-8000-000000000000';
    await db.$executeRaw`
      INSERT INTO messages (environment_id, id, event_key, recipient, payload, trace_id, created_at)
      SELECT ${environmentId}::uuid, id, 'order.shipped', '{}', '{}', repeat('0', 32), now()
        FROM (SELECT ${old}::uuid AS id UNION ALL SELECT gen_random_uuid() FROM generate_series(1, 3000)) AS made`;
    // Every run of the backlog is newer than the one that was tried.
    await db.$executeRaw`
      INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, status, max_attempts, attempt_count, due_at,
                                 created_at, held)
      SELECT id, environment_id, id, ${id}::uuid, 'webhook', 'queued', 3, (id = ${old}::uuid)::int, 'infinity', now(), 'paused' FROM messages
       WHERE environment_id = ${environmentId}::uuid`;
    await db.$executeRaw`
      INSERT INTO attempts (run_id, number, id, fence, status, error_code, error_message, started_at, completed_at, response_status)
      VALUES (${old}::uuid, 1, gen_random_uuid(), 1, 'failed', 'webhook_http_error', 'The server is on fire.', now(), now(), 503)`;
    await db.$executeRaw`
      INSERT INTO stats (environment_id, span_seconds, start, channel_id, event_key, error_code, latency_bucket, accepted, delivered, failed,
                         attempts)
      SELECT ${environmentId}::uuid, 3600, date_trunc('hour', now()), ${id}::uuid, 'order.shipped', code, 0, 0, 0, 0, attempts
        FROM (VALUES ('', 3), ('webhook_http_error', 1), ('expired', 7)) AS counted (code, attempts)`;
    const { activity } = (await readChannel(db, id)) ?? {};
    expect(activity?.lastReply).toMatchObject({
      outcome: 'failed',
      statusCode: 503,
      errorMessage: 'The server is on fire.',
      runId: old,
    });
    expect(activity?.hours).toHaveLength(24);
    expect(activity?.hours.at(-1)).toMatchObject({ succeeded: 3, failed: 1 });
    expect(activity?.hours.at(-2)).toMatchObject({ succeeded: 0, failed: 0 });
  });
});
