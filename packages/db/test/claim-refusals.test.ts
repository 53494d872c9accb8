import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { acrossEnvironments, claimRuns, createIngest, findWaitingRuns, refuseRuns } from '../src/index.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { accepted, eventFor, onlyRun, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newId = createUuidV7Source();

describe('a claim of runs of which some must not be sent', () => {
  it('keeps the claimed runs if the others cannot be ended, which are ended later', async () => {
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

    const rules = { addressHashKey: null };
    const ask = {
      channelId: fixture.channels[0]?.id ?? '',
      environmentId,
      slots: 5,
      renders: 0,
      since: null,
    };
    const attemptIds = Array.from({ length: 5 }, newId);
    const [answer] = await claimRuns(db, [{ ...ask, attemptIds }], rules);
    expect([answer?.runs.map(({ runId }) => runId), answer?.refused]).toEqual([[sound], [expired]]);
    const refuse = () => refuseRuns(db, [{ runId: expired, environmentId, attemptId: newId() }], rules);
    await expect(refuse()).rejects.toThrow('not now');
    await db.$executeRaw`DROP TRIGGER refuse_end ON delivery_runs`;
    expect([await refuse(), await refuse()]).toEqual([1, 0]);
    expect(await db.deliveryRun.findUniqueOrThrow({ where: { id: expired } })).toMatchObject({
      ...{ status: 'failed', lastErrorCode: 'expired', attemptCount: 1 },
    });
  });
});

describe('a claim for a channel with a template of its own', () => {
  it('takes no more runs than it has render permits for, and says that others wait', async () => {
    const { db } = database;
    const config = { ...WEBHOOK.config, body: 'template', template: { id: '{{ message_id }}' } };
    const fixture = await createFixture(db, { channels: [{ ...WEBHOOK, config }] });
    const accept = async () => onlyRun(await createIngest(db)(eventFor(fixture)));
    const runs = [await accept(), await accept()];
    const claim = async (renders: number) => {
      const ask = { channelId: fixture.channels[0]?.id ?? '', slots: 5, renders, since: null };
      const attemptIds = Array.from({ length: 5 }, newId);
      const asks = [{ ...ask, environmentId: fixture.environmentId, attemptIds }];
      const [answer] = await claimRuns(db, asks, { addressHashKey: null });
      const claimed = answer?.runs.map(({ runId, needsRender }) => [runId, needsRender]);
      return [claimed, answer?.waitsForRender];
    };
    expect(await claim(0)).toEqual([[], true]);
    expect(await claim(1)).toEqual([[[runs[0], true]], true]);
    expect(await claim(1)).toEqual([[[runs[1], true]], false]);
  });

  it('is known to the quarantine, too', async () => {
    const { db } = database;
    const config = { ...WEBHOOK.config, body: 'slack', template: { text: 'hi' } };
    const fixture = await createFixture(db, { channels: [{ ...WEBHOOK, config }, WEBHOOK] });
    const { wakeUps } = accepted(await createIngest(db)(eventFor(fixture)));
    const found = await findWaitingRuns(
      acrossEnvironments(db),
      wakeUps.map(({ runId }) => runId),
    );
    const needsRender = (index: number) =>
      found.find(({ channelId }) => channelId === fixture.channels[index]?.id)?.needsRender;
    expect([needsRender(0), needsRender(1)]).toEqual([true, false]);
  });
});
