import { testRedisUrl } from '@postrider/db/testing';
import { formatId } from '@postrider/domain';
import { queueName, queuePrefix, type RedisClient } from '@postrider/queue';
import {
  type MailServer,
  type Receiver,
  type RecordedRelease,
  startMailServer,
  startReceiver,
  status,
  waitFor,
} from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { Queue } from 'bullmq';
import { type Harness, startHarness } from '../support/harness.ts';
import { connectToRedis, flushPrefix } from '../support/redis.ts';
import { readRecordedRelease, restoreDatabase, restoreRedis, runsWithJobs } from './restore-release.ts';

/** The state is restored as if this much time had passed since the recording. */
const ELAPSED_MS = 12_000;
/** Leases are released soon. */
const ONLY_LEASES = { leases: 200 };
const HOOK = '/hook';

let recorded: RecordedRelease;
let harness: Harness;
let redis: RedisClient;
let receiver: Receiver;
let mail: MailServer;
let shiftMs: number;
let waiting: string[];
let delayed: string[];
let open: string[];
/** The waiting ones whose jobs Redis has lost. */
let lost: string[];

const rowsOf = (table: string) => recorded.tables[table] ?? [];
const recordedRun = (id: string) => rowsOf('delivery_runs').find((row) => row.id === id);
const dueAt = (id: string) => Date.parse(String(recordedRun(id)?.due_at)) + shiftMs;

const attemptsOf = (runId: string) =>
  harness.db.attempt.findMany({
    where: { runId },
    orderBy: { number: 'asc' },
    select: { number: true, status: true, startedAt: true },
  });
const statusesOf = async (runId: string) => (await attemptsOf(runId)).map((attempt) => attempt.status);
const succeeded = (ids: readonly string[]) =>
  harness.db.deliveryRun.count({ where: { id: { in: [...ids] }, status: 'succeeded' } });

/** How often a run arrived at the receivers since the upgrade. */
function arrivals(id: string): number {
  const runId = formatId('run', id);
  const webhooks = receiver.received(HOOK).filter(({ headers }) => headers['webhook-id'] === runId);
  const mails = mail.mails.filter(({ messageId }) => messageId?.startsWith(`<${runId}@`));
  return webhooks.length + mails.length;
}

/** Sends what the recorded channels send to the receivers of this test. */
async function redirectChannels(): Promise<void> {
  const url = receiver.endpoint(HOOK, status(200));
  const smtp = { host: '127.0.0.1', port: mail.port, secure: false };
  await harness.db.$executeRaw`
    UPDATE channels SET config = config || jsonb_build_object('timeout_ms', 15000) ||
      CASE kind WHEN 'webhook' THEN jsonb_build_object('url', ${url}::text)
                ELSE jsonb_build_object('smtp', ${JSON.stringify(smtp)}::jsonb) END`;
}

beforeAll(async () => {
  recorded = await readRecordedRelease();
  [waiting, delayed, open] = (['wait', 'delayed', 'active'] as const).map((state) =>
    runsWithJobs(recorded, state),
  ) as [string[], string[], string[]];
  lost = waiting.splice(0, 1);
  shiftMs = Date.now() - recorded.recordedAt - ELAPSED_MS;
  const key = Buffer.from(recorded.encryptionKey, 'base64');
  [receiver, mail] = await Promise.all([startReceiver(), startMailServer()]);
  harness = await startHarness({
    database: await restoreDatabase(recorded, shiftMs),
    key: { id: 'upgrade', key },
  });
  await redirectChannels();
  redis = connectToRedis(testRedisUrl());
  const options = { shiftMs, elapsedMs: ELAPSED_MS, prefix: harness.keyPrefix, lost };
  await restoreRedis(redis, recorded, options);
  await harness.startWorker({ sweepPauses: ONLY_LEASES });
  const expected = [...waiting, ...delayed, ...open];
  await waitFor('the runs with jobs', async () => (await succeeded(expected)) === expected.length);
});
afterAll(async () => {
  await harness.close();
  await flushPrefix(testRedisUrl(), harness.keyPrefix);
  redis.disconnect();
  await receiver.close();
  await mail.close();
});

describe('what release 0.1.0 left to this one', () => {
  it('has runs of both kinds whose jobs are waiting, delayed for a retry or a schedule, and active', () => {
    const kinds = (ids: readonly string[]) => ids.map((id) => recordedRun(id)?.channel_kind).sort();
    expect(kinds([...waiting, ...lost])).toEqual([...Array(3).fill('email'), ...Array(3).fill('webhook')]);
    expect(kinds(delayed)).toEqual(['email', 'email', 'webhook', 'webhook']);
    expect(delayed.map((id) => recordedRun(id)?.status).sort()).toEqual([
      ...Array(2).fill('retrying'),
      ...Array(2).fill('scheduled'),
    ]);
    expect(kinds(open)).toEqual(['email', 'webhook']);
  });

  it('is delivered once for each waiting job, at its first attempt', async () => {
    for (const id of waiting) {
      expect(await statusesOf(id)).toEqual(['succeeded']);
      expect(arrivals(id)).toBe(1);
    }
  });

  it('is delivered once for each delayed job, and not early', async () => {
    for (const id of delayed) {
      const attempts = await attemptsOf(id);
      const before = recordedRun(id)?.status === 'retrying' ? ['failed'] : [];
      expect(attempts.map((attempt) => attempt.status)).toEqual([...before, 'succeeded']);
      expect(attempts.at(-1)?.startedAt.getTime()).toBeGreaterThanOrEqual(dueAt(id));
      expect(arrivals(id)).toBe(1);
    }
  });

  it('is sent again once for each attempt that was open when its worker died, and that attempt stays unknown', async () => {
    for (const id of open) {
      expect(await statusesOf(id)).toEqual(['unknown', 'succeeded']);
      expect(arrivals(id)).toBe(1);
    }
  });

  it('is not sent again if it had succeeded', async () => {
    const done = rowsOf('delivery_runs').filter((row) => row.status === 'succeeded');
    expect(done).toHaveLength(2);
    expect(done.map(({ id }) => arrivals(String(id)))).toEqual([0, 0]);
  });

  it('is delivered from the database if Redis has lost the job, and not before it is due', async () => {
    const far = rowsOf('delivery_runs').filter(
      ({ id, status: state }) => state === 'scheduled' && !delayed.includes(String(id)),
    );
    expect(far).toHaveLength(2);
    await harness.startWorker();
    await waitFor('the lost ones', async () => (await succeeded(lost)) === lost.length);
    for (const id of lost) expect(arrivals(id)).toBe(1);
    for (const { id } of far) expect([await statusesOf(String(id)), arrivals(String(id))]).toEqual([[], 0]);
  });

  it('leaves no job behind', async () => {
    for (const kind of ['webhook', 'email'] as const) {
      const queue = new Queue(queueName(kind), {
        connection: redis,
        prefix: queuePrefix(redis, harness.keyPrefix),
      });
      await waitFor('an empty queue', async () => {
        const counts = await queue.getJobCounts('waiting', 'active', 'delayed');
        return Object.values(counts).every((count) => count === 0);
      });
      await queue.close();
    }
  });
});
