import type { SecretKey } from '@postrider/db';
import { formatId, type JsonObject } from '@postrider/domain';

/** The keys of stored secrets as the API presents them. */
export function presentSecretKeys(keys: readonly SecretKey[]): JsonObject[] {
  return keys.map(({ keyId, status, secrets, channelIds }) => ({
    key_id: keyId,
    status,
    secrets,
    channels: channelIds.map((id) => formatId('chn', id)),
  }));
}
