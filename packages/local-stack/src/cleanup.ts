export interface Cleanup {
  /** Adds a step. Steps are run in reverse order. */
  add(undo: () => Promise<unknown>): void;
  /** Adds `end(part)` as a step, and returns the part. */
  keep<Part>(part: Part, end: (part: Part) => Promise<unknown>): Part;
  /** Runs all steps, and writes failures to stderr. Concurrent calls wait for the same end. */
  run(): Promise<void>;
}

/** Collects cleanup steps. */
export function createCleanup(): Cleanup {
  const steps: (() => Promise<unknown>)[] = [];
  let running: Promise<void> | undefined;
  const runAll = async () => {
    for (let step = steps.pop(); step; step = steps.pop()) {
      await step().catch((error) => process.stderr.write(`${error}\n`));
    }
  };
  const add: Cleanup['add'] = (undo) => {
    steps.push(undo);
  };
  return {
    add,
    keep: (part, end) => {
      add(() => end(part));
      return part;
    },
    run: () => {
      running ??= runAll();
      return running;
    },
  };
}

/** Opens something that has several parts. If `open` fails, runs the steps it has added, and rejects. */
export async function openWithCleanup<Opened>(open: (cleanup: Cleanup) => Promise<Opened>): Promise<Opened> {
  const cleanup = createCleanup();
  try {
    return await open(cleanup);
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}
