import { Worker } from 'node:worker_threads';

const POLL_MS = 500;
const THREAD_HEAP = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 };

/**
 * Kills this process once its parent has been gone for `limitMs`. It polls in a thread, so that a template or a run that blocks the
 * event loop cannot keep the process alive.
 */
export function outliveParentBy(limitMs: number, parent = process.ppid): void {
  const watch = `
    const end = () => process.kill(process.pid, 'SIGKILL');
    const poll = setInterval(() => {
      if (process.ppid === ${parent}) return;
      clearInterval(poll);
      setTimeout(end, ${limitMs});
    }, ${POLL_MS});`;
  const options = { eval: true, execArgv: [], env: {}, stdout: true, resourceLimits: THREAD_HEAP };
  new Worker(watch, options).unref();
}
