/** First wait between two tries, doubled each time up to the longest. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 1_000;

/**
 * Writes what was done, again and again after each error that `isRetryable`, until `giveUpAt`: a result that
 * is not written makes the run `unknown` and sends it twice. After that the lease runs out, and the write
 * would be refused.
 */
export async function persistently<T>(
  write: () => Promise<T>,
  {
    giveUpAt,
    isRetryable,
    now = () => performance.now(),
  }: { giveUpAt: number; isRetryable: (error: unknown) => boolean; now?: () => number },
): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      return await write();
    } catch (error) {
      if (!isRetryable(error) || now() + waitMs > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
