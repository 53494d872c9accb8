import type { ChannelKind } from '@postrider/domain';
import type { UnboundDatabase } from '../client.ts';
import type { SealedCredentials } from '../configure/sealed-credentials.ts';

/** What the public keys of a channel are made of. */
export interface SealedSigningKeys {
  readonly kind: ChannelKind;
  readonly credentials: SealedCredentials;
  /** Whether the secret before the last rotation still signs. */
  readonly hasOverlap: boolean;
}

/** The sealed credentials of a channel by its UUID; null when there is none, or it is deleted. */
export async function readSigningKeys(
  db: UnboundDatabase,
  channelId: string,
): Promise<SealedSigningKeys | null> {
  const [row] = await db.$queryRaw<
    { kind: ChannelKind; credentials: SealedCredentials | null; overlap: boolean }[]
  >`
    SELECT kind, sealed_credentials AS credentials,
           COALESCE(previous_secret_expires_at > now(), false) AS overlap
      FROM channels WHERE id = ${channelId}::uuid AND deleted_at IS NULL`;
  return row ? { kind: row.kind, credentials: row.credentials ?? {}, hasOverlap: row.overlap } : null;
}
