import { describeFailure, type Program } from '@postrider/rig/servers';
import { createCleanup } from '../cleanup.ts';

type End = { readonly outcome: 'interrupted' } | { readonly outcome: 'failed'; readonly message: string };

/** The shared lifetime of all programs. */
export interface Lifetime {
  /** Resolves at the first signal, or when a managed program ends by itself. */
  readonly ended: Promise<End>;
  /** Manages a program: it is stopped at the end, and if it ends by itself, everything ends. */
  takeCharge(program: Program): void;
  /** Adds something to undo at the end, in reverse order of the additions. */
  onEnd(undo: () => Promise<void>): void;
  /** Ends everything like a signal does. The second call kills everything and exits this process. */
  interrupt(): void;
  /** Undoes everything in order. */
  close(): Promise<void>;
}

/** The exit code by which shells report Ctrl-C. */
const INTERRUPTED = 130;

export function createLifetime(): Lifetime {
  const cleanup = createCleanup();
  const programs: Program[] = [];
  let closing = false;
  let end: (how: End) => void = () => undefined;
  const ended = new Promise<End>((resolve) => {
    end = resolve;
  });

  function interrupt(): void {
    if (closing) {
      for (const program of programs) program.kill().catch(() => undefined);
      process.exit(INTERRUPTED);
    }
    closing = true;
    end({ outcome: 'interrupted' });
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);

  return {
    ended,
    interrupt,
    takeCharge: (program) => {
      programs.push(program);
      cleanup.add(program.stop);
      program.exited.then(({ code, signal }) => {
        if (closing) return;
        end({
          outcome: 'failed',
          message: describeFailure(program, `ended unexpectedly (${signal ?? code})`),
        });
      });
    },
    onEnd: cleanup.add,
    close: () => {
      closing = true;
      return cleanup.run();
    },
  };
}
