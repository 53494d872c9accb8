import {
  type CredentialChanges,
  credentialBinding,
  credentialInSecretColumn,
  type SecretBox,
  type SecretsOfKind,
} from '@postrider/domain';
import { Prisma } from '../client.ts';

/** Encrypted credentials by name, each bound to the channel and its name. */
export type EncryptedCredentials = Readonly<Record<string, string>>;

/** The credentials in a channel's row; the column is null if there are none. */
export const credentialsOfRow = ({
  sealedCredentials,
}: {
  readonly sealedCredentials: unknown;
}): EncryptedCredentials => (sealedCredentials ?? {}) as EncryptedCredentials;

/** The credential columns of a channel. Columns that are left out stay. */
interface CredentialColumns {
  sealedSecret?: string | null;
  sealedCredentials?: Prisma.InputJsonObject | typeof Prisma.DbNull;
}

/**
 * Applies changes to a channel's credentials and returns the changed columns.
 * @param channel.encrypted the stored credentials
 */
export function encryptCredentials(
  secretBox: SecretBox,
  kind: SecretsOfKind,
  { id, encrypted, changes }: { id: string; encrypted: EncryptedCredentials; changes: CredentialChanges },
): CredentialColumns {
  const inColumn = credentialInSecretColumn(kind);
  const columns: CredentialColumns = {};
  const stored = new Map(Object.entries(encrypted));
  for (const [name, value] of Object.entries(changes)) {
    if (name === inColumn) columns.sealedSecret = value === null ? null : secretBox.encrypt(value, id);
    else if (value === null) stored.delete(name);
    else stored.set(name, secretBox.encrypt(value, credentialBinding(id, name)));
  }
  if (Object.keys(changes).some((name) => name !== inColumn)) {
    columns.sealedCredentials = stored.size === 0 ? Prisma.DbNull : Object.fromEntries(stored);
  }
  return columns;
}
