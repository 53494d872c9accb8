import { once } from 'node:events';
import { monotonicMs } from '@postrider/rig';
import { Queue, Worker } from 'bullmq';

/** The service's own options: no job is kept, and the events stream is short. */
const JOB_OPTIONS = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;
const EVENTS_KEPT = 100;
/** Jobs per pipeline: about the size of the service's batches. */
const CHUNK = 64;

interface QueueOf {
  readonly redisUrl: string;
  readonly queue: string;
}

interface Jobs extends QueueOf {
  readonly jobs: number;
  /** Milliseconds until the first job is due; the others follow evenly within `spreadMs`. */
  readonly delayMs?: number;
  readonly spreadMs?: number;
}

interface Taken {
  /** When each job was taken, in that order: milliseconds of the monotonic clock. */
  readonly atMs: Float64Array;
  /** How many milliseconds after its due time each job was taken. */
  readonly latenessMs: Float64Array;
}

const connectionTo = (url: string) => ({ url, maxRetriesPerRequest: null });

/** Adds empty jobs and returns when it started: milliseconds of the monotonic clock. */
async function add({ redisUrl, queue: name, jobs, delayMs = 0, spreadMs = 0 }: Jobs): Promise<number> {
  const queue = new Queue(name, {
    connection: connectionTo(redisUrl),
    streams: { events: { maxLen: EVENTS_KEPT } },
    defaultJobOptions: JOB_OPTIONS,
  });
  await queue.waitUntilReady();
  const beganAtMs = monotonicMs();
  const delayOf = (index: number) => {
    const dueMs = beganAtMs + delayMs + (index * spreadMs) / jobs;
    return Math.max(0, Math.ceil(dueMs - monotonicMs()));
  };
  for (let first = 0; first < jobs; first += CHUNK) {
    const chunk = Array.from({ length: Math.min(CHUNK, jobs - first) }, (_, index) => ({
      name: 'empty',
      data: {},
      opts: delayMs > 0 ? { delay: delayOf(first + index) } : {},
    }));
    await queue.addBulk(chunk);
  }
  await queue.close();
  return beganAtMs;
}

/** Takes the given number of jobs, with the worker's concurrency. */
async function consume({
  redisUrl,
  queue,
  jobs,
  concurrency,
}: QueueOf & { jobs: number; concurrency: number }): Promise<Taken> {
  const atMs = new Float64Array(jobs);
  const latenessMs = new Float64Array(jobs);
  let taken = 0;
  const worker = new Worker(
    queue,
    async ({ timestamp, opts: { delay = 0 } }) => {
      atMs[taken] = monotonicMs();
      latenessMs[taken] = Date.now() - timestamp - delay;
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
  return { atMs, latenessMs };
}

/** The questions that a process of the BullMQ floor answers: one process adds, another consumes. */
export const handlers = { add, consume };
export type BullmqFloor = typeof handlers;
