import { withDeadline } from '@postrider/domain';
import type { HttpListener } from '@postrider/listener';
import { jsonAnswer, type PlainAnswer, type PlainServerOptions, servePlain } from './plain-server.ts';
import { reuse } from './reuse.ts';

/** Whether the process can do its work, and the state of each dependency. */
export type Readiness = { ok: boolean; checks: Readonly<Record<string, unknown>> };

export type HealthAnswers = {
  /** 200 while the process lives. */
  healthz(): PlainAnswer;
  /** 200 when it can do its work and is not stopping, else 503; the body names each check. */
  readyz(): Promise<PlainAnswer>;
};

export type HealthDeps = {
  /**
   * Called at most once a second; requests meanwhile share its result. It must limit its own time, as
   * {@link checkReadiness} does. If it throws, the process counts as not ready.
   */
  ready: () => Promise<Readiness>;
  /** Whether the process is stopping, and so not ready; never by default. */
  isStopping?: (() => boolean) | undefined;
  monotonicMs?: () => number;
};

/** Needs no token, so it may cost the database no more than a query a second. */
const READY_MAX_AGE_MS = 1_000;

/**
 * The responses of `/healthz` and `/readyz`, independent of a framework: the API mounts them in Express, the worker
 * through `createHealthServer`.
 */
export function createHealthAnswers({
  ready,
  isStopping = () => false,
  monotonicMs,
}: HealthDeps): HealthAnswers {
  const readyNow = reuse(() => readyOrFailed(ready), READY_MAX_AGE_MS, monotonicMs);

  return {
    healthz: () => jsonAnswer(200, { status: 'ok' }),
    async readyz() {
      if (isStopping()) return jsonAnswer(503, { status: 'not_ready', checks: { process: 'stopping' } });
      const { ok, checks } = await readyNow();
      return jsonAnswer(ok ? 200 : 503, { status: ok ? 'ready' : 'not_ready', checks });
    },
  };
}

async function readyOrFailed(ready: HealthDeps['ready']): Promise<Readiness> {
  try {
    return await ready();
  } catch {
    return { ok: false, checks: { readiness: 'failed' } };
  }
}

/**
 * Serves `/healthz` and `/readyz` for a process without an HTTP API of its own. Resolves when it listens, rejects
 * when it cannot.
 */
export function createHealthServer(options: HealthDeps & PlainServerOptions): Promise<HttpListener> {
  const { healthz, readyz } = createHealthAnswers(options);
  return servePlain({ '/healthz': healthz, '/readyz': readyz }, options);
}

/** Below the usual probe timeout of a few seconds, so that a silent database shows as 503 and not as a timeout. */
const READY_DEADLINE_MS = 2_000;

export type ReadinessDeps = {
  /** Why Postgres cannot be used or written, or null, and how many migrations it lacks, or null if that is unknown. */
  readDatabaseState: () => Promise<{ problem: string | null; pending: number | null }>;
  isRedisReady: () => boolean;
  /** How long Postgres may take to respond, in milliseconds; after that it is `unreachable`. */
  deadlineMs?: number;
};

/**
 * Checks whether a process can do its work: Postgres must take writes and have every migration (docs/deploying.md,
 * "A proxy that follows `/readyz`"). Redis is reported but not required, because a restart would not bring it back.
 */
export async function checkReadiness({
  readDatabaseState,
  isRedisReady,
  deadlineMs = READY_DEADLINE_MS,
}: ReadinessDeps): Promise<Readiness> {
  const redis = isRedisReady() ? 'ok' : 'unreachable (not required)';
  const { problem, pending } = await withDeadline(readDatabaseState(), deadlineMs, 'PostgreSQL').catch(
    () => ({ problem: 'unreachable', pending: null }),
  );
  const migrations = pending === null ? 'unknown' : pending === 0 ? 'ok' : `${pending} pending`;
  return { ok: problem === null && pending === 0, checks: { postgres: problem ?? 'ok', migrations, redis } };
}
