import { readdirSync, readFileSync } from 'node:fs';

/** What /proc says of a process; null when it has gone. */
function read(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return null;
  }
}

/** Whether the process is there and is not just waiting to be collected. */
export function isRunning(pid: number): boolean {
  const state = /^\d+ \(.*\) (\w)/s.exec(read(pid, 'stat') ?? '')?.[1];
  return state !== undefined && state !== 'Z';
}

/** The processes in which a worker of the process `parent` tries runs alone. */
export function isolatedProcessesOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => Number(/^\d+ \(.*\) \w (\d+)/s.exec(read(pid, 'stat') ?? '')?.[1]) === parent)
    .filter((pid) => isRunning(pid) && (read(pid, 'cmdline') ?? '').includes('isolated-main'));
}
