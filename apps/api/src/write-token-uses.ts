import type { TokenUses } from '@postrider/db';
import { settlesWithin } from '@postrider/domain';

/** `last_used_at` is to the minute, so that writing it more often would tell nothing more. */
const INTERVAL_MS = 60_000;
/** How long a stop waits for the last uses to be written: losing them costs a minute's truth. */
const STOP_LIMIT_MS = 1_000;

/**
 * Writes at most once a minute, and when stopped, when tokens were used. What cannot be written is tried again a minute
 * later; `onError` is called with the error.
 */
export function writeTokenUses(
  { flush }: Pick<TokenUses, 'flush'>,
  onError: (error: unknown) => void,
): { readonly stop: () => Promise<void> } {
  const write = () => flush().catch(onError);
  const timer = setInterval(write, INTERVAL_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await settlesWithin([write()], STOP_LIMIT_MS);
    },
  };
}
