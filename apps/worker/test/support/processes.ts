import { readdirSync, readFileSync } from 'node:fs';

/** A file of a process in /proc; null if the process is gone. */
function read(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return null;
  }
}

/** Whether the process is running and not a zombie. */
export function isRunning(pid: number): boolean {
  const state = /^\d+ \(.*\) (\w)/s.exec(read(pid, 'stat') ?? '')?.[1];
  return state !== undefined && state !== 'Z';
}

/** The isolated processes of the worker with the process id `parent`. */
export function isolatedProcessesOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => Number(/^\d+ \(.*\) \w (\d+)/s.exec(read(pid, 'stat') ?? '')?.[1]) === parent)
    .filter((pid) => isRunning(pid) && (read(pid, 'cmdline') ?? '').includes('isolated-main'));
}
