import { describe, expect, it } from '@postrider/testing';
import type { Fixture } from '../../src/testing/index.ts';
import { addAttempts, report, reported, type Sent, sendOne, useFeedback } from './support.ts';

const world = useFeedback();

const complained = (sent: Sent, email: string | null = 'ada@example.com') =>
  reported(sent, { type: 'complained', email });

async function countedIn({ environmentId }: Fixture): Promise<number> {
  const [row] = await world.db.$queryRaw<{ complained: number }[]>`
    SELECT COALESCE(sum(complained), 0)::int AS complained FROM stats_deltas WHERE environment_id = ${environmentId}::uuid`;
  return row?.complained ?? 0;
}

describe('a bounce in the figures', () => {
  const bounced = { type: 'bounced', permanent: false } as const;
  const sendersOf = async ({ environmentId }: Fixture) => {
    const rows = await world.db.statDelta.findMany({ where: { environmentId, bounced: { gt: 0 } } });
    return rows.map(({ sender }) => sender);
  };

  it.each([
    ['that succeeded', null, 'backup'],
    ["with the provider's id", '<1@provider.example>', 'main'],
    ['that succeeded, if none has the id', '<2@provider.example>', 'backup'],
  ])('counts for the sender of the attempt %s', async (_which, providerMessageId, sender) => {
    const fixture = await world.fixture();
    const sent = await sendOne(world.api, fixture);
    await addAttempts(world.db, sent.runId, [
      { status: 'unknown', sender: 'main', providerMessageId: '<1@provider.example>' },
      { status: 'succeeded', sender: 'backup' },
      { status: 'failed', sender: 'third' },
    ]);
    await report(world.deps, fixture, [reported(sent, { ...bounced, providerMessageId })]);
    expect(await sendersOf(fixture)).toEqual([sender]);
  });

  it('counts for the last sender if none is known to have sent it, and for none without one', async () => {
    const fixture = await world.fixture();
    const [one, other] = [await sendOne(world.api, fixture), await sendOne(world.api, fixture)];
    await addAttempts(world.db, one.runId, [
      { status: 'failed', sender: 'main' },
      { status: 'unknown', sender: 'backup' },
      { status: 'unknown' },
    ]);
    await addAttempts(world.db, other.runId, [{ status: 'succeeded' }]);
    await report(world.deps, fixture, [reported(one, bounced)]);
    await report(world.deps, fixture, [reported(other, bounced)]);
    expect((await sendersOf(fixture)).sort()).toEqual(['', 'backup']);
  });

  it('counts once in a request that reports two attempts of its run', async () => {
    const fixture = await world.fixture();
    const sent = await sendOne(world.api, fixture);
    const attempts = ['main', 'backup'].map((sender) => ({
      ...{ status: 'unknown' as const, sender, providerMessageId: `<${sender}@provider.example>` },
    }));
    await addAttempts(world.db, sent.runId, attempts);
    const events = attempts.map(({ providerMessageId }) => reported(sent, { ...bounced, providerMessageId }));
    await report(world.deps, fixture, events);
    expect(await sendersOf(fixture)).toEqual(['main']);
  });
});

describe('the complaints in the figures', () => {
  it('have a complaint that one request reports twice', async () => {
    const fixture = await world.fixture();
    const [one, other] = [await sendOne(world.api, fixture), await sendOne(world.api, fixture)];
    await report(
      world.deps,
      fixture,
      [one, other, one, other, one].map((sent) => complained(sent)),
    );
    expect(await countedIn(fixture)).toBe(1);
  });

  it('have a complaint of a recipient whose other mail has bounced by the same request', async () => {
    const fixture = await world.fixture();
    const bounces = await Promise.all([1, 2, 3, 4, 5].map(() => sendOne(world.api, fixture)));
    const sent = await sendOne(world.api, fixture);
    const bounced = { type: 'bounced', permanent: true } as const;
    await report(world.deps, fixture, [...bounces.map((one) => reported(one, bounced)), complained(sent)]);
    expect(await countedIn(fixture)).toBe(1);
  });

  it('have one of each recipient of a request, whatever it reports about their copies', async () => {
    const fixture = await world.fixture();
    const ada = await sendOne(world.api, fixture, 'ada@example.com');
    const grace = await sendOne(world.api, fixture, 'grace@example.com');
    await report(world.deps, fixture, [
      complained(ada, 'grace@example.com'),
      complained(ada),
      complained(grace, 'grace@example.com'),
    ]);
    expect(await countedIn(fixture)).toBe(2);
  });

  it('have none of an erased recipient, whose reports by mail name nobody, however many come', async () => {
    const fixture = await world.fixture();
    for (let sent = 0; sent < 3; sent += 1) {
      const { messageId, runId } = await sendOne(world.api, fixture);
      await world.db.message.updateMany({
        where: { id: messageId },
        data: { recipient: {}, recipientEmail: null, erasedAt: new Date() },
      });
      await report(world.deps, fixture, [complained({ messageId, runId })], true);
    }
    expect(await countedIn(fixture)).toBe(0);
  });
});
