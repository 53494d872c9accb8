import { SingleBar } from 'cli-progress';
import type { Output } from '../io.ts';

/** The progress of a long operation. */
export interface Progress {
  update(done: number, total: number): void;
  stop(): void;
}

const SILENT: Progress = { update: () => undefined, stop: () => undefined };

/** A progress bar on stderr, so that it never mixes with the result; nothing if stderr is not a terminal. */
export function progressBar(what: string, stderr: Output): Progress {
  if (stderr.isTTY !== true) return SILENT;
  const bar = new SingleBar({
    format: `${what} {bar} {value} of {total}, {duration_formatted}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    // The library uses only the stream methods that an Output has.
    stream: stderr as NodeJS.WritableStream,
  });
  let started = false;
  return {
    update(done, total) {
      if (!started) bar.start(total, done);
      else bar.setTotal(total);
      started = true;
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}
