/** First wait between two tries, doubled each time up to the longest. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 1_000;

/**
 * Retries a write after each error that `isRetryable`, until `giveUpAt` on the clock of `now`; then rejects with
 * the last error. A result that is not written leaves the attempt `unknown`, and the run is sent again.
 */
export async function retryUntil<T>(
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
