/**
 * A run counts the workers that were lost in a row while they had an attempt of it open. An attempt whose result was
 * written sets the count back to 0.
 *
 * A worker that is lost takes all of its open runs with it, so innocent runs are counted, too. From this many losses
 * on a run is in quarantine: it is tried alone, in a process that tries nothing else, so that the next loss says which
 * run it was.
 */
export const LOSSES_BEFORE_QUARANTINE = 3;

/**
 * With this many losses a run ends, although nobody saw it end a process that it had alone. That happens when
 * the process and the worker that watched it are lost together: by then the cause may be the run, or a machine that was
 * switched off. A loss that the worker saw ends the run at once.
 */
export const LOSSES_BEFORE_END = 6;

/** Whether a run with this count of losses may only be tried alone. */
export function isQuarantined(lostWorkers: number): boolean {
  return lostWorkers >= LOSSES_BEFORE_QUARANTINE;
}
