import type { ChannelRegistry } from '@postrider/channels';
import {
  createBatcher,
  findWaitingRuns,
  type PolledChannel,
  pollChannels,
  type UnboundDatabase,
  withShare,
} from '@postrider/db';
import type { ChannelKind, IdSource } from '@postrider/domain';
import type { ParsedJob, Producer } from '@postrider/queue';
import type { Metrics } from '@postrider/telemetry';
import type { Config } from '../config.ts';
import type { Delivering } from '../deliver/attempt.ts';
import type { LogErrors } from '../log-errors.ts';
import { type Claims, createChannelFacts } from './claims.ts';
import { createJobReceiver } from './job-receiver.ts';
import { createAcquirePermits, type RenderPermits } from './permits.ts';
import { startPoll } from './poll.ts';
import { createScheduler } from './scheduler.ts';
import type { Slots } from './slots.ts';

interface SchedulingDeps {
  readonly config: Pick<Config, 'redisUrl' | 'queueShards'>;
  readonly kinds: ChannelRegistry;
  readonly keyPrefix: string;
  /** For look-ups of channels and runs of all environments. */
  readonly across: UnboundDatabase;
  readonly producer: Pick<Producer, 'enqueue' | 'ready'>;
  readonly claims: Claims;
  readonly slots: Slots;
  readonly renders: RenderPermits;
  readonly deliver: Delivering['deliver'];
  readonly metrics: Metrics;
  readonly logErrors: LogErrors;
  readonly newId: IdSource;
  /** A random number in [0, 1). */
  readonly jitter: () => number;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicMs: () => number;
}

export interface Scheduling {
  /** Starts no further run. Channels with work are left to other workers. Resolves when all claimed runs have been started. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** How long a job of several channels waits for a slot here, before other workers get them one by one. */
const SHARED_PATIENCE_MS = 100;
/** Channels with a delay get jobs of their own. */
const SPLIT_DELAY_MS = 1;

interface Room {
  /** Resolves at once if a slot is free, otherwise when one may be, or for a shared job after {@link SHARED_PATIENCE_MS}. */
  readonly until: (job: { readonly isShared: boolean }) => Promise<void>;
  /** Then nothing waits any more. */
  readonly end: () => void;
}

function createRoom(slots: Slots): Room {
  const waiting = new Set<() => void>();
  let isOver = false;
  const wakeAll = () => {
    for (const wake of waiting) wake();
    waiting.clear();
  };
  slots.onFree(wakeAll);
  return {
    async until({ isShared }) {
      if (isOver || slots.free() > 0) return;
      await new Promise<void>((resolve) => {
        const go = () => {
          clearTimeout(timer);
          waiting.delete(go);
          resolve();
        };
        const timer = isShared ? setTimeout(go, SHARED_PATIENCE_MS) : undefined;
        waiting.add(go);
      });
    },
    end() {
      isOver = true;
      wakeAll();
    },
  };
}

/** Starts the scheduler with what wakes it: the jobs of every kind, and the poll. */
export function startScheduling(deps: SchedulingDeps): Scheduling {
  const { kinds, across, producer, claims, slots, renders, metrics, logErrors, jitter, monotonicMs } = deps;
  const onError = logErrors('scheduler', 'runs of a channel could not be claimed');
  /** Tells other workers. Their jobs can also come back to this one. */
  function wakeOthers(
    channelIds: readonly string[],
    channelKind: ChannelKind,
    dueMs: number | null,
    delayMs = 0,
  ): void {
    const due = dueMs === null ? {} : { dueMs };
    void producer.enqueue(channelIds.map((channelId) => ({ channelId, channelKind, delayMs, ...due })));
  }
  const scheduler = createScheduler({
    slots,
    acquire: createAcquirePermits(slots, renders),
    factsOf: createChannelFacts(across),
    claims,
    deliver: deps.deliver,
    wakeAnother: ({ channelId, kind }, dueMs) => wakeOthers([channelId], kind, dueMs),
    newId: deps.newId,
    onError,
    jitter,
    monotonicMs,
  });

  /** The channels of the runs of old jobs. */
  const channelOf = createBatcher<string, string | null>(
    async (runIds) => {
      const found = new Map((await findWaitingRuns(across, runIds)).map((run) => [run.runId, run.channelId]));
      return runIds.map((runId) => found.get(runId) ?? null);
    },
    { maxItems: 256, maxInFlight: 1, isItemError: () => false },
  );
  async function wakeChannelOf(runId: string): Promise<void> {
    const channelId = await channelOf(runId);
    if (channelId !== null) scheduler.wake(channelId, null);
  }

  const room = createRoom(slots);
  let isStopping = false;
  function onJob(job: ParsedJob, channelKind: ChannelKind): void {
    if ('runIds' in job) {
      for (const runId of job.runIds) wakeChannelOf(runId).catch(onError);
      return;
    }
    const { channelIds, dueMs } = job;
    const free = slots.free();
    // Another worker may have slots for the other channels.
    const here = isStopping ? 0 : channelIds.length === 1 ? 1 : free;
    for (const channelId of channelIds.slice(0, here)) scheduler.wake(channelId, dueMs);
    wakeOthers(channelIds.slice(here), channelKind, dueMs, free === 0 ? SPLIT_DELAY_MS : 0);
  }
  const { redisUrl, queueShards } = deps.config;
  const receivers = kinds.kinds.flatMap((kind) =>
    Array.from({ length: queueShards }, (_, shard) =>
      createJobReceiver(kind, {
        ...{ redisUrl, prefix: deps.keyPrefix, shard, untilRoom: room.until, onJob },
        onError: logErrors(`consumer:${kind}`, 'jobs cannot be received, or a job failed'),
      }),
    ),
  );

  const late = metrics.counter(
    'postrider_late_channels_total',
    'Channels that a poll found with runs that were overdue, because their wake-ups were missing.',
    [],
  );
  // Receivers of jobs renew their own connections now. Dashboards and alerts of 0.1.0 name this counter.
  metrics.counter('postrider_consumer_recoveries_total', 'Always 0.', { kind: kinds.kinds });
  const poll = startPoll({
    poll: withShare(
      'sweep',
      (options): Promise<readonly PolledChannel[]> =>
        pollChannels(across, { kinds: kinds.kinds, ...options }),
    ),
    scheduler,
    onLate: (channels) => late.inc(channels),
    onError: logErrors('poll', 'the channels with work could not be read'),
    jitter,
    monotonicMs,
  });

  return {
    async stop() {
      isStopping = true;
      room.end();
      const onStopError = logErrors('stop', 'the job receivers or the poll could not be stopped');
      for (const receiver of receivers) receiver.pause().catch(onStopError);
      poll.stop().catch(onStopError);
      await scheduler.stop();
    },
    async close() {
      await Promise.all(receivers.map((receiver) => receiver.close()));
    },
  };
}
