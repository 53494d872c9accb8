/**
 * A kind of channel, such as `email`. An open text: which kinds there are is known to the registry of
 * `@postrider/channels`, against which it is checked where it enters.
 */
export type ChannelKind = string;

/** How a channel kind stores its secrets. */
export interface SecretsOfKind {
  /** Set if the service generates a secret; null otherwise. */
  readonly secret: { readonly type: 'generated' } | null;
  /** Set if the operator gives credentials; null otherwise. */
  readonly credentials: { readonly inSecretColumn?: string } | null;
}

/** What an encrypted credential is bound to, so that it cannot be decrypted for another channel or name. */
export const credentialBinding = (channelId: string, name: string): string => `${channelId} ${name}`;

/** The name of the credential that is stored in the `secret` column, or null. */
export const credentialInSecretColumn = ({ secret, credentials }: SecretsOfKind): string | null =>
  secret === null ? (credentials?.inSecretColumn ?? null) : null;

/** The names of all set credentials of a channel, in alphabetical order. */
export function credentialsSet(
  { hasSecret, credentials }: { readonly hasSecret: boolean; readonly credentials: readonly string[] },
  kind: SecretsOfKind,
): string[] {
  const inColumn = hasSecret ? credentialInSecretColumn(kind) : null;
  return [...credentials, ...(inColumn === null ? [] : [inColumn])].sort();
}
