/**
 * What makes the clock of a Node.js process wrong by so much, to be loaded before anything else; null for a right one.
 * It replaces `Date`; monotonic time is left alone, as it is on a machine with a wrong clock.
 */
export function shiftedClock(offsetMs: number): string | null {
  if (offsetMs === 0) return null;
  return `
const Right = Date;
globalThis.Date = class Date extends Right {
  constructor(...args) {
    if (args.length === 0) super(Right.now() + ${offsetMs});
    else super(...args);
  }
  static now() {
    return Right.now() + ${offsetMs};
  }
};`;
}
