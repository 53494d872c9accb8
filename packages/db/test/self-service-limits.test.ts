import { createUuidV7Source, orRefusal } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  createFixture,
  createTestDatabase,
  createTestTemplate,
  type TestDatabase,
} from '../src/testing/index.ts';
import { limitChanges, limitVersions } from '../src/transactions/self-service-limits.ts';

/** Audit entries of one statement. */
const ENTRIES = 1_000;
const HTML = '<p>Hi</p>';
const newId = createUuidV7Source();
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('the bytes of all versions of templates and parts are bounded together', async () => {
  const { db } = database;
  const { environmentId } = await createFixture(db);
  const template = { channelKind: 'email', subject: 'Hi', html: HTML, text: null } as const;
  await createTestTemplate(db, { environmentId, eventKey: 'order.paid', activate: false, ...template });
  const part = { id: newId(), environmentId, type: 'partial', name: 'footer', version: 1, content: HTML };
  await db.templatePart.create({ data: part });
  const check = (bytes: number) =>
    limitVersions(
      db,
      { actor: { kind: 'environment_token' }, environmentId },
      { count: 0, bytes: 0 },
      { count: 2, bytes, activeTemplates: 0 },
    );
  // Each value has a header of one byte.
  const bytes = 2 * (HTML.length + 1) + 'Hi'.length + 1;
  await check(bytes);
  expect(await orRefusal(() => check(bytes - 1))).toEqual({
    refused: 'conflict',
    message: expect.stringMatching(/^Tokens can store at most .* MiB of versions/),
  });
});

describe('the changes of consumers', () => {
  const check = (environmentId: string, consumerId: string | null) =>
    limitChanges(database.db, { environmentId, consumerId });
  /** Enters changes by `consumers` consumers in turn: `org_0`, `org_1` … */
  async function enter(environmentId: string, action: string, count: number, consumers: number) {
    // All of them are too many for one statement where the machine is busy.
    for (let entered = 0; entered < count; entered += ENTRIES) {
      await database.db.$executeRaw`
        INSERT INTO audit_log (id, actor, actor_kind, action, resource_type, resource_id, environment_id, created_at)
        SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::int8), 12, '0') || '7000' || right(gen_random_uuid()::text, 17))::uuid,
               'org_' || n % ${consumers}::int, 'consumer_token', ${action}, split_part(${action}, '.', 1), 'x', ${environmentId}::uuid, now()
          FROM generate_series(${entered}::int + 1, LEAST(${count}::int, ${entered}::int + ${ENTRIES}::int)) AS n`;
    }
  }

  it('are limited for each, and what is no change does not count', async () => {
    const [{ environmentId }, other] = [await createFixture(database.db), await createFixture(database.db)];
    await enter(environmentId, 'message.replayed', 600, 1);
    await enter(environmentId, 'consumer.portal_opened', 600, 1);
    await check(environmentId, 'org_0');
    await enter(environmentId, 'channel.updated', 499, 1);
    await check(environmentId, 'org_0');
    await enter(environmentId, 'channel.updated', 1, 1);
    await expect(check(environmentId, 'org_0')).rejects.toThrow('of a consumer can make 500 changes');
    await check(environmentId, 'org_1');
    await check(environmentId, null);
    await check(other.environmentId, 'org_0');
  });

  it('leave others of the environment an equal share when all together have made too many', async () => {
    const { environmentId } = await createFixture(database.db);
    await enter(environmentId, 'channel.updated', 9_800, 20);
    await check(environmentId, 'org_1');
    await enter(environmentId, 'channel.updated', 200, 20);
    await check(environmentId, 'new');
    await enter(environmentId, 'channel.updated', 10_000, 40);
    const refused = {
      refused: 'rate_limited',
      message: expect.stringContaining('the tokens of each consumer can make 250 in 3600 seconds'),
      headers: { 'Retry-After': expect.stringMatching(/^[1-9]/) },
    };
    for (const org of ['org_1', 'org_39'])
      expect(await orRefusal(() => check(environmentId, org))).toEqual(refused);
    await check(environmentId, 'new');
    await check(environmentId, null);
  });
});
