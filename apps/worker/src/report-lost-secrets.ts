import { formatId, type SecretBox } from '@postrider/domain';
import type { BoundedLog } from '@postrider/telemetry';

/**
 * A secret box that also logs what cannot be opened, with the channel and the key that is missing: the attempt says it
 * to the tenant, and by this line an operator hears of it without asking. How often a channel is named is the log's
 * business. It is for secrets that are bound to the UUIDs of their channels.
 */
export function reportLostSecrets(secretBox: SecretBox, log: Pick<BoundedLog, 'error'>): SecretBox {
  return {
    ...secretBox,
    open(sealed, channelId) {
      const opened = secretBox.open(sealed, channelId);
      if (!opened.ok) {
        log.error(
          `secret:${channelId}`,
          'the secret of a channel cannot be opened: its deliveries are held up',
          {
            channel: formatId('chn', channelId),
            reason: opened.reason,
            key_id: opened.keyId ?? null,
          },
        );
      }
      return opened;
    },
  };
}
