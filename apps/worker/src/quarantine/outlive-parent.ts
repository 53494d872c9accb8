import { Worker } from 'node:worker_threads';

const POLL_MS = 1_000;

/**
 * Kills this process once its parent has been gone for `limitMs`. It polls in a thread, so that a run that blocks the
 * event loop cannot keep the process alive.
 */
export function outliveParentBy(limitMs: number): void {
  const watch = `
    const end = () => process.kill(process.pid, 'SIGKILL');
    const poll = setInterval(() => {
      if (process.ppid === ${process.ppid}) return;
      clearInterval(poll);
      setTimeout(end, ${limitMs});
    }, ${POLL_MS});`;
  const thread = new Worker(watch, { eval: true, execArgv: [], env: {}, stdout: true });
  thread.unref();
}
