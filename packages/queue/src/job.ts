import { createHash } from 'node:crypto';
import { type ChannelKind, isUuid, type WakeUp } from '@postrider/domain';
import keySlot from 'cluster-key-slot';
import type { RedisClient } from './redis.ts';

/** A job as stored in Redis. It says that channels have work; PostgreSQL knows which. Redis never holds payloads or secrets. */
export interface StoredJob {
  /** UUID of the channel, … */
  readonly channel?: string;
  /** … or the UUIDs of several. */
  readonly channels?: readonly string[];
  /** See `dueMs` of `WakeUp`: the earliest of all channels. */
  readonly due?: number;
}

/** What a job says: channels have work. */
export interface ParsedJob {
  readonly channelIds: readonly string[];
  readonly dueMs: number | null;
}

/** The most channels in a job. A larger job is not from this service. */
const MAX_IDS = 64;

const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value);
const areIds = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.length <= MAX_IDS && value.every(isId);

/** Parses a job. Null if this release cannot read it, such as a job of 0.1.0, which names a run: a poll then finds the run. */
export function parseJob(data: unknown): ParsedJob | null {
  const { channel, channels, due } = (data ?? {}) as Readonly<Record<string, unknown>>;
  const dueMs = typeof due === 'number' ? due : null;
  if (isId(channel)) return { channelIds: [channel], dueMs };
  return areIds(channels) ? { channelIds: channels, dueMs } : null;
}

/** Delays are rounded up to these steps, in milliseconds, so that runs that are due almost together share a job. */
const FINE_STEP_MS = 10;
const COARSE_STEP_MS = 200;
/** Longer delays, such as of schedules, take the coarse step. */
const COARSE_FROM_MS = 10_000;

/** A job to add, as BullMQ takes it. */
export interface NewJob {
  readonly name: 'deliver';
  readonly data: StoredJob;
  /** The delay in milliseconds. BullMQ ignores a job whose id exists. */
  readonly opts: { readonly jobId: string; readonly delay: number };
}

/**
 * The id and the delay of a job of one channel. The id has the channel and, if it is delayed, the moment when the delay ends, so a
 * channel has at most one job of its own for each moment. BullMQ refuses `:` and plain integers, and an id that equals one of
 * its own key names corrupts the queue. That is why ids start with `wake-`.
 */
function ownOptsOf({ channelId, delayMs, dueMs }: WakeUp, nowMs: number): NewJob['opts'] {
  if (delayMs <= 0) return { jobId: `wake-${channelId}`, delay: 0 };
  const step = delayMs < COARSE_FROM_MS ? FINE_STEP_MS : COARSE_STEP_MS;
  const endsAt = dueMs ?? nowMs + delayMs;
  const moment = Math.ceil(endsAt / step) * step;
  return { jobId: `wake-${channelId}-${moment}`, delay: delayMs + moment - endsAt };
}

/** The earlier due time; undefined if one of them is. */
const earlier = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? undefined : Math.min(one, other);

/** So few channels get jobs of their own: such a job exists once, however often its channel is woken. */
const FEW_CHANNELS = 4;
/** With more channels a job would hardly save more, and one worker would get more of them while others have none. */
const CHANNELS_PER_JOB = 32;

function jobOf(opts: NewJob['opts'], channels: StoredJob, due: number | undefined): NewJob {
  return { name: 'deliver', data: { ...channels, ...(due === undefined ? {} : { due }) }, opts };
}

/**
 * The id of a job of several channels: the same for the same channels, so a job that BullMQ ignores is never missing to another
 * tenant.
 */
function sharedId(channels: readonly string[]): string {
  return `wake-many-${createHash('sha256')
    .update([...channels].sort().join())
    .digest('hex')}`;
}

/**
 * The jobs of wake-ups of one kind, each at the earliest due time of its wake-ups. Many channels that have work now share jobs if
 * they `mayShare`.
 * @param nowMs the time of this process, in milliseconds since the epoch: a delay without a due time begins then
 */
export function jobsOf(
  wakeUps: readonly WakeUp[],
  { nowMs, mayShare }: { readonly nowMs: number; readonly mayShare: boolean },
): NewJob[] {
  const own = new Map<string, { readonly job: NewJob; readonly channelId: string }>();
  for (const wakeUp of wakeUps) {
    const { channelId } = wakeUp;
    const opts = ownOptsOf(wakeUp, nowMs);
    const other = own.get(opts.jobId)?.job;
    const due = other ? earlier(other.data.due, wakeUp.dueMs) : wakeUp.dueMs;
    own.set(opts.jobId, { job: jobOf(opts, { channel: channelId }, due), channelId });
  }
  const all = [...own.values()];
  const now = all.filter(({ job }) => job.opts.delay === 0);
  if (!mayShare || now.length <= FEW_CHANNELS) return all.map(({ job }) => job);
  const jobs = all.map(({ job }) => job).filter(({ opts }) => opts.delay > 0);
  for (const some of chunksOf(now, CHANNELS_PER_JOB)) {
    const channels = some.map(({ channelId }) => channelId);
    const due = some.map(({ job }) => job.data.due).reduce(earlier);
    jobs.push(jobOf({ jobId: sharedId(channels), delay: 0 }, { channels }, due));
  }
  return jobs;
}

/** Divides a list into parts of at most `size`. */
export function* chunksOf<T>(items: readonly T[], size: number): Generator<readonly [T, ...T[]]> {
  for (let start = 0; start < items.length; start += size)
    yield items.slice(start, start + size) as [T, ...T[]];
}

/** The queue of a channel kind. Each kind has its own, so that a backlog of one does not delay the others. */
export const queueName = (kind: ChannelKind): string => `postrider-${kind}`;

/** The prefix of all keys in Redis. Each test uses its own, so that tests do not interfere. */
export const DEFAULT_KEY_PREFIX = 'postrider';

/** Slots of a Redis Cluster. */
const SLOTS = 16_384;
/** The largest distance between a tag's slot and its position on the ring. */
const TOLERANCE = 64;

/**
 * The position of a shard on the ring of slots, from 0 to 1 relative to the first one: thirds, then halves of the gaps. So
 * 3, 6, 12 and 24 shards are spread evenly over as many primaries of equal size, and a shard keeps its position when
 * shards are added.
 */
function positionOf(shard: number): number {
  if (shard < 3) return shard / 3;
  const level = Math.floor(Math.log2(shard / 3));
  const first = 3 * 2 ** level;
  return (2 * (shard - first) + 1) / (2 * first);
}

/** The hash tag of a shard, the same for any number of shards. The tag of the first shard is the prefix. */
export function shardTag(prefix: string, shard: number): string {
  if (shard === 0) return prefix;
  const wanted = (keySlot(prefix) + Math.round(positionOf(shard) * SLOTS)) % SLOTS;
  for (let salt = 0; ; salt += 1) {
    const tag = `${prefix}-${shard}-${salt}`;
    const distance = Math.abs(keySlot(tag) - wanted);
    if (Math.min(distance, SLOTS - distance) <= TOLERANCE) return tag;
  }
}

/**
 * The key prefix of a shard's queues. In a Cluster the braces (a hash tag) keep all keys on one node, as BullMQ's
 * scripts require.
 */
export function queuePrefix(redis: RedisClient, prefix: string, shard = 0): string {
  const tag = shardTag(prefix, shard);
  return redis.isCluster ? `{${tag}}` : tag;
}

/** The shard of a job, derived from its id, so that a job that is added twice is found. */
export function shardOf(jobId: string, shards: number): number {
  return shards === 1 ? 0 : keySlot(jobId) % shards;
}
