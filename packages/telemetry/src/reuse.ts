/**
 * Returns a function that calls `read` at most once in `maxAgeMs` milliseconds; calls meanwhile share its result.
 * @param monotonicMs a clock
 */
export function reuse<Result>(
  read: () => Promise<Result>,
  maxAgeMs: number,
  monotonicMs: () => number = () => performance.now(),
): () => Promise<Result> {
  let latest: { readonly readAt: number; readonly result: Promise<Result> } | null = null;
  return () => {
    const now = monotonicMs();
    if (latest === null || now - latest.readAt >= maxAgeMs) latest = { readAt: now, result: read() };
    return latest.result;
  };
}
