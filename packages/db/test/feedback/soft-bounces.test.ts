import { describe, expect, it } from '@postrider/testing';
import type { Fixture } from '../../src/testing/index.ts';
import { endRun, report, reported, sendOne, useFeedback } from './support.ts';

const world = useFeedback();

describe('an address whose mails bounce for now', () => {
  const SOFT = { type: 'bounced', permanent: false, reason: '552 5.2.2 mailbox full' } as const;
  const entriesOf = ({ environmentId }: Fixture) =>
    world.db.suppression.findMany({ where: { environmentId } });

  /** Sends mails that were taken and bounced afterwards. */
  async function bounce(fixture: Fixture, times: number) {
    for (let time = 0; time < times; time += 1) {
      const sent = await sendOne(world.api, fixture);
      await endRun(world.db, sent.runId);
      await report(world.deps, fixture, [reported(sent, SOFT)]);
    }
  }

  it('is suppressed for a while by the fifth in a row, and by no fewer', async () => {
    const fixture = await world.fixture();
    await bounce(fixture, 4);
    expect(await entriesOf(fixture)).toEqual([]);
    await bounce(fixture, 1);
    const [entry] = await entriesOf(fixture);
    expect(entry).toMatchObject({ source: 'soft_bounce', scope: 'all' });
    const days = ((entry?.expiresAt?.getTime() ?? 0) - (entry?.createdAt.getTime() ?? 0)) / 86_400_000;
    expect(Math.round(days)).toBe(7);
  });

  it('is not if one of the mails arrived, or the bounces are older than the environment says', async () => {
    const fixture = await world.fixture();
    await bounce(fixture, 4);
    await endRun(world.db, (await sendOne(world.api, fixture)).runId);
    await bounce(fixture, 4);
    expect(await entriesOf(fixture)).toEqual([]);
    await world.db.$executeRaw`
      UPDATE messages SET created_at = created_at - interval '8 days' WHERE environment_id = ${fixture.environmentId}::uuid`;
    await bounce(fixture, 4);
    expect(await entriesOf(fixture)).toEqual([]);
    await bounce(fixture, 1);
    expect(await entriesOf(fixture)).toHaveLength(1);
  });

  it.each([
    [2, 1],
    [0, 0],
  ])('is by as many as the environment says: %i', async (softBounceLimit, entries) => {
    const fixture = await world.fixture();
    await world.db.environment.update({
      where: { id: fixture.environmentId },
      data: { softBounceLimit, softBouncePauseDays: 30 },
    });
    await bounce(fixture, 6);
    expect(await entriesOf(fixture)).toHaveLength(entries);
  });

  it('is suppressed for good by a hard bounce after that, and not for a while after a hard one', async () => {
    const fixture = await world.fixture();
    await bounce(fixture, 5);
    const hard = reported(await sendOne(world.api, fixture), { type: 'bounced', permanent: true });
    await report(world.deps, fixture, [hard]);
    const always = { source: 'hard_bounce', expiresAt: null };
    expect(await entriesOf(fixture)).toMatchObject([always]);
    await bounce(fixture, 5);
    expect(await entriesOf(fixture)).toMatchObject([always]);
  });
});
