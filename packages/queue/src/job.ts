import type { WakeUp } from '@postrider/domain';

/** A job as stored in Redis. It says that a channel has work; PostgreSQL knows which. Redis never holds payloads or secrets. */
export interface StoredJob {
  /** UUID of the channel. */
  readonly channel: string;
  /** See `dueMs` of `WakeUp`. */
  readonly due?: number;
}

/** What a job says: a channel has work, or in a job of an earlier release, the channels of these runs have. */
export type ParsedJob =
  | { readonly channelId: string; readonly dueMs: number | null }
  | { readonly runIds: readonly string[] };

/** The most runs in a job of an earlier release. A larger job is not from this service. */
const MAX_RUNS = 64;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** Parses a job of this or an earlier release. Returns null if this version cannot read it: polls then find its runs. */
export function parseJob(data: unknown): ParsedJob | null {
  const { v, channel, due, runId, runIds } = (data ?? {}) as Readonly<Record<string, unknown>>;
  if (isUuid(channel)) return { channelId: channel, dueMs: typeof due === 'number' ? due : null };
  if (v === undefined) return isUuid(runId) ? { runIds: [runId] } : null;
  if (v !== 2 || !Array.isArray(runIds) || runIds.length === 0 || runIds.length > MAX_RUNS) return null;
  return runIds.every(isUuid) ? { runIds } : null;
}

/** Delays are rounded up to these steps, in milliseconds, so that runs that are due almost together share a job. */
const FINE_STEP_MS = 10;
const COARSE_STEP_MS = 200;
/** Longer delays, such as of schedules, take the coarse step. */
const COARSE_FROM_MS = 10_000;

/** A job to add. */
export interface NewJob {
  readonly id: string;
  readonly data: StoredJob;
  readonly delayMs: number;
}

/**
 * The job of a wake-up. Its id has the channel and, if it is delayed, the moment when it ends, so a channel has at most one job
 * for each moment. BullMQ refuses `:` and plain integers, and an id that equals one of its own key names corrupts the queue.
 * That is why ids start with `wake-`.
 * @param nowMs the time of this process, in milliseconds since the epoch, which names the moment if the wake-up has no due time
 */
export function jobOf({ channelId, delayMs, dueMs }: WakeUp, nowMs: number): NewJob {
  const data = { channel: channelId, ...(dueMs === undefined ? {} : { due: dueMs }) };
  if (delayMs <= 0) return { id: `wake-${channelId}`, data, delayMs: 0 };
  const step = delayMs < COARSE_FROM_MS ? FINE_STEP_MS : COARSE_STEP_MS;
  const endsAt = dueMs ?? nowMs + delayMs;
  const moment = Math.ceil(endsAt / step) * step;
  return { id: `wake-${channelId}-${moment}`, data, delayMs: delayMs + moment - endsAt };
}
