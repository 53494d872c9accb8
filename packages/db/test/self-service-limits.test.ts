import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, expect, it } from '@postrider/testing';
import {
  createFixture,
  createTestDatabase,
  createTestTemplate,
  type TestDatabase,
} from '../src/testing/index.ts';
import { limitVersions } from '../src/transactions/self-service-limits.ts';

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
