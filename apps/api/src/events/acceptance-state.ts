import { describeOutage } from '@postrider/db';

/** How long a failure counts while no event comes that could succeed, in milliseconds. */
const FAILURE_COUNTS_MS = 10_000;

/** Whether events can be stored, by the last one that came. */
export interface AcceptanceState {
  /** Why the last event could not be stored, if that was just now. */
  readonly problem: () => string | null;
  /** The same function, whose results are remembered. */
  readonly watch: <Input, Result>(
    accept: (input: Input) => Promise<Result>,
  ) => (input: Input) => Promise<Result>;
}

/**
 * Remembers why PostgreSQL stores no events. Some reasons show only then, such as a full disk: everything can still be read.
 */
export function createAcceptanceState(monotonicNow: () => number): AcceptanceState {
  let failure: { readonly problem: string; readonly at: number } | null = null;
  return {
    problem: () => (failure && monotonicNow() - failure.at < FAILURE_COUNTS_MS ? failure.problem : null),
    watch: (accept) => async (input) => {
      try {
        const result = await accept(input);
        failure = null;
        return result;
      } catch (error) {
        const problem = describeOutage(error);
        if (problem !== null) failure = { problem, at: monotonicNow() };
        throw error;
      }
    },
  };
}
