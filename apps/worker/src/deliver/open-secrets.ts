import { type ChannelKindDefinition, failure, type SendFailure } from '@postrider/channels';
import type { ClaimedChannel } from '@postrider/db';
import type { SecretBox } from '@postrider/domain';

export type OpenedSecrets =
  | { readonly ok: true; readonly secrets: readonly string[] }
  | { readonly ok: false; readonly failure: SendFailure };

/** Names no key: tenants read it. Operators find the key that is missing by `GET /admin/v1/secrets`. */
const REASONS = {
  unknown_key: 'was encrypted with a key that the service does not have at present',
  tampered: 'could not be opened: what is stored is not what was encrypted',
} as const;

/**
 * Opens the secrets of a channel, the current one first. Nothing is sent when one that is needed cannot be opened; it is
 * retried, because the operator restores the key and the run shall then go. The code is the kind's own for a delivery
 * that could not be authenticated.
 */
export function openSecrets(
  secretBox: SecretBox,
  channel: ClaimedChannel,
  { secret, secretErrorCode }: Pick<ChannelKindDefinition, 'secret' | 'secretErrorCode'>,
): OpenedSecrets {
  const sealed = [channel.sealedSecret, channel.sealedPreviousSecret].filter((text) => text !== null);
  const opened = sealed.map((text) => secretBox.open(text, channel.id));
  const secrets = opened.filter((result) => result.ok).map(({ plaintext }) => plaintext);
  const isComplete = secrets.length === sealed.length;
  if (isComplete && (secret?.type !== 'generated' || secrets.length > 0)) return { ok: true, secrets };
  const unopened = opened.find((result) => !result.ok);
  const reason = unopened ? REASONS[unopened.reason] : 'is missing';
  const message = `Nothing was sent: the channel's secret ${reason}.`;
  return { ok: false, failure: failure(secretErrorCode, message) };
}
