import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Answers, Task, Work } from './task.ts';

/**
 * A template may not cost a process more than this: two threads stay within 100 MB of young and old objects.
 */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };
/** A thread that does not start within this is a broken installation, not a slow template. */
const START_LIMIT_MS = 30_000;
/** How often work that came to a dying thread is given to another. */
const MAX_RETRIES = 3;
/** How long a thread that is there on demand waits for more work. */
const REST_MS = 60_000;

export type ThreadOutcome<Answer> =
  | { readonly outcome: 'answered'; readonly answer: Answer }
  | { readonly outcome: 'cut_off'; readonly message: string };

export interface Threads {
  /** Runs the work in a thread; a thread that exceeds its time or memory is killed and replaced. */
  run<Kind extends Work['kind']>(
    work: Extract<Work, { kind: Kind }>,
    timeLimitMs: number,
  ): Promise<ThreadOutcome<Answers[Kind]>>;
  close(): Promise<void>;
}

/**
 * From source (tests, tsx) the thread needs the TypeScript loader and the condition that the process itself
 * runs with.
 */
function threadEntry(): { filename: string; execArgv: string[] } {
  if (!import.meta.url.endsWith('.ts')) {
    return { filename: new URL('./thread.js', import.meta.url).href, execArgv: [] };
  }
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return {
    filename: new URL('./thread.ts', import.meta.url).href,
    execArgv: ['--import', loader, '--conditions=@postrider/source'],
  };
}

const isOutOfMemory = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * Creates a pool of `count` render threads. They start at once, or, `onDemand`, when there is work, and end
 * after a minute without. The template library's own limits are cooperative, one filter can overshoot
 * them by a second and hundreds of megabytes; only ending the thread is certain.
 */
export function createThreads({
  count,
  onDemand,
  onError,
}: {
  count: number;
  onDemand: boolean;
  onError: (error: unknown) => void;
}): Threads {
  const pool = new Piscina<Task, Answers[Work['kind']]>({
    ...threadEntry(),
    minThreads: onDemand ? 0 : count,
    idleTimeout: onDemand ? REST_MS : 0,
    maxThreads: count,
    resourceLimits: RESOURCE_LIMITS,
    // A template has no business with the process's secrets.
    env: {},
  });
  pool.on('error', onError);

  async function attempt<Kind extends Work['kind']>(
    work: Extract<Work, { kind: Kind }>,
    timeLimitMs: number,
    retries: number,
  ): Promise<ThreadOutcome<Answers[Kind]>> {
    const { port1, port2 } = new MessageChannel();
    const killer = new AbortController();
    let started = false;
    let timer = setTimeout(() => killer.abort(), START_LIMIT_MS);
    port1.once('message', () => {
      started = true;
      clearTimeout(timer);
      timer = setTimeout(() => killer.abort(), timeLimitMs);
    });
    try {
      const answer = await pool.run(
        { work, started: port2 },
        { transferList: [port2], signal: killer.signal },
      );
      return { outcome: 'answered', answer: answer as Answers[Kind] };
    } catch (error) {
      if (isOutOfMemory(error)) {
        // The thread died of what it did before: this work had not begun.
        if (!started && retries > 0) return await attempt(work, timeLimitMs, retries - 1);
        return { outcome: 'cut_off', message: 'it needed too much memory' };
      }
      if (!killer.signal.aborted) throw error;
      if (!started) throw new Error(`no render thread started within ${START_LIMIT_MS} ms`);
      return { outcome: 'cut_off', message: `it took more than ${timeLimitMs} ms` };
    } finally {
      clearTimeout(timer);
      port1.close();
    }
  }

  return {
    run: (work, timeLimitMs) => attempt(work, timeLimitMs, MAX_RETRIES),
    close: () => pool.destroy(),
  };
}
