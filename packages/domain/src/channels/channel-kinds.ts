/**
 * A channel kind, such as `email`. Not a union: the registry of `@postrider/channels` defines the kinds, and input is
 * checked against it.
 */
export type ChannelKind = string;

/** A secret that the service generates. It is shown once and rotated with an overlap. A channel always has one. */
export interface GeneratedSecret {
  readonly type: 'generated';
  /** The name of the credential that signs instead of it, if it is given. */
  readonly replacedBy?: string;
  /** Creates the secret, or the credential of this name of the kind's `rotatedCredentials`. */
  create(credential?: string): string;
}

/** How a channel kind stores its secrets. */
export interface SecretsOfKind {
  /** Set if the service generates a secret; null otherwise. */
  readonly secret: GeneratedSecret | null;
  /** Set if the operator provides credentials; null otherwise. */
  readonly credentials: { readonly inSecretColumn?: string } | null;
}

/**
 * Changes of credentials by name: a text replaces the credential, null removes it. Credentials that are not named
 * stay.
 */
export type CredentialChanges = Readonly<Record<string, string | null>>;

/** The binding of an encrypted credential. It cannot be decrypted for another channel or name. */
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
