import {
  type ChannelKind,
  type ChannelRecord,
  conflict,
  FEEDBACK_TOKENS,
  hashToken,
  type JsonObject,
  reject,
} from '@postrider/domain';
import { createBatcher } from '../batcher.ts';
import { hexOf, inOrderOfHashes } from '../by-hash.ts';
import { lockChannel, recordChannel, toChannelRecord } from '../channels/channel-record.ts';
import { acrossEnvironments, bytes, type Database, type UnboundDatabase } from '../client.ts';
import type { WithKinds } from '../configure/channels.ts';
import type { EncryptedCredentials } from '../configure/encrypted-credentials.ts';
import type { ConfigureDeps } from '../transactions/audit.ts';
import { inTransaction, timeOf } from '../transactions/transaction.ts';

/**
 * Creates a new feedback token for a channel and stores its hash. The old one is refused from the commit on. Writes
 * an audit entry without the token, which is shown once.
 * @throws RefusedError if there is no such channel, or its kind has no feedback
 */
export async function rotateFeedbackToken(
  deps: ConfigureDeps & WithKinds,
  channelId: string,
): Promise<{ readonly channel: ChannelRecord; readonly token: string }> {
  const { kinds } = deps;
  return inTransaction(deps, async (tx) => {
    const locked = await lockChannel(tx, channelId);
    if (!locked) reject('channel_not_found');
    const { channel: before } = locked;
    const { feedback, label } = kinds.get(before.kind);
    if (!feedback) reject(conflict(`There is no feedback for ${label}.`));
    const token = FEEDBACK_TOKENS.create();
    const row = await tx.channel.update({
      where: { id: channelId },
      data: { feedbackTokenHash: bytes(hashToken(token)), updatedAt: await timeOf(tx) },
    });
    const channel = toChannelRecord(row);
    const action = 'channel.feedback_token_rotated';
    await recordChannel(tx, deps, { action, before, after: channel });
    return { channel, token };
  });
}

/** The channel of a feedback token, with the config and credentials that verify its reports. Ids are UUIDs. */
export interface FeedbackChannel {
  readonly id: string;
  readonly environmentId: string;
  readonly tenantId: string;
  readonly kind: ChannelKind;
  readonly config: JsonObject;
  readonly sealedCredentials: EncryptedCredentials | null;
}

/** Look-ups share queries and use one connection at most, so that invalid tokens cannot use up connections. */
const LOOKUPS = { maxItems: 256, maxInFlight: 1 };

async function readChannels(
  db: UnboundDatabase,
  hashes: readonly Uint8Array[],
): Promise<(FeedbackChannel | null)[]> {
  const rows = await db.$queryRaw<(FeedbackChannel & { readonly hash: string })[]>`
    SELECT encode(feedback_token_hash, 'hex') AS hash, channels.id, environment_id AS "environmentId",
           tenant_id AS "tenantId", kind, config, sealed_credentials AS "sealedCredentials"
      FROM channels JOIN environments ON environments.id = environment_id
     WHERE feedback_token_hash IN (SELECT decode(text, 'hex') FROM unnest(${hexOf(hashes)}::text[]) AS text)
       AND deleted_at IS NULL`;
  return inOrderOfHashes(
    hashes,
    rows.map(({ hash, ...channel }) => [hash, channel]),
  );
}

/**
 * Finds the channel of a feedback token, or null. The index holds hashes, so the time of a look-up reveals nothing
 * about valid tokens.
 */
export function createFeedbackChannelLookup(
  db: Database,
): (token: string) => Promise<FeedbackChannel | null> {
  // The environment is only known once the channel is found.
  const across = acrossEnvironments(db);
  const find = createBatcher((hashes: readonly Uint8Array[]) => readChannels(across, hashes), LOOKUPS);
  return (token) => find(hashToken(token));
}
