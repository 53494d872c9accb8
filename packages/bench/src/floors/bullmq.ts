import { once } from 'node:events';
import { Queue, Worker } from 'bullmq';
import { monotonicMs } from '../load/clock.ts';
import { serve } from '../processes/serve.ts';

/** As the service sets them: no job is kept, the events stream is short. */
const JOB_OPTIONS = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;
const EVENTS_KEPT = 100;
/** Jobs of one pipeline, about as many as the service's batches have. */
const CHUNK = 64;

interface QueueOf {
  readonly redisUrl: string;
  readonly queue: string;
}

const connectionTo = (url: string) => ({ url, maxRetriesPerRequest: null });

/** Adds empty jobs, due after `delayMs`, and returns when it began, by the monotonic clock. */
async function add({
  redisUrl,
  queue: name,
  jobs,
  delayMs,
}: QueueOf & { jobs: number; delayMs: number }): Promise<number> {
  const queue = new Queue(name, {
    connection: connectionTo(redisUrl),
    streams: { events: { maxLen: EVENTS_KEPT } },
    defaultJobOptions: JOB_OPTIONS,
  });
  await queue.waitUntilReady();
  const beganAtMs = monotonicMs();
  for (let done = 0; done < jobs; done += CHUNK) {
    const delay = Math.max(0, Math.ceil(beganAtMs + delayMs - monotonicMs()));
    await queue.addBulk(
      Array.from({ length: Math.min(CHUNK, jobs - done) }, () => ({
        name: 'empty',
        data: {},
        opts: { delay },
      })),
    );
  }
  await queue.close();
  return beganAtMs;
}

/** Takes so many jobs, with as many at once as the worker does, and returns when each was taken. */
async function consume({
  redisUrl,
  queue,
  jobs,
  concurrency,
}: QueueOf & { jobs: number; concurrency: number }): Promise<Float64Array> {
  const takenAtMs = new Float64Array(jobs);
  let taken = 0;
  const worker = new Worker(
    queue,
    async () => {
      takenAtMs[taken] = monotonicMs();
      taken += 1;
      if (taken === jobs) worker.emit('drained');
    },
    {
      connection: connectionTo(redisUrl),
      concurrency,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
  );
  while (taken < jobs) await once(worker, 'drained');
  await worker.close();
  return takenAtMs;
}

const handlers = { add, consume };

/** What a process of the BullMQ floor can be asked for: one adds, another consumes. */
export type BullmqFloor = typeof handlers;

serve(handlers);
