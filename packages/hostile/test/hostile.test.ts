import { randomBytes } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@postrider/db/testing';
import { afterAll, beforeEach, expect, it } from '@postrider/testing';
import { ATTACKS } from '../src/attacks/index.ts';
import { runAttack } from '../src/measure/run-attack.ts';
import { openSession, type Session } from '../src/measure/session.ts';

let database: TestDatabase | null = null;
let session: Session | null = null;

async function close(): Promise<void> {
  await session?.close();
  await database?.drop();
  session = null;
  database = null;
}

beforeEach(async () => {
  database ??= await createTestDatabase({ poolSize: 1 });
  session ??= await openSession({ databaseUrl: database.url, encryptionKey: randomBytes(32) });
});
afterAll(close);

const SHORT = ATTACKS.filter(({ isLong }) => !isLong);

it.each(SHORT)('does not crash the service or affect other tenants: $name', async (attack) => {
  const report = await runAttack(attack, { ...(session as Session), isLong: false });
  // The next attack meets processes that are not worn out by this one.
  if (report.violations.length > 0) await close();

  expect(report.violations).toEqual([]);
});
