import { SingleBar } from 'cli-progress';
import type { Output } from '../io.ts';

/** Says how much is done, and of how much. What is done can be more than was expected. */
export type Update = (done: number, total: number) => void;

/** Runs a long operation with a progress bar on stderr, so that it never mixes with the result; without one if stderr is not a terminal. */
export async function withProgress<Result>(
  what: string,
  stderr: Output,
  run: (update: Update) => Promise<Result>,
): Promise<Result> {
  if (stderr.isTTY !== true) return run(() => undefined);
  const bar = new SingleBar({
    format: `${what} {bar} {value} of {total}, {duration_formatted}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    // The library uses only the stream methods that an Output has.
    stream: stderr as NodeJS.WritableStream,
  });
  let started = false;
  const update: Update = (done, expected) => {
    const total = Math.max(done, expected);
    if (!started) bar.start(total, done);
    else bar.setTotal(total);
    started = true;
    bar.update(done);
  };
  return run(update).finally(() => bar.stop());
}
