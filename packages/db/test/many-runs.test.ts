import {
  createUuidV7Source,
  MAX_CHANNELS_PER_CONSUMER,
  MAX_CHANNELS_PER_ENVIRONMENT,
  type RunStatus,
} from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  cancelMessage,
  createIngest,
  listMessages,
  MAX_DELIVERIES,
  readDeliveries,
  readMessage,
  rescheduleMessage,
} from '../src/index.ts';
import { MAX_PAGE_BYTES } from '../src/pages.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { accepted, eventFor, WEBHOOK } from './support.ts';

const EXCERPT_BYTES = 16_384;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function acceptedMessage(channels: number) {
  const fixture = await createFixture(database.db, {
    channels: Array.from({ length: channels }, (_, index) => ({ ...WEBHOOK, name: `hook ${index}` })),
  });
  const { messageId } = accepted(await createIngest(database.db)(eventFor(fixture)));
  return { environmentId: fixture.environmentId, messageId };
}

/** Adds replays of the message's first run, with this many attempts each. */
async function replayOften(messageId: string, replays: number, attempts: number): Promise<void> {
  await database.db.$executeRaw`
    INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, replay, status, max_attempts,
                               attempt_count, due_at, created_at, completed_at)
    SELECT gen_random_uuid(), first.environment_id, first.message_id, first.channel_id, first.channel_kind, number,
           'succeeded', 20, ${attempts}::int, now(), now(), now()
      FROM (SELECT * FROM delivery_runs WHERE message_id = ${messageId}::uuid ORDER BY id LIMIT 1) AS first,
           generate_series(1, ${replays}::int) AS number`;
  await addAttempts(messageId, attempts, 'x');
}

async function addAttempts(messageId: string, attempts: number, excerpt: string): Promise<void> {
  await database.db.$executeRaw`
    INSERT INTO attempts (run_id, number, id, fence, status, error_code, started_at, completed_at, duration_ms,
                          response_status, response_excerpt)
    SELECT run.id, number, gen_random_uuid(), number, 'failed', 'webhook_http_error', now(), now(), 1, 500,
           ${excerpt}::text
      FROM delivery_runs run, generate_series(1, ${attempts}::int) AS number
     WHERE run.message_id = ${messageId}::uuid`;
}

async function readAll(place: { environmentId: string; messageId: string }, limit?: number) {
  const pages: NonNullable<Awaited<ReturnType<typeof readDeliveries>>>[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof readDeliveries>> = await readDeliveries(database.db, {
      ...place,
      after,
      ...(limit && { limit }),
    });
    if (!page) throw new Error('the message is not there');
    pages.push(page);
    after = page.nextAfter;
  } while (after !== null);
  return pages;
}

describe('a message with thousands of runs', () => {
  it('shows each of them once, oldest first, on pages of at most 100', async () => {
    const place = await acceptedMessage(1);
    await replayOften(place.messageId, 3_000, 3);
    const pages = await readAll(place);
    const runs = pages.flatMap(({ rows }) => rows);
    expect(runs.map(({ replay }) => replay)).toEqual(Array.from({ length: 3_001 }, (_, replay) => replay));
    expect(Math.max(...pages.map(({ rows }) => rows.length))).toBe(MAX_DELIVERIES);
    expect(new Set(runs.map(({ attempts }) => attempts.map(({ number }) => number).join()))).toEqual(
      new Set(['1,2,3']),
    );
    const [first] = await readAll(place, 7);
    expect(first?.rows.map(({ replay }) => replay)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('shows the newest 100 in its record and in lists, with the status of all', async () => {
    const place = await acceptedMessage(2);
    await replayOften(place.messageId, 1_000, 0);
    const read = async () => {
      const { environmentId } = place;
      const list = await listMessages(database.db, { environmentId, filter: {}, after: null, limit: 10 });
      const message = await readMessage(database.db, place);
      expect(list.rows).toEqual([message]);
      return message;
    };
    const newest = (await readAll(place)).flatMap(({ rows }) => rows).slice(-100);
    const message = await read();
    expect(message?.runs.map(({ id }) => id)).toEqual(newest.map(({ id }) => id));
    expect(message).toMatchObject({ hasMoreRuns: true, status: 'pending' });

    const endFirst = (status: RunStatus) =>
      database.db.deliveryRun.updateMany({
        where: { messageId: place.messageId, replay: 0 },
        data: { status, completedAt: new Date() },
      });
    // The channel that was never replayed has its run of the event, which is not shown.
    await endFirst('failed');
    expect((await read())?.status).toBe('partially_delivered');
    await endFirst('succeeded');
    expect((await read())?.status).toBe('delivered');
  });
});

describe('a page of deliveries', () => {
  it.each([
    ['long', 'x'.repeat(EXCERPT_BYTES)],
    ['long, and longer as JSON', '\u0001'.repeat(EXCERPT_BYTES)],
  ])('ends before it exceeds its size, with responses that are %s', async (_, excerpt) => {
    const place = await acceptedMessage(10);
    await addAttempts(place.messageId, 20, excerpt);
    const pages = await readAll(place);
    const runs = pages.flatMap(({ rows }) => rows);
    expect(pages.length).toBeGreaterThan(1);
    expect(Math.max(...pages.map(({ rows }) => JSON.stringify(rows).length))).toBeLessThanOrEqual(
      MAX_PAGE_BYTES,
    );
    expect(new Set(runs.map(({ id }) => id)).size).toBe(10);
    const excerpts = runs.flatMap(({ attempts }) => attempts).map(({ response }) => response?.bodyExcerpt);
    expect(excerpts.filter((text) => text === excerpt)).toHaveLength(200);
  });

  it('is empty after the last run, and null for an unknown message', async () => {
    const place = await acceptedMessage(1);
    const [page] = await readAll(place);
    const after = page?.rows.at(-1)?.id ?? null;
    expect(await readDeliveries(database.db, { ...place, after })).toEqual({ rows: [], nextAfter: null });
    const other = (await acceptedMessage(1)).environmentId;
    expect(await readDeliveries(database.db, { ...place, environmentId: other, after })).toBeNull();
  });
});

describe('the most runs that an event can have, one for each channel of its environment and its consumer', () => {
  it('are all rescheduled, and all cancelled', async () => {
    const message = await acceptedMessage(1);
    const runs = MAX_CHANNELS_PER_ENVIRONMENT + MAX_CHANNELS_PER_CONSUMER;
    await database.db.$executeRaw`
      INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, replay, status, max_attempts,
                                 scheduled_at, due_at, created_at)
      SELECT gen_random_uuid(), environment_id, message_id, channel_id, channel_kind, number, 'scheduled', 3,
             now() + interval '1 hour', now() + interval '1 hour', now()
        FROM delivery_runs, generate_series(1, ${runs}::int) AS number
       WHERE message_id = ${message.messageId}::uuid`;
    const scheduleAt = new Date(Date.now() + 60_000);
    const moved = await rescheduleMessage(database.db as never, { ...message, scheduleAt });
    const cancelled = await cancelMessage(database.db as never, { ...message, newId: createUuidV7Source() });
    expect([moved?.changed.size, cancelled?.changed.size]).toEqual([runs, runs]);
    const where = { messageId: message.messageId, status: 'cancelled', scheduledAt: scheduleAt };
    expect(await database.db.deliveryRun.count({ where })).toBe(runs);
  });
});
