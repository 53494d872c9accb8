import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, expect, it } from '@postrider/testing';
import { type ClaimedRun, createIngest } from '../src/index.ts';
import {
  createFixture,
  createOwnerClaim,
  createTestDatabase,
  type TestDatabase,
} from '../src/testing/index.ts';
import { eventFor, onlyRun, WEBHOOK } from './support.ts';

const RUNS = 8;
const MIB = 1_024 * 1_024;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The bytes of live objects of this process. */
function liveBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

it('claimed runs hold their payloads as text, which takes a fraction of the memory of objects', async () => {
  const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
  const payload = { list: Array.from({ length: 60_000 }, () => ({})) };
  const newId = createUuidV7Source();
  const ids: string[] = [];
  for (let count = 0; count < RUNS; count += 1) {
    ids.push(onlyRun(await createIngest(database.db)(eventFor(fixture, { payload }))));
  }
  const claim = createOwnerClaim(database.db);
  const before = liveBytes();
  const runs: ClaimedRun[] = [];
  for (const runId of ids) {
    const answer = await claim({ runId, attemptId: newId() });
    if (answer.outcome === 'claimed') runs.push(answer.run);
  }
  expect(runs).toHaveLength(RUNS);
  expect(liveBytes() - before).toBeLessThan(RUNS * MIB);
  for (const { message } of runs) {
    expect(message.payload).toEqual(payload);
    expect(message.characters).toBeGreaterThanOrEqual(
      JSON.stringify([message.recipient, payload]).length - 3,
    );
  }
});
