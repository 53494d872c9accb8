/** The first pause between two tries. It doubles up to the longest. */
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 1_000;

/**
 * Retries a write after each error that `isRetryable`, until `giveUpAt` by the clock `now`, and then rejects with the
 * last error. If a result is not written, the attempt becomes `unknown` and the run is sent again.
 */
export async function retryUntil<T>(
  write: () => Promise<T>,
  {
    giveUpAt,
    isRetryable,
    now = () => performance.now(),
  }: { giveUpAt: number; isRetryable: (error: unknown) => boolean; now?: () => number },
): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    try {
      return await write();
    } catch (error) {
      if (!isRetryable(error) || now() + waitMs > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
