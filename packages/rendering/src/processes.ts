import { type RenderProcess, startRenderProcess } from './render-process.ts';

/** How often work is retried after its process died before starting it. */
const MAX_RETRIES = 3;
/** Work that no process has started by then is rejected, because the caller may hold a lease. */
const RETRY_WITHIN_MS = 5_000;

export interface Processes {
  /**
   * Does the work in a process of the pool. A process that exceeds its time or memory is killed and replaced. The
   * caller must not have more work open than there are processes. Rejects if no process starts.
   */
  readonly run: RenderProcess['perform'];
  /** Whether a process has started and is idle or busy. */
  isReady(): boolean;
  /** Resolves with true when a process has started, and with false if none starts or the pool is closed. */
  whenReady(): Promise<boolean>;
  /** Process ids of the running processes. */
  pids(): readonly number[];
  /** Kills all processes and resolves when they are gone. */
  close(): Promise<void>;
}

interface Waiter {
  readonly resolve: (process: RenderProcess) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Creates a pool of up to `count` render processes. A process has these states:
 *
 * ## Starting
 *
 * There is work for it, or it replaces one that has ended.
 *
 * ## Idle
 *
 * It has started. It is ended after `restMs`, or, if that is null, when the pool is closed.
 *
 * ## Busy
 *
 * It does one piece of work.
 *
 * ## Ended
 *
 * It is gone. It is replaced if work waits, or if it had done work and was not ended for being idle.
 *
 * Only a process of its own keeps a template from crashing the service: the template engine's limits are cooperative, and
 * a thread that exhausts its heap can make V8 end the whole process.
 */
export function createProcesses({
  count,
  restMs,
  onError,
  startProcess = startRenderProcess,
}: {
  count: number;
  restMs: number | null;
  onError: (error: unknown) => void;
  /** Starts a process. Throws if the system cannot start another. Tests replace it. */
  startProcess?: () => RenderProcess;
}): Processes {
  const all = new Set<RenderProcess>();
  /** Idle processes, each with the timer that ends it. */
  const idle = new Map<RenderProcess, NodeJS.Timeout | undefined>();
  const waiting: Waiter[] = [];
  /**
   * Processes that have done work and were not ended for being idle. Only these are replaced before they are needed, so
   * that processes that always crash are not restarted in a loop.
   */
  const proven = new WeakSet<RenderProcess>();
  /** Processes that have started. */
  const ready = new Set<RenderProcess>();
  const awaitingReady: ((isReady: boolean) => void)[] = [];
  let closed = false;

  function tellReady(isReady: boolean): void {
    for (const resolve of awaitingReady.splice(0)) resolve(isReady);
  }

  function reportNotStarted(error: unknown): void {
    if (closed) return;
    onError(error);
    tellReady(false);
    waiting.shift()?.reject(error);
  }

  function start(): void {
    let process: RenderProcess;
    try {
      process = startProcess();
    } catch (error) {
      reportNotStarted(error);
      return;
    }
    all.add(process);
    process.ready.then(() => {
      ready.add(process);
      tellReady(true);
      putBack(process);
    }, reportNotStarted);
    void process.ended.then(() => {
      all.delete(process);
      ready.delete(process);
      clearTimeout(idle.get(process));
      idle.delete(process);
      // Started processes may be busy for long, so waiters can only rely on those that are starting.
      const starting = all.size - ready.size;
      const isNeeded = waiting.length > starting || proven.has(process);
      if (!closed && isNeeded) start();
    });
  }

  function putBack(process: RenderProcess): void {
    const next = waiting.shift();
    if (next) next.resolve(process);
    else idle.set(process, restMs === null ? undefined : setTimeout(sendToRest, restMs, process).unref());
  }

  function sendToRest(process: RenderProcess): void {
    proven.delete(process);
    idle.delete(process);
    process.kill();
  }

  function take(): Promise<RenderProcess> {
    if (closed) return Promise.reject(new Error('the render processes are closed'));
    const [free] = idle.keys();
    if (free) {
      clearTimeout(idle.get(free));
      idle.delete(free);
      return Promise.resolve(free);
    }
    return new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      if (all.size < count) start();
    });
  }

  return {
    async run(work, timeLimitMs) {
      const beganAt = performance.now();
      for (let tries = 0; ; tries += 1) {
        const mayRetry = () =>
          !closed && tries < MAX_RETRIES && performance.now() - beganAt < RETRY_WITHIN_MS;
        let process: RenderProcess;
        try {
          process = await take();
        } catch (error) {
          if (mayRetry()) continue;
          throw error;
        }
        const result = await process.perform(work, timeLimitMs);
        // The process died before it started this work, so the work is not the cause.
        if (result.outcome === 'not_started' && mayRetry()) continue;
        proven.add(process);
        if (result.outcome === 'answered' || result.outcome === 'failed') putBack(process);
        return result;
      }
    },
    isReady: () => ready.size > 0,
    whenReady() {
      if (closed || ready.size > 0) return Promise.resolve(!closed);
      return new Promise((resolve) => {
        awaitingReady.push(resolve);
        if (all.size === 0) start();
      });
    },
    pids: () => [...all].flatMap(({ pid }) => pid ?? []),
    async close() {
      closed = true;
      tellReady(false);
      for (const { reject } of waiting.splice(0)) reject(new Error('the render processes are closed'));
      const endings = [...all].map((process) => process.ended);
      for (const process of all) process.kill();
      await Promise.all(endings);
    },
  };
}
