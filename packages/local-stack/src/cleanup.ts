export interface Cleanup {
  /** Adds something to undo; the last that was added is undone first. */
  add(undo: () => Promise<unknown>): void;
  /** Has a part ended with the rest, and returns it. */
  keep<Part>(part: Part, end: (part: Part) => Promise<unknown>): Part;
  /**
   * Undoes everything, and writes to stderr what cannot be undone. Calls that come meanwhile wait for the same end.
   */
  run(): Promise<void>;
}

/** Collects what has to be undone at the end. */
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

/** Opens something of several parts; when it cannot be opened, undoes what `open` had added, and rejects. */
export async function openWithCleanup<Opened>(open: (cleanup: Cleanup) => Promise<Opened>): Promise<Opened> {
  const cleanup = createCleanup();
  try {
    return await open(cleanup);
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}
