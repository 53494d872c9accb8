import { failure, type SendFailure } from '@postrider/channels/senders';
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
 * Opens the secrets of a channel, the current one first. Nothing is sent when one that is needed cannot be
 * opened; it is retried, because the operator mends the keys and the run shall then go. No code of an attempt
 * is about this (docs/specification.md, "Attempt error codes"): it shows under the code of a delivery that
 * could not be authenticated.
 */
export function openSecrets(secretBox: SecretBox, channel: ClaimedChannel): OpenedSecrets {
  const sealed = [channel.sealedSecret, channel.sealedPreviousSecret].filter((secret) => secret !== null);
  const opened = sealed.map((secret) => secretBox.open(secret, channel.id));
  const secrets = opened.filter((result) => result.ok).map(({ plaintext }) => plaintext);
  const isComplete = secrets.length === sealed.length;
  if (isComplete && (channel.kind === 'email' || secrets.length > 0)) return { ok: true, secrets };
  const fault = opened.find((result) => !result.ok);
  const reason = fault ? REASONS[fault.reason] : 'is missing';
  const code = channel.kind === 'email' ? 'smtp_auth_failed' : 'webhook_connection_failed';
  return { ok: false, failure: failure(code, `Nothing was sent: the channel's secret ${reason}.`) };
}
