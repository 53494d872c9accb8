/** Thrown out of the generated validation, which has no other way to stop. */
export class StepLimitReached extends Error {
  constructor() {
    super('the validation took more steps than it may');
  }
}

/** Counts the steps of one validation at a time. */
export interface Meter {
  /** Allows so many steps from now on. */
  readonly start: (steps: number) => void;
  /** @throws StepLimitReached when fewer are left. */
  readonly spend: (steps: number) => void;
}

export function createMeter(): Meter {
  let left = 0;
  return {
    start: (steps) => {
      left = steps;
    },
    spend: (steps) => {
      left -= steps;
      if (left < 0) throw new StepLimitReached();
    },
  };
}
