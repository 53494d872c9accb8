import {
  ALL_STREAMS,
  addressHash,
  type ChannelKind,
  type JsonObject,
  type StreamNames,
  type UnsubscribeTarget,
} from '@postrider/domain';
import { hexOf, inOrderOfHashes } from '../by-hash.ts';
import { bytes, type Database, Prisma, type Queryable } from '../client.ts';
import { changeInEnvironments, readInEnvironments } from '../transactions/transaction.ts';
import type { ServiceKeySource } from './service-keys.ts';
import { type SuppressDeps, suppress } from './suppress.ts';

/** SQL: whether an entry is still in force. A sweep removes expired ones later. */
const IN_FORCE = Prisma.raw('(entry.expires_at IS NULL OR entry.expires_at > now())');

/** The message whose copies are checked. Ids are UUIDs. */
interface CopiesToCheck {
  readonly environmentId: string;
  readonly messageId: string;
  readonly addresses: readonly string[];
}

/** Those of a message's copies that are suppressed now, by the rules of a claim. */
export async function findSuppressedCopies(
  { db, keys }: { readonly db: Database; readonly keys: ServiceKeySource },
  { environmentId, messageId, addresses }: CopiesToCheck,
): Promise<string[]> {
  const { addressHash: key } = await keys.get();
  const hashes = addresses.map((address) => addressHash(key, environmentId, address));
  const rows = await readInEnvironments(
    db,
    [environmentId],
    (tx) => tx.$queryRaw<{ hash: string }[]>`
      SELECT encode(entry.address_hash, 'hex') AS hash
        FROM suppressions entry JOIN messages message ON message.environment_id = entry.environment_id
       WHERE entry.environment_id = ${environmentId}::uuid AND message.id = ${messageId}::uuid
         AND entry.address_hash IN (SELECT decode(text, 'hex') FROM unnest(${hexOf(hashes)}::text[]) AS text)
         AND entry.scope IN (${ALL_STREAMS}, message.stream) AND ${IN_FORCE} AND NOT message.ignore_suppression`,
  );
  const suppressed = inOrderOfHashes(
    hashes,
    rows.map(({ hash }) => [hash, true]),
  );
  return addresses.filter((_, index) => suppressed[index]);
}

export interface Subscription {
  /** Null if the message was removed. The page then shows the tenant's name. */
  readonly channel: { readonly kind: ChannelKind; readonly config: JsonObject } | null;
  readonly tenantName: string;
  /** The message's recipient; empty if the message was erased or removed. */
  readonly recipient: JsonObject;
  /** Whether the address is suppressed in the stream. */
  readonly isUnsubscribed: boolean;
  /** Whether the recipient may subscribe again. Not if an operator added the entry. */
  readonly canResubscribe: boolean;
  /** The names of the environment's streams, and the language of recipients without one. */
  readonly streamNames: StreamNames;
  readonly defaultLocale: string;
}

async function readSubscription(db: Queryable, target: UnsubscribeTarget): Promise<Subscription | null> {
  const { environmentId, runId, addressHash: hash, stream } = target;
  const [row = null] = await db.$queryRaw<Subscription[]>`
    SELECT CASE WHEN channels.id IS NOT NULL
             THEN jsonb_build_object('kind', channels.kind, 'config', channels.config) END AS channel,
           tenants.name AS "tenantName", COALESCE(messages.recipient, '{}') AS recipient,
           entry.source IS NOT NULL AS "isUnsubscribed", entry.source IS NOT DISTINCT FROM 'unsubscribe' AS "canResubscribe",
           environments.stream_names AS "streamNames", environments.default_locale AS "defaultLocale"
      FROM environments
      JOIN tenants ON tenants.id = environments.tenant_id
      LEFT JOIN delivery_runs run ON run.id = ${runId}::uuid AND run.environment_id = environments.id
      LEFT JOIN messages ON messages.environment_id = run.environment_id AND messages.id = run.message_id
      LEFT JOIN channels ON channels.id = run.channel_id
      LEFT JOIN suppressions entry
        ON entry.environment_id = environments.id AND entry.address_hash = ${bytes(hash)} AND entry.scope = ${stream}
       AND ${IN_FORCE}
     WHERE environments.id = ${environmentId}::uuid`;
  return row;
}

/** Reads the subscription of a link without changing anything. Null if its environment does not exist. */
export function findSubscription(db: Database, target: UnsubscribeTarget): Promise<Subscription | null> {
  return readInEnvironments(db, [target.environmentId], (tx) => readSubscription(tx, target));
}

/**
 * Unsubscribes the recipient of a link from its stream and returns the new state. Idempotent. It works for erased and
 * removed messages: the entry then has no text of the address.
 * @param addressIn the address in a recipient, or null
 */
export function unsubscribe(
  { db, ...deps }: SuppressDeps & { readonly db: Database },
  target: UnsubscribeTarget,
  addressIn: (found: Subscription) => string | null,
): Promise<Subscription | null> {
  const { environmentId, runId, addressHash: hash, stream } = target;
  return changeInEnvironments(db, [environmentId], async (tx) => {
    const found = await readSubscription(tx, target);
    if (!found || found.isUnsubscribed) return found;
    const entry = {
      environmentId,
      addressHash: hash,
      scope: stream,
      source: 'unsubscribe',
      ofRun: runId,
    } as const;
    await suppress(tx, deps, { ...entry, email: addressIn(found) });
    return { ...found, isUnsubscribed: true, canResubscribe: true };
  });
}

/** Reverts {@link unsubscribe} and returns the new state. Entries of other sources stay. Idempotent. */
export function resubscribe(
  { db }: { readonly db: Database },
  target: UnsubscribeTarget,
): Promise<Subscription | null> {
  const { environmentId, addressHash: hash, stream } = target;
  return changeInEnvironments(db, [environmentId], async (tx) => {
    await tx.suppression.deleteMany({
      where: { environmentId, addressHash: bytes(hash), scope: stream, source: 'unsubscribe' },
    });
    return readSubscription(tx, target);
  });
}
