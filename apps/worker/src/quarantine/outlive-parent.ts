import { Worker } from 'node:worker_threads';

const POLL_MS = 1_000;

/**
 * Kills this process when the one that started it has been gone for `limitMs`, also when its event loop stands still: a
 * run that never lets go of it must not leave it behind after the worker was killed. Hence a thread.
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
