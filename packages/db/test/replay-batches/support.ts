import { createUuidV7Source, type MessageFilter, type ReplayBatchRecord } from '@postrider/domain';
import {
  createIngest,
  createReplayBatch,
  type ReplayPageOutcome,
  readReplayBatch,
  replayPage,
  type UnboundDatabase,
} from '../../src/index.ts';
import type { ReplayBatchInput } from '../../src/replay-batches/change-batch.ts';
import type { ReplayPageDeps } from '../../src/replay-batches/replay-page.ts';
import { actorNamed, type Fixture } from '../../src/testing/index.ts';
import { accepted, eventFor } from '../support.ts';

export const actor = actorNamed('ada');

/** Accepts events one after the other and returns their message ids, newest first. */
export async function acceptMany(
  db: UnboundDatabase,
  fixture: Fixture,
  count: number,
  changes: Parameters<typeof eventFor>[1] = {},
): Promise<string[]> {
  const ingest = createIngest(db);
  const outcomes = await Promise.all(Array.from({ length: count }, () => ingest(eventFor(fixture, changes))));
  return outcomes
    .map((outcome) => accepted(outcome).messageId)
    .sort()
    .reverse();
}

/** Creates a bulk replay in the fixture's environment, as fast as may be unless told otherwise. */
export async function createBatch(
  db: UnboundDatabase,
  { environmentId }: Fixture,
  changes: Partial<ReplayBatchInput> & { filter?: MessageFilter } = {},
): Promise<ReplayBatchRecord> {
  const created = await createReplayBatch(
    { db, newId: createUuidV7Source(), actor },
    {
      environmentId,
      filter: {},
      channelIds: null,
      consumerId: null,
      messagesPerSecond: 500,
      ...changes,
    },
  );
  return created;
}

/** A clock of the pace that a test sets. */
export function createPaceClock(startMs = 1_000_000) {
  const clock = { nowMs: startMs };
  return { clock, paceClock: () => clock.nowMs };
}

export const pageDeps = (db: UnboundDatabase, paceClock?: () => number): ReplayPageDeps => ({
  db,
  ...(paceClock ? { paceClock } : {}),
});

/** Processes pages, one per second of its clock, until the batch has ended or `until` returns true. */
export async function runBatch(
  db: UnboundDatabase,
  batch: ReplayBatchRecord,
  until: (outcome: ReplayPageOutcome) => boolean = () => false,
): Promise<ReplayBatchRecord> {
  const { clock, paceClock } = createPaceClock();
  for (;;) {
    const outcome = await replayPage(pageDeps(db, paceClock), batch);
    clock.nowMs += 1_000;
    const now = await batchNow(db, batch.id);
    if (now.completedAt || until(outcome)) return now;
  }
}

export async function batchNow(db: UnboundDatabase, id: string): Promise<ReplayBatchRecord> {
  const batch = await readReplayBatch(db, id);
  if (!batch) throw new Error('the batch is not there');
  return batch;
}

/** How many runs each message got by replays, by message id. */
export async function replaysOf(
  db: UnboundDatabase,
  { environmentId }: Fixture,
): Promise<Map<string, number>> {
  const runs = await db.deliveryRun.groupBy({
    by: ['messageId'],
    where: { environmentId, replay: { gt: 0 } },
    _count: true,
  });
  return new Map(runs.map(({ messageId, _count }) => [messageId, _count]));
}

/** Ends runs as a worker would. */
export async function endRuns(
  db: UnboundDatabase,
  where: { messageId?: string; channelId?: string; environmentId?: string },
  status: 'succeeded' | 'failed',
): Promise<void> {
  await db.deliveryRun.updateMany({
    where,
    data: {
      status,
      completedAt: new Date(),
      leaseUntil: null,
      ...(status === 'failed' ? { lastErrorCode: 'webhook_http_error' } : {}),
    },
  });
}

/** A promise that is settled from outside. */
export function createGate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
