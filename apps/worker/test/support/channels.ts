import type { ChannelInput } from '@postrider/db';

/** A webhook channel that retries soon. */
export function webhookChannel(
  url: string,
  { timeoutMs = 5_000, delaysSeconds = [0.05], maxAttempts = 5 } = {},
): Omit<ChannelInput, 'environmentId'> {
  return {
    kind: 'webhook',
    name: 'hook',
    config: { url, timeout_ms: timeoutMs },
    retry: { max_attempts: maxAttempts, delays_seconds: delaysSeconds },
  };
}
