import {
  type CredentialChanges,
  credentialBinding,
  credentialInSecretColumn,
  type SecretBox,
  type SecretsOfKind,
} from '@postrider/domain';
import { Prisma } from '../client.ts';

/** Encrypted credentials by name, each bound to the channel and its name. */
export type SealedCredentials = Readonly<Record<string, string>>;

/** The credentials in a channel's row; the column is null if there are none. */
export const sealedCredentialsOf = ({
  sealedCredentials,
}: {
  readonly sealedCredentials: unknown;
}): SealedCredentials => (sealedCredentials ?? {}) as SealedCredentials;

/** The credential columns of a channel. Columns that are left out stay. */
interface CredentialColumns {
  sealedSecret?: string | null;
  sealedCredentials?: Prisma.InputJsonObject | typeof Prisma.DbNull;
}

/**
 * Applies changes to a channel's credentials and returns the changed columns.
 * @param channel.sealed the stored credentials
 */
export function sealCredentials(
  secretBox: SecretBox,
  kind: SecretsOfKind,
  { id, sealed, changes }: { id: string; sealed: SealedCredentials; changes: CredentialChanges },
): CredentialColumns {
  const inColumn = credentialInSecretColumn(kind);
  const columns: CredentialColumns = {};
  const stored = new Map(Object.entries(sealed));
  for (const [name, value] of Object.entries(changes)) {
    if (name === inColumn) columns.sealedSecret = value === null ? null : secretBox.seal(value, id);
    else if (value === null) stored.delete(name);
    else stored.set(name, secretBox.seal(value, credentialBinding(id, name)));
  }
  if (Object.keys(changes).some((name) => name !== inColumn)) {
    columns.sealedCredentials = stored.size === 0 ? Prisma.DbNull : Object.fromEntries(stored);
  }
  return columns;
}
