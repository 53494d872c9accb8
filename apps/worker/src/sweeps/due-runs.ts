import type { ChannelRegistry } from '@postrider/channels';
import { findOverdueRuns, type OverdueRun, type UnboundDatabase } from '@postrider/db';
import type { ChannelKind } from '@postrider/domain';
import { generationOf, type Producer, type RunToEnqueue } from '@postrider/queue';
import type { DeferredChannels } from '../deliver/deferred-channels.ts';
import type { SampleQueue } from '../stall-detector.ts';

/** Time for the job from the acceptance to start the run. */
const GRACE_MS = 1_000;
/** With more runs in a queue's waiting jobs, the sweep adds only `LEAST`. 5,000 take at most 5 MB in Redis. */
const HIGH_WATER_MARK = 5_000;
/**
 * Searches for the oldest run even if the queue is full, because the stall detector must know whether runs are overdue.
 */
const LEAST = 1;
/** Runs per channel and round. A channel with more is deferred, so that the process starts the rest itself. */
const PER_CHANNEL = 100;

export interface DueRunsDeps {
  readonly kinds: ChannelRegistry;
  readonly db: UnboundDatabase;
  readonly producer: Producer;
  readonly deferredChannels: Pick<DeferredChannels, 'defer' | 'deferred'>;
  readonly sampleQueue: SampleQueue;
}

/** The jobs for runs that are overdue: see {@link generationOf}. */
export const jobsOf = (runs: readonly OverdueRun[]): RunToEnqueue[] =>
  runs.map(({ overdueMs, channelId, ...run }) => ({ ...run, generation: generationOf(overdueMs) }));

/** Defers the channels that have more overdue runs than a round adds. */
function deferLongBacklogs(
  runs: readonly OverdueRun[],
  kind: ChannelKind,
  { deferredChannels }: DueRunsDeps,
): void {
  const found = new Map<string, number>();
  for (const { channelId } of runs) {
    const count = (found.get(channelId) ?? 0) + 1;
    found.set(channelId, count);
    if (count === PER_CHANNEL) deferredChannels.defer({ channelId, kind });
  }
}

interface KindQueue {
  readonly kind: ChannelKind;
  /** Runs in the waiting jobs of each shard; null if Redis does not answer for it. */
  readonly waiting: readonly (number | null)[];
}

async function enqueueKind(
  { kind, waiting }: KindQueue,
  runs: readonly OverdueRun[],
  deps: DueRunsDeps,
): Promise<void> {
  await deps.producer.enqueue(jobsOf(runs));
  deferLongBacklogs(runs, kind, deps);
  await deps.sampleQueue(
    kind,
    waiting.map((ofShard) => runs.length > 0 && (ofShard ?? 0) > 0),
  );
}

/**
 * Enqueues runs that are due and unclaimed: the safety net for failed enqueues and jobs that Redis lost. Runs whose job
 * still waits get no second one if they are found together again, because the job has the same id; otherwise the claim
 * decides. Skips runs of deferred channels, which would get no slot in any round. Each kind has its own page, so that a
 * backlog of one does not hide the runs of another. Returns how many were found.
 */
export async function sweepDueRuns(deps: DueRunsDeps): Promise<number> {
  const { db, producer, deferredChannels, sampleQueue } = deps;
  const queues: KindQueue[] = [];
  for (const kind of deps.kinds.kinds) {
    const waiting = await producer.waiting(kind);
    if (waiting.some((runs) => runs !== null)) queues.push({ kind, waiting });
    else await sampleQueue(kind, []);
  }
  if (queues.length === 0) return 0;
  const found = await findOverdueRuns(db, {
    kinds: queues.map(({ kind, waiting }) => {
      const total = waiting.reduce<number>((sum, runs) => sum + (runs ?? 0), 0);
      return { kind, limit: Math.max(LEAST, HIGH_WATER_MARK - total) };
    }),
    withoutChannels: deferredChannels.deferred(),
    graceMs: GRACE_MS,
    perChannel: PER_CHANNEL,
  });
  for (const queue of queues) {
    const runs = found.filter(({ channelKind }) => channelKind === queue.kind);
    await enqueueKind(queue, runs, deps);
  }
  return found.length;
}
