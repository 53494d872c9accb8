/** `warning`: it works, but not as it should. `skipped`: it could not be checked. */
export type CheckState = 'ok' | 'warning' | 'failed' | 'skipped';

/** The result of one check. */
export interface Check {
  readonly check: string;
  readonly state: CheckState;
  /** What was found, and what to do about it. */
  readonly detail: string;
}

export const result = (check: string, state: CheckState, detail: string): Check => ({ check, state, detail });
