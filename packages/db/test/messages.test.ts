import { deriveMessageStatus, type MessageStatus, type RunStatus } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createIngest, listMessages, readMessage } from '../src/index.ts';
import { createFixture, createTestDatabase, type Fixture, type TestDatabase } from '../src/testing/index.ts';
import { accepted, eventFor, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const TERMINAL = new Set<RunStatus>(['succeeded', 'failed', 'cancelled']);
/** Runs get there, and into `retrying`, by an attempt that has the code of an error. */
const ERRED = new Set<RunStatus>(['failed', 'cancelled', 'retrying']);

/** Puts the message's runs, in channel order, into the given states. */
async function setRunStates(messageId: string, states: readonly RunStatus[]): Promise<void> {
  const runs = await database.db.deliveryRun.findMany({
    where: { messageId },
    orderBy: { channelId: 'asc' },
  });
  for (const [index, run] of runs.entries()) {
    const status = states[index] ?? 'queued';
    await database.db.deliveryRun.update({
      where: { id: run.id },
      data: {
        status,
        completedAt: TERMINAL.has(status) ? new Date() : null,
        lastErrorCode: ERRED.has(status) ? 'webhook_http_error' : null,
        leaseUntil: status === 'running' ? new Date() : null,
      },
    });
  }
}

const accept = async (fixture: Fixture, changes: Parameters<typeof eventFor>[1] = {}) =>
  accepted(await createIngest(database.db)(eventFor(fixture, changes))).messageId;

describe('the message list', () => {
  it('filters by the same status as a single read', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK, { ...WEBHOOK, name: 'second' }] });
    const { environmentId } = fixture;
    const combinations: RunStatus[][] = [
      ['queued', 'succeeded'],
      ['running', 'failed'],
      ['succeeded', 'succeeded'],
      ['succeeded', 'failed'],
      ['succeeded', 'cancelled'],
      ['failed', 'failed'],
      ['failed', 'cancelled'],
      ['cancelled', 'cancelled'],
    ];
    const expected = new Map<MessageStatus, string[]>();
    for (const states of combinations) {
      const id = await accept(fixture);
      await setRunStates(id, states);
      const derived = deriveMessageStatus(
        states.map((status, index) => ({ channelId: `${index}`, replay: 0, status })),
      );
      expect((await readMessage(database.db, { environmentId, messageId: id }))?.status).toBe(derived);
      expected.set(derived, [id, ...(expected.get(derived) ?? [])]);
    }
    expect([...expected.keys()].sort()).toEqual([
      'cancelled',
      'delivered',
      'failed',
      'partially_delivered',
      'pending',
    ]);
    for (const [status, ids] of expected) {
      const page = await listMessages(database.db, {
        environmentId,
        filter: { status },
        after: null,
        limit: 100,
      });
      expect([status, page.rows.map((message) => message.id)]).toEqual([status, ids]);
    }
  });

  it('pages by keyset, newest first, without gap or repetition', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) ids.unshift(await accept(fixture));
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page = await listMessages(database.db, {
        environmentId: fixture.environmentId,
        filter: {},
        after,
        limit: 3,
      });
      seen.push(...page.rows.map((message) => message.id));
      after = page.nextAfter;
    } while (after);
    expect(seen).toEqual(ids);
  });

  it('filters by event key, address and time of creation', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const { environmentId } = fixture;
    const first = await accept(fixture, {
      eventKey: 'invoice.paid',
      recipient: { email: 'bob@example.com' },
    });
    const second = await accept(fixture);
    const { createdAt } = await database.db.message.findFirstOrThrow({ where: { id: second } });
    const idsOf = async (filter: Parameters<typeof listMessages>[1]['filter']) =>
      (await listMessages(database.db, { environmentId, filter, after: null, limit: 10 })).rows.map(
        ({ id }) => id,
      );
    expect(await idsOf({ eventKey: 'invoice.paid' })).toEqual([first]);
    expect(await idsOf({ recipientEmail: 'ada@example.com' })).toEqual([second]);
    expect(await idsOf({ createdAfter: createdAt })).toEqual([second]);
    expect(await idsOf({ createdBefore: createdAt })).toEqual([first]);
  });

  it('shows no message of another environment', async () => {
    const [fixture, other] = await Promise.all([
      createFixture(database.db, { channels: [WEBHOOK] }),
      createFixture(database.db, { channels: [WEBHOOK] }),
    ]);
    const messageId = await accept(fixture);
    const page = { environmentId: other.environmentId, filter: {}, after: null, limit: 10 };
    expect((await listMessages(database.db, page)).rows).toEqual([]);
    expect(await readMessage(database.db, { environmentId: other.environmentId, messageId })).toBeNull();
  });
});
