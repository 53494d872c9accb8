import { hash } from 'node:crypto';
import type { ChannelKind, RunRoute } from '@postrider/domain';

/** A run of a job. Redis never holds payloads or secrets. */
export interface JobRun {
  /** UUID of a delivery run. */
  readonly runId: string;
  /**
   * The run's route, so that the worker need not look it up. Jobs of earlier releases do not have one. It is not trusted:
   * the claim compares it with the run's row.
   */
  readonly route?: RunRoute;
}

/** A run to start after `delayMs`. Its row in Postgres decides whether it may be sent. */
export interface RunToEnqueue extends JobRun {
  readonly channelKind: ChannelKind;
  /** The number of the attempt to make, from 1. */
  readonly attempt: number;
  /** Milliseconds until the run is due; 0 if it is due now. */
  readonly delayMs: number;
  /** See {@link generationOf}. Default: 0. */
  readonly generation?: number;
  /**
   * Whether the run was rescheduled. Such a run gets its own job, which replaces the job of an earlier change, so a run
   * has at most one such job however often it is rescheduled.
   */
  readonly isMoved?: boolean;
  /** Adds the job at the front of the queue instead of the end; no effect on a run with a delay. */
  readonly atFront?: boolean;
}

type StoredRoute = readonly [environmentId: string, channelId: string, renderedFor: string | null];

/** The routes of a job's runs, each written once. Earlier releases ignore them. */
interface StoredRoutes {
  readonly routes?: readonly StoredRoute[];
  /** For each run the index of its route in `routes`. */
  readonly routeOf?: readonly number[];
}

/** A job as stored in Redis. Workers of release 0.1.0 can only read a job with one run, and only its `runId`. */
export type StoredJob = StoredRoutes &
  ({ readonly runId: string } | { readonly v: 2; readonly runIds: readonly string[] });

/** The most runs in a job of any release. A larger job is not from this service. */
const MAX_RUNS = 64;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const GROUP_ID = /^runs-(\d+)-/;
const FIRST_GENERATION_MS = 1_000;
/** The generation of rescheduled runs. {@link generationOf} never reaches it. */
const MOVED_GENERATION = 1_000;

const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

function parseRunIds({ v, runId, runIds }: Readonly<Record<string, unknown>>): readonly string[] | null {
  if (v === undefined) return isUuid(runId) ? [runId] : null;
  if (v !== 2 || !Array.isArray(runIds) || runIds.length === 0 || runIds.length > MAX_RUNS) return null;
  return runIds.every(isUuid) ? runIds : null;
}

function parseRoute(stored: unknown): RunRoute | null {
  if (!Array.isArray(stored)) return null;
  const [environmentId, channelId, renderedFor] = stored as unknown[];
  if (!isUuid(environmentId) || !isUuid(channelId)) return null;
  return renderedFor === null || isUuid(renderedFor) ? { environmentId, channelId, renderedFor } : null;
}

/** Parses a job into its runs, at least one. Returns null if this version cannot read it; the sweep then adds its runs again. */
export function parseJobData(data: unknown): readonly JobRun[] | null {
  const stored = (data ?? {}) as Record<string, unknown>;
  const runIds = parseRunIds(stored);
  if (!runIds) return null;
  const routes = Array.isArray(stored.routes) ? stored.routes.slice(0, MAX_RUNS).map(parseRoute) : [];
  const routeOf: readonly unknown[] = Array.isArray(stored.routeOf) ? stored.routeOf : [];
  return runIds.map((runId, index) => {
    const place = routeOf[index];
    const route = typeof place === 'number' ? routes[place] : null;
    return route ? { runId, route } : { runId };
  });
}

const isSameRoute = (one: RunRoute, other: RunRoute) =>
  one.channelId === other.channelId &&
  one.environmentId === other.environmentId &&
  one.renderedFor === other.renderedFor;

/** Empty if a run has no route: the job is then like those of earlier releases. */
function storeRoutes(runs: readonly JobRun[]): StoredRoutes {
  const places = new Map<string, number>();
  const routes: StoredRoute[] = [];
  const routeOf: number[] = [];
  let previous: RunRoute | null = null;
  let place = 0;
  for (const { route } of runs) {
    if (!route) return {};
    // Most runs have the route of the previous one.
    if (previous === null || !isSameRoute(route, previous)) {
      const stored = [route.environmentId, route.channelId, route.renderedFor] as const;
      const key = stored.join();
      place = places.get(key) ?? routes.push(stored) - 1;
      places.set(key, place);
      previous = route;
    }
    routeOf.push(place);
  }
  return { routes, routeOf };
}

/** Formats a job for Redis; {@link parseJobData} reads it. */
export function toStoredJob(runs: readonly JobRun[]): StoredJob {
  const runIds = runs.map(({ runId }) => runId);
  const [runId, ...others] = runIds;
  const routes = storeRoutes(runs);
  return runId !== undefined && others.length === 0 ? { runId, ...routes } : { v: 2, runIds, ...routes };
}

/** Identifies a job of a run: runs with the same key need only one job. */
export const runKey = ({ runId, attempt, generation = 0, isMoved = false }: RunToEnqueue): string =>
  `${runId}-${attempt}-${isMoved ? MOVED_GENERATION : generation}`;

/**
 * Returns a deterministic id, so that adding the same runs twice for the same attempts creates one job. BullMQ refuses
 * `:` and plain integers, and an id that equals one of its own key names corrupts the queue. That is why ids start with
 * `run-` or `runs-`.
 * @param keys the keys of the job's runs ({@link runKey})
 */
export function jobId(keys: readonly string[]): string {
  if (keys.length === 1) return `run-${keys[0]}`;
  return `runs-${keys.length}-${hash('sha1', keys.join(), 'base64url')}`;
}

/** The number of runs in the job of this id. */
export const runsInJob = (id: string): number => Number(GROUP_ID.exec(id)?.[1] ?? 1);

/**
 * BullMQ ignores an id that exists in any state, so a run whose job is stuck in Redis could never be added again. The
 * generation gives it a new id when it is 1 s, 2 s, 4 s, … overdue. Because the intervals double, a long backlog does
 * not multiply its jobs. The first is this early because BullMQ computes a delay with the clock of the process that
 * added the job: if that clock is ahead, the job starts late.
 */
export function generationOf(overdueMs: number): number {
  if (overdueMs < FIRST_GENERATION_MS) return 0;
  return Math.floor(Math.log2(overdueMs / FIRST_GENERATION_MS)) + 1;
}
