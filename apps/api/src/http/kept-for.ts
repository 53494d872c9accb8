/**
 * Reads at most once in `keptMs` milliseconds of `monotonicNow`. Callers in between share the last result. A failed
 * read is not cached.
 */
export function keptFor<Value>(
  keptMs: number,
  { read, monotonicNow }: { readonly read: () => Promise<Value>; readonly monotonicNow: () => number },
): () => Promise<Value> {
  let kept: { readonly value: Promise<Value>; readonly untilMs: number } | null = null;
  return () => {
    if (kept && monotonicNow() < kept.untilMs) return kept.value;
    const mine = { value: read(), untilMs: monotonicNow() + keptMs };
    kept = mine;
    mine.value.catch(() => {
      if (kept === mine) kept = null;
    });
    return mine.value;
  };
}
