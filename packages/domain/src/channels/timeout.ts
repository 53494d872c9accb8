/**
 * The shortest and the longest time limit of an attempt that a config can name, in milliseconds. The lease of a run is
 * as long, so it bounds how late a lost one is retried.
 */
export const ATTEMPT_TIMEOUT_MS = { least: 1_000, most: 60_000 } as const;

/** The time limit of an attempt as a JSON Schema. */
export const timeoutSchema = (defaultMs: number) =>
  ({
    type: 'integer',
    minimum: ATTEMPT_TIMEOUT_MS.least,
    maximum: ATTEMPT_TIMEOUT_MS.most,
    default: defaultMs,
    description: 'Time limit of one attempt as a whole, in milliseconds.',
  }) as const;
