import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@postrider/testing';
import {
  acceptReplay,
  assignDueSequences,
  cancelMessage,
  createIngest,
  endRunsOfDeletedChannels,
  listBlockedKeys,
  releaseExpiredLeases,
  removeExpiredMessages,
  rescheduleMessage,
  settleOrder,
  unblockKey,
} from '../../src/index.ts';
import { idDaysAgo } from '../../src/testing/index.ts';
import { accepted, eventFor, replayFor } from '../support.ts';
import { orderedEvent, useOrdering } from './support.ts';

const { newId, db, deps, scene, runsOf, claim, attempt, settle } = useOrdering();

describe('the sequences of ordered runs', () => {
  it('have no gaps and follow concurrent acceptances, and only the first run is released', async () => {
    const here = await scene();
    const keys = ['a', 'b', 'c', 'd'];
    const accept = async (ingest: ReturnType<typeof createIngest>, count: number) => {
      const events = Array.from({ length: count }, () => orderedEvent(here, keys[randomInt(4)] ?? ''));
      return Promise.all(events.map((event) => ingest(event)));
    };
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => accept(createIngest(db(), { maxItems: 5 }), 60)),
    );
    const enqueued = outcomes.flat().flatMap((outcome) => accepted(outcome).wakeUps);
    expect(enqueued).toHaveLength(keys.length);
    for (const key of keys) {
      const runs = await runsOf(here, key);
      expect(runs.map(({ sequence }) => Number(sequence))).toEqual(runs.map((_run, index) => index + 1));
      expect(runs.map(({ held }) => held)).toEqual(runs.map((_run, index) => (index ? 'ordered' : null)));
    }
    const [first, second] = await runsOf(here, 'a');
    expect(await claim(second?.id ?? '')).toEqual({ outcome: 'held' });
    expect(await claim(first?.id ?? '')).toMatchObject({ outcome: 'claimed', run: { sequence: 1 } });
  });

  it('follow the order of events within a batch', async () => {
    const here = await scene();
    const ingest = createIngest(db());
    const events = Array.from({ length: 30 }, () => orderedEvent(here, 'k'));
    await Promise.all(events.map((event) => ingest(event)));
    expect((await runsOf(here)).map(({ messageId }) => messageId)).toEqual(
      events.map(({ messageId }) => messageId),
    );
  });

  it('are not used by refused events, events without a key, or replays', async () => {
    const here = await scene();
    const ingest = createIngest(db());
    const key = randomUUID();
    const first = accepted(await ingest(orderedEvent(here, 'k', { key })));
    expect(await ingest(orderedEvent(here, 'k', { key }))).toEqual({ outcome: 'duplicate' });
    expect(accepted(await ingest(eventFor(here.fixture))).wakeUps).toHaveLength(1);
    const replay = await acceptReplay(db(), replayFor(here.fixture, first.messageId));
    expect(replay).toMatchObject({ outcome: 'accepted', wakeUps: [{ delayMs: 0 }] });
    expect((await runsOf(here, 'k')).map(({ sequence }) => Number(sequence))).toEqual([1]);
    await ingest(orderedEvent(here, 'k'));
    expect((await runsOf(here, 'k')).map(({ sequence }) => Number(sequence))).toEqual([1, 2]);
  });

  it('are assigned to scheduled events once when they are due, in the order of their times', async () => {
    const here = await scene();
    const ingest = createIngest(db());
    const at = (seconds: number) => new Date(Date.now() + seconds * 1_000);
    const late = accepted(await ingest(orderedEvent(here, 'k', { scheduleAt: at(7_200) })));
    const early = accepted(await ingest(orderedEvent(here, 'k', { scheduleAt: at(3_600) })));
    const gone = accepted(await ingest(orderedEvent(here, 'k', { scheduleAt: at(3_600) })));
    const { environmentId } = here.fixture;
    await cancelMessage(db() as never, { newId, environmentId, messageId: gone.messageId });
    const moved = await rescheduleMessage(db() as never, {
      ...{ environmentId, messageId: late.messageId },
      scheduleAt: at(5_400),
    });
    expect([late, early].flatMap(({ wakeUps }) => wakeUps)).toEqual([]);
    expect(moved?.wakeUps).toEqual([]);
    accepted(await ingest(orderedEvent(here, 'k')));
    expect(await assignDueSequences(db(), 10)).toEqual({ assigned: 0, wakeUps: [] });
    await db().$executeRaw`
      UPDATE delivery_runs SET scheduled_at = scheduled_at - interval '1 day'
       WHERE channel_id = ${here.channelId}::uuid AND scheduled_at IS NOT NULL`;
    const assigned = await Promise.all([1, 2, 3].map(() => assignDueSequences(db(), 10)));
    expect(assigned.reduce((sum, batch) => sum + batch.assigned, 0)).toBe(2);
    const runs = (await runsOf(here)).filter(({ sequence }) => sequence !== null);
    expect(runs.map(({ messageId }) => messageId).slice(1)).toEqual([early.messageId, late.messageId]);
    expect(runs.map(({ sequence, held }) => [Number(sequence), held])).toEqual([
      [1, null],
      [2, 'ordered'],
      [3, 'ordered'],
    ]);
    const unmoved = await rescheduleMessage(db() as never, {
      ...{ environmentId, messageId: late.messageId },
      scheduleAt: at(3_600),
    });
    expect(unmoved?.changed.size).toBe(0);
  });
});

describe('the runs of one ordering key', () => {
  it('are sent one after the other in any case, and all end', async () => {
    const here = await scene({ onExhausted: 'skip' });
    const keys = ['x', 'y', 'z'];
    const ingests = [1, 2, 3].map(() => createIngest(db(), { maxItems: 3 }));
    const total = 120;
    let accepting = Array.from({ length: total }, (_none, index) => index);
    const next = new Map(keys.map((key) => [key, 0]));
    const step = async () => {
      const dice = randomInt(10);
      if (dice < 3 && accepting.length > 0) {
        accepting = accepting.slice(1);
        await ingests[randomInt(3)]?.(orderedEvent(here, keys[randomInt(3)] ?? ''));
      } else if (dice < 5) await settleOrder(db(), 1 + randomInt(5));
      else if (dice < 6) {
        await db().$executeRaw`
          UPDATE delivery_runs SET lease_until = now() - interval '1 second'
           WHERE channel_id = ${here.channelId}::uuid AND status = 'running' AND random() < 0.3`;
        await releaseExpiredLeases(db(), 10);
      } else {
        const [due] = await db().$queryRaw<{ id: string }[]>`
          SELECT id FROM delivery_runs WHERE channel_id = ${here.channelId}::uuid AND completed_at IS NULL
             AND due_at <= now() AND status IN ('queued', 'retrying') ORDER BY random() LIMIT 1`;
        if (!due) return;
        const status = (['succeeded', 'succeeded', 'failed', 'retrying'] as const)[randomInt(4)];
        const run = await attempt(due.id, status).catch(() => null);
        if (!run) return;
        const { orderingKey } = await db().deliveryRun.findUniqueOrThrow({ where: { id: due.id } });
        const before = next.get(orderingKey ?? '') ?? 0;
        expect(run.sequence).toBeGreaterThanOrEqual(before);
        next.set(orderingKey ?? '', run.sequence ?? 0);
      }
    };
    for (;;) {
      await Promise.all([step(), step(), step(), step()]);
      const [open] = await db().$queryRaw<{ most: number; open: number }[]>`
        SELECT COALESCE(max(free), 0)::int AS most, COALESCE(sum(runs), 0)::int AS open FROM (
          SELECT count(*) FILTER (WHERE held IS NULL) AS free, count(*) AS runs FROM delivery_runs
           WHERE channel_id = ${here.channelId}::uuid AND completed_at IS NULL GROUP BY ordering_key) of_key`;
      expect(open?.most).toBeLessThanOrEqual(1);
      if (accepting.length === 0 && open?.open === 0) break;
    }
    const runs = await runsOf(here);
    expect(runs).toHaveLength(total);
    for (const key of keys) {
      const started = runs
        .filter(({ orderingKey }) => orderingKey === key)
        .map(({ startedAt }) => +(startedAt ?? 0));
      expect(started).toEqual([...started].sort((one, other) => one - other));
    }
  }, 120_000);

  it('are held after a failed one, until it is retried or skipped', async () => {
    const here = await scene();
    const { channelId, fixture } = here;
    const { environmentId } = fixture;
    const ingest = createIngest(db());
    for (let n = 0; n < 4; n += 1) await ingest(orderedEvent(here, 'k'));
    const [first, second, third] = await runsOf(here);
    await attempt(first?.id ?? '', 'failed');
    expect(await settle()).toEqual([]);
    const page = { environmentId, channelId, after: null, limit: 10 };
    expect((await listBlockedKeys(db(), page)).rows).toMatchObject([
      { key: 'k', sequence: 1, runId: first?.id, waiting: 3, lastErrorCode: 'webhook_timeout' },
    ]);
    const retried = await unblockKey(deps(), { channelId, key: 'k', by: 'retry' });
    if (retried.outcome !== 'unblocked' || !retried.next) throw new Error(retried.outcome);
    expect((await listBlockedKeys(db(), page)).rows).toEqual([]);
    expect(await unblockKey(deps(), { channelId, key: 'k', by: 'skip' })).toEqual({ outcome: 'not_blocked' });
    expect(await claim(second?.id ?? '')).toEqual({ outcome: 'held' });
    expect((await attempt(retried.next.runId)).sequence).toBe(1);
    expect(await settle()).toEqual([second?.id]);

    await attempt(second?.id ?? '', 'failed');
    expect(await settle()).toEqual([]);
    const skipped = await unblockKey(deps(), { channelId, key: 'k', by: 'skip' });
    expect(skipped).toMatchObject({ outcome: 'unblocked', next: { runId: third?.id } });
    expect((await attempt(third?.id ?? '', 'failed')).sequence).toBe(3);
    await settle();
    await db().channel.update({ where: { id: channelId }, data: { deletedAt: new Date() } });
    await endRunsOfDeletedChannels({ db: db(), newId }, 10);
    await settle();
    expect(await db().deliveryRun.count({ where: { channelId, completedAt: null } })).toBe(0);
    const actions = await db().auditEntry.findMany({
      where: { environmentId, action: { startsWith: 'channel.ordering_key' } },
      orderBy: { id: 'asc' },
    });
    expect(actions.map(({ action }) => action)).toEqual([
      'channel.ordering_key_retried',
      'channel.ordering_key_skipped',
    ]);
  });

  it('are held after a failed one, even if the retention of its message has ended', async () => {
    const here = await scene();
    const { tenantId, environmentId } = here.fixture;
    const ingest = createIngest(db());
    for (let n = 0; n < 2; n += 1) await ingest(orderedEvent(here, 'k'));
    const [first] = await runsOf(here);
    await db().$executeRaw`UPDATE messages SET id = ${idDaysAgo(2)} WHERE id = ${first?.messageId}::uuid`;
    await db().plan.updateMany({
      where: { code: (await db().tenant.findUniqueOrThrow({ where: { id: tenantId } })).planCode },
      data: { retentionDays: 1 },
    });
    async function removeExpired(): Promise<void> {
      do await db().$executeRaw`UPDATE retention_turn SET next_at = now()`;
      while ((await removeExpiredMessages(db())).outcome !== 'finished');
    }
    const messages = () => db().message.count({ where: { environmentId } });
    await attempt(first?.id ?? '', 'failed');
    await removeExpired();
    expect([await settle(), await messages()]).toEqual([[], 2]);
    await removeExpired();
    expect([await settle(), await messages()]).toEqual([[], 1]);
  });

  it('do not make an acceptance wait when they end', async () => {
    const here = await scene();
    const ingest = createIngest(db());
    await ingest(orderedEvent(here, 'k'));
    const [run] = await runsOf(here);
    await db().$transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM ordering_keys WHERE channel_id = ${here.channelId}::uuid FOR UPDATE`;
      await attempt(run?.id ?? '');
    });
    accepted(await ingest(orderedEvent(here, 'k')));
    expect(await settle()).toHaveLength(1);
  });
});
