/**
 * Replaces `Date` before anything else is loaded; monotonic time is left alone, as it is on a machine with a
 * wrong clock.
 */
const script = (offsetMs: number) => `
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

/** The environment of a Node.js process whose clock is off by so much. */
export function shiftedClock(offsetMs: number): NodeJS.ProcessEnv {
  if (offsetMs === 0) return {};
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script(offsetMs))}` };
}
