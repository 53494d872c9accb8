import type { ChannelKind } from '@postrider/domain';
import { parseJobData, QUEUE_NAMES } from '@postrider/queue';
import { DelayedError, type Job, Worker, type WorkerOptions } from 'bullmq';
import type { DeliverRun } from './deliver/deliver.ts';

/**
 * With these a killed worker's job is taken up after some 10 s; the defaults need a minute. Whether the run
 * is then sent is decided by its row, so a job may stall any number of times.
 */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
const MAX_STALLED = 1_000_000;
const LONGEST_RECONNECT_DELAY_MS = 500;
/**
 * A connection that owes an answer and has been silent for longer is dead, whatever TCP says of it: it is
 * replaced. BullMQ's blocking pop waits 10 s at most.
 */
const SILENCE_LIMIT_MS = 15_000;

export interface ConsumerOptions {
  readonly redisUrl: string;
  readonly prefix: string;
  readonly concurrency: number;
  /** Hears of lost connections and of handlers that threw. */
  readonly onError: (error: unknown) => void;
}

export interface Consumer {
  /** Jobs that were handed to this process, since it began. */
  handed(): number;
  /** Whether it may be handed another job: it takes jobs, and not all of its places are taken. */
  hasRoom(): boolean;
  /** Takes jobs by new connections; those of the old are given up, and what is open goes on. */
  replace(): void;
  /** Takes no further job. */
  pause(): Promise<void>;
  /** Closes the connections without waiting for what is still open. */
  close(): Promise<void>;
}

/** A BullMQ worker and how many of its jobs are open. */
interface CountedWorker {
  readonly worker: Worker;
  open: number;
}

/** The adapter between BullMQ and the delivery: parse, call, done. BullMQ decides nothing about a run. */
export function createConsumer(kind: ChannelKind, deliver: DeliverRun, options: ConsumerOptions): Consumer {
  let handed = 0;
  let stopping = false;

  async function handle(job: Job, token?: string): Promise<void> {
    const data = parseJobData(job.data);
    if (!data) return;
    const result = await deliver(data.runId);
    if (result.outcome === 'done') return;
    await job.moveToDelayed(Date.now() + result.delayMs, token);
    throw new DelayedError();
  }

  function begin(): CountedWorker {
    const counted: CountedWorker = {
      open: 0,
      worker: new Worker(
        QUEUE_NAMES[kind],
        async (job, token) => {
          handed += 1;
          counted.open += 1;
          try {
            await handle(job, token);
          } finally {
            counted.open -= 1;
          }
        },
        workerOptions(options),
      ),
    };
    counted.worker.on('error', options.onError);
    counted.worker.on('failed', (_job, error) => options.onError(error));
    return counted;
  }

  let current = begin();

  return {
    handed: () => handed,
    hasRoom: () => !stopping && current.open < options.concurrency,
    replace() {
      if (stopping) return;
      // Not awaited: closing waits for a server that may never answer (taskforcesh/bullmq issue 4656).
      current.worker.close(true).catch(options.onError);
      current = begin();
    },
    pause() {
      stopping = true;
      return current.worker.pause(true);
    },
    close: () => current.worker.close(true),
  };
}

function workerOptions({ redisUrl, prefix, concurrency }: ConsumerOptions): WorkerOptions {
  return {
    connection: {
      url: redisUrl,
      maxRetriesPerRequest: null,
      socketTimeout: SILENCE_LIMIT_MS,
      retryStrategy: (times: number) => Math.min(times * 50, LONGEST_RECONNECT_DELAY_MS),
    },
    prefix,
    concurrency,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: MAX_STALLED,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  };
}
