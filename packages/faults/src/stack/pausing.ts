import { readFile } from 'node:fs/promises';

/** A server process and its children, the server first. */
export async function processesOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

/** Stops (SIGSTOP) and continues (SIGCONT) a server with its children. */
export function pausing(pidOf: () => number): { pause(): Promise<void>; resume(): void } {
  let paused: number[] = [];
  return {
    async pause() {
      // The server first, so that it starts no further process.
      process.kill(pidOf(), 'SIGSTOP');
      paused = await processesOf(pidOf());
      for (const pid of paused) process.kill(pid, 'SIGSTOP');
    },
    resume() {
      // The server last: once it runs it takes note of children that have ended, and their ids are gone. A child that is
      // never continued keeps the server's output open, and nobody sees the server end.
      for (const pid of paused.splice(0).reverse()) process.kill(pid, 'SIGCONT');
    },
  };
}
