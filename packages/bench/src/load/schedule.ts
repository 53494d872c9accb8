/** When the events of an open loop are to be sent: one every `1/rate` seconds, whatever the answers do. */
export interface ArrivalSchedule {
  readonly count: number;
  /** When the event is to be sent, in milliseconds from the beginning. */
  dueMs(index: number): number;
  /** How many events are due when so much time has gone by. */
  dueBy(elapsedMs: number): number;
}

/** Constant arrival: `rate` events a second for `durationMs`, at least one. */
export function createArrivalSchedule(rate: number, durationMs: number): ArrivalSchedule {
  const intervalMs = 1_000 / rate;
  const count = Math.max(1, Math.floor(durationMs / intervalMs));
  return {
    count,
    dueMs: (index) => index * intervalMs,
    dueBy: (elapsedMs) => Math.min(count, Math.max(0, Math.floor(elapsedMs / intervalMs) + 1)),
  };
}
