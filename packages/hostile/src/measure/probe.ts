import { once } from 'node:events';
import { forkEntry } from '../target/fork-entry.ts';
import type { Target } from '../target/target.ts';

/** The observations of the second tenant; times in milliseconds. */
export interface Observed {
  readonly eventsMs: number[];
  readonly healthMs: number[];
  /** Answers other than the expected one, by status or error code. */
  readonly failures: Record<string, number>;
}

export interface Probe {
  /** Returns the observations since the last call. */
  take(): Promise<Observed>;
  close(): Promise<void>;
}

const EVENTS_PER_SECOND = 20;
/** Starts the second tenant's steady traffic, which ends with this process. Resolves when it runs. */
export async function startProbe({ api, victim }: Target): Promise<Probe> {
  const entry = new URL('./probe-main', import.meta.url);
  const child = forkEntry(entry, [api.url, victim.token, String(EVENTS_PER_SECOND)]);
  const exited = once(child, 'exit');
  async function take(): Promise<Observed> {
    if (!child.connected) throw new Error('the probe has ended');
    child.send('take');
    const [observed] = await Promise.race([
      once(child, 'message'),
      exited.then(() => Promise.reject(new Error('the probe has ended'))),
    ]);
    return observed as Observed;
  }
  await take();
  return {
    take,
    async close() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

/** A quantile of the times; NaN if there are none. */
export function quantile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
