/** What the registry of kinds says of the secrets of a channel. */
export interface SecretsOfKind {
  /** The one that the service makes; null when the kind has none. */
  readonly secret: { readonly type: 'generated' } | null;
  /** Those that the operator gives; null when the kind has none. */
  readonly credentials: { readonly inSecretColumn?: string } | null;
}

/** What a sealed credential is bound to: it opens for no other channel and under no other name. */
export const credentialBinding = (channelId: string, name: string): string => `${channelId} ${name}`;

/** The name of the credential that is kept in the column of a single secret; null when that holds none. */
export const credentialInSecretColumn = ({ secret, credentials }: SecretsOfKind): string | null =>
  secret === null ? (credentials?.inSecretColumn ?? null) : null;

/** The names of all credentials of a channel that are set, in alphabetical order. */
export function credentialsSet(
  { hasSecret, credentials }: { readonly hasSecret: boolean; readonly credentials: readonly string[] },
  kind: SecretsOfKind,
): string[] {
  const inColumn = hasSecret ? credentialInSecretColumn(kind) : null;
  return [...credentials, ...(inColumn === null ? [] : [inColumn])].sort();
}
