import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Enough to show why a program failed, little enough for one screen. */
const KEPT_LINES = 20;

/** What a program has written to stdout and stderr. */
export interface Output {
  /** The last lines, oldest first, at most 20. */
  lastLines(): string[];
  /** Resolves with true at the first line that matches, with false when the output ends before. */
  waitFor(pattern: RegExp): Promise<boolean>;
}

/** Reads the streams to their end, so that the program never blocks on a full pipe; hands each line on. */
export function createOutput(streams: readonly Readable[], onLine: (line: string) => void): Output {
  const kept: string[] = [];
  const waiting = new Set<{ pattern: RegExp; resolve: (found: boolean) => void }>();
  let open = streams.length;

  const keep = (line: string) => {
    onLine(line);
    kept.push(line);
    if (kept.length > KEPT_LINES) kept.shift();
    for (const waiter of waiting) {
      if (!waiter.pattern.test(line)) continue;
      waiting.delete(waiter);
      waiter.resolve(true);
    }
  };
  const onEnd = () => {
    open -= 1;
    if (open > 0) return;
    for (const waiter of waiting) waiter.resolve(false);
    waiting.clear();
  };
  for (const stream of streams) {
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })
      .on('line', keep)
      .once('close', onEnd);
  }

  return {
    lastLines: () => [...kept],
    waitFor: (pattern) =>
      new Promise((resolve) => {
        if (kept.some((line) => pattern.test(line))) resolve(true);
        else if (open === 0) resolve(false);
        else waiting.add({ pattern, resolve });
      }),
  };
}
