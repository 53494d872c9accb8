export interface Cleanup {
  /** Adds something to undo; the last that was added is undone first. */
  add(undo: () => Promise<void>): void;
  /** Undoes everything, also after one of them fails; calls that come meanwhile wait for the same end. */
  run(): Promise<void>;
}

/** Collects what has to be undone at the end. */
export function createCleanup(onError: (error: unknown) => void): Cleanup {
  const steps: (() => Promise<void>)[] = [];
  let running: Promise<void> | undefined;
  const runAll = async () => {
    for (let step = steps.pop(); step; step = steps.pop()) await step().catch(onError);
  };
  return {
    add: (undo) => {
      steps.push(undo);
    },
    run: () => {
      running ??= runAll();
      return running;
    },
  };
}
