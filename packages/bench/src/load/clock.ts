const offsetMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** Milliseconds of the machine's monotonic clock: the same in every process, whatever wall clocks do. */
export const monotonicMs = (): number => offsetMs + performance.now();
