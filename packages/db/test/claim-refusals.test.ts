import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createClaim, createIngest } from '../src/index.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { eventFor, onlyRun, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newId = createUuidV7Source();

describe('a claim of runs of which some must not be sent', () => {
  it('keeps the claimed runs if the others cannot be ended, and reports the error', async () => {
    const { db } = database;
    const fixture = await createFixture(db, { channels: [WEBHOOK] });
    const { environmentId } = fixture;
    const accept = async () => onlyRun(await createIngest(db)(eventFor(fixture)));
    const [sound, expired] = [await accept(), await accept()];
    await db.$executeRaw`
      UPDATE messages SET expires_at = now() - interval '1 second'
       WHERE id = (SELECT message_id FROM delivery_runs WHERE id = ${expired}::uuid)`;
    await db.$executeRaw`
      CREATE FUNCTION refuse_end() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$`;
    await db.$executeRaw`
      CREATE TRIGGER refuse_end BEFORE UPDATE ON delivery_runs
        FOR EACH ROW WHEN (NEW.status = 'failed') EXECUTE FUNCTION refuse_end()`;

    const errors: unknown[] = [];
    const claim = createClaim(db, { onNotRefused: (error) => errors.push(error) });
    const ask = (runId: string) => claim({ runId, environmentId, attemptId: newId() });
    expect(await Promise.all([ask(sound), ask(expired)])).toMatchObject([
      { outcome: 'claimed' },
      { outcome: 'not_claimable', status: 'queued' },
    ]);
    expect(errors).toHaveLength(1);
    expect(String(errors[0])).toContain('not now');

    await expect(ask(expired)).rejects.toThrow('not now');
    await db.$executeRaw`DROP TRIGGER refuse_end ON delivery_runs`;
    expect(await ask(expired)).toEqual({ outcome: 'expired' });
    expect(errors).toHaveLength(1);
  });
});
