import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { TargetProcess } from '../target/target.ts';

const MB = 1_048_576;
const SAMPLE_MS = 100;

/** The use of a process by the kernel's account: resident memory in MB, and open descriptors. */
export interface Usage {
  readonly memoryMb: number;
  /** The sum of its child processes; shared pages count for each. */
  readonly childrenMb: number;
  readonly descriptors: number;
}

/** Resident memory of one process, in MB. */
async function memoryOf(pid: number | string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round((Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024) / MB);
}

/** Resident memory of the child processes in MB; one that ends meanwhile counts as 0. */
async function memoryOfChildren(pid: number): Promise<number> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const children = listed.trim().split(/\s+/).filter(Boolean);
  // A zombie is listed, but has no memory.
  const memories = await Promise.all(children.map((child) => memoryOf(child).catch(() => 0)));
  return memories.reduce((sum, memory) => sum + (memory || 0), 0);
}

/** Reads a process's usage; null without /proc, or if the process has ended. */
export async function usageOf({ pid }: TargetProcess): Promise<Usage | null> {
  try {
    const [memoryMb, childrenMb, descriptors] = await Promise.all([
      memoryOf(pid),
      memoryOfChildren(pid),
      readdir(`/proc/${pid}/fd`),
    ]);
    return { memoryMb, childrenMb, descriptors: descriptors.length };
  } catch {
    return null;
  }
}

export interface Sampler {
  /** Ends the sampling and returns the maximum of each figure; null if nothing could be read. */
  stop(): Promise<Usage | null>;
}

/** Samples a process ten times a second. */
export function sample(process: TargetProcess): Sampler {
  const over = new AbortController();
  let peak: Usage | null = null;
  async function look(): Promise<void> {
    const now = await usageOf(process);
    if (!now) return;
    peak = {
      memoryMb: Math.max(now.memoryMb, peak?.memoryMb ?? 0),
      childrenMb: Math.max(now.childrenMb, peak?.childrenMb ?? 0),
      descriptors: Math.max(now.descriptors, peak?.descriptors ?? 0),
    };
  }
  async function run(): Promise<void> {
    while (!over.signal.aborted) {
      await look();
      await wait(SAMPLE_MS, undefined, { signal: over.signal }).catch(() => undefined);
    }
    await look();
  }
  const running = run();
  return {
    async stop() {
      over.abort();
      await running;
      return peak;
    },
  };
}
