import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, expect, it } from '@postrider/testing';
import {
  createFixture,
  createTestDatabase,
  createTestTemplate,
  type TestDatabase,
} from '../src/testing/index.ts';
import { limitChanges, limitVersions } from '../src/transactions/self-service-limits.ts';

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
  await expect(check(bytes - 1)).rejects.toMatchObject({
    message: expect.stringMatching(/^Tokens can store at most .* MiB of versions/),
    retryAfterSeconds: null,
  });
});

it('the consumers of an environment make so many changes together, and what is no change does not count', async () => {
  const { db } = database;
  const [{ environmentId }, other] = [await createFixture(db), await createFixture(db)];
  const enter = (action: string, count: number, consumers: number) => db.$executeRaw`
    INSERT INTO audit_log (id, actor, actor_kind, action, resource_type, resource_id, environment_id, created_at)
    SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::int8), 12, '0') || '7000' || right(gen_random_uuid()::text, 17))::uuid,
           'org_' || n % ${consumers}::int, 'consumer_token', ${action}, split_part(${action}, '.', 1), 'x', ${environmentId}::uuid, now()
      FROM generate_series(1, ${count}::int) AS n`;
  const check = (consumerId: string | null, environment = environmentId) =>
    limitChanges(db, { environmentId: environment, consumerId });
  await enter('message.replayed', 600, 1);
  await enter('consumer.portal_opened', 600, 1);
  await check('org_0');
  await enter('channel.updated', 499, 1);
  await check('org_0');
  await enter('channel.updated', 1, 1);
  await expect(check('org_0')).rejects.toThrow('of a consumer can make 500 changes');
  await enter('channel.updated', 9_499, 100);
  await check('org_1');
  await enter('channel.updated', 1, 100);
  await expect(check('org_1')).rejects.toMatchObject({
    message: expect.stringContaining('of all consumers of an environment can make 10000 changes'),
    retryAfterSeconds: expect.any(Number),
  });
  await check(null);
  await check('org_1', other.environmentId);
});
