import { setImmediate } from 'node:timers/promises';
import {
  ALL_STREAMS,
  addressHash,
  formatId,
  type IdSource,
  namesAddress,
  type ServiceKeys,
  type SuppressionSource,
  spellingsOf,
} from '@postrider/domain';
import { bytes, type Queryable } from '../client.ts';
import { defineStatement } from '../statement.ts';
import { emitOperational, type OperationalEvent } from '../statements/emit.ts';
import { addressBoundTo } from './service-keys.ts';

/** A new entry of the list. */
export interface NewSuppression {
  /** UUID. */
  readonly environmentId: string;
  /** In any spelling; null if only its hash is known. */
  readonly email: string | null;
  /** Hash of the address; computed from `email` if left out. */
  readonly addressHash?: Uint8Array;
  /** `all` or a stream. */
  readonly scope?: string;
  /** One line for operators, at most 500 characters. */
  readonly reason?: string | null;
  readonly source: SuppressionSource;
  /** When the entry ends; never by default. */
  readonly expiresAt?: Date | null;
  /** The run that caused it (UUID), if it is known. */
  readonly ofRun?: string;
}

export interface SuppressDeps {
  readonly newId: IdSource;
  readonly keys: ServiceKeys;
}

/** The reason as an operational event may have it: that is a message of its own, which an erasure of the address does not find. */
export function reasonWithout(email: string | null | undefined, reason: string | null): string | null {
  return reason !== null && email != null && namesAddress(reason, email) ? null : reason;
}

function hashOf({ keys }: SuppressDeps, entry: NewSuppression): Uint8Array<ArrayBuffer> {
  if (entry.addressHash) return bytes(entry.addressHash);
  if (entry.email === null) throw new TypeError('a suppression has an address or its hash');
  return addressHash(keys.addressHash, entry.environmentId, entry.email);
}

/**
 * Takes about a millisecond. An import has ten times as many, and several imports would follow each other in one turn of the
 * event loop.
 */
const ENCRYPTED_AT_ONCE = 50;

/**
 * Adds addresses of one environment to its suppression list, in the caller's transaction, and returns the new entries,
 * one for each address and scope. An address that is already on the list in the same scope keeps its entry, with reason
 * and source, unless that ends earlier: then the new one replaces it. A text that was erased does not return. So adding
 * is idempotent and does not undo an erasure. Rows are inserted in the order of their hashes, so that concurrent calls do
 * not deadlock.
 */
export async function suppressAll(
  tx: Queryable,
  deps: SuppressDeps,
  entries: readonly NewSuppression[],
): Promise<readonly NewSuppression[]> {
  const toRow = (entry: NewSuppression) => {
    const id = deps.newId();
    const { environmentId, email, scope = ALL_STREAMS, reason = null, source, expiresAt = null } = entry;
    const encrypted = email === null ? null : deps.keys.addresses.encrypt(email.trim(), addressBoundTo(id));
    return { id, environmentId, hash: hashOf(deps, entry), encrypted, scope, reason, source, expiresAt };
  };
  const rows: ReturnType<typeof toRow>[] = [];
  for (let at = 0; at < entries.length; at += ENCRYPTED_AT_ONCE) {
    if (at > 0) await setImmediate();
    rows.push(...entries.slice(at, at + ENCRYPTED_AT_ONCE).map(toRow));
  }
  const added = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO suppressions AS entry
      (id, environment_id, address_hash, sealed_address, scope, reason, source, created_at, expires_at)
    SELECT DISTINCT ON (hash, scope) id, environment_id, decode(hash, 'hex'), sealed_address, scope, reason, source, now(),
           expires_at
      FROM unnest(
        ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ environmentId }) => environmentId)}::uuid[],
        ${rows.map(({ hash }) => Buffer.from(hash).toString('hex'))}::text[], ${rows.map(({ encrypted }) => encrypted)}::text[],
        ${rows.map(({ scope }) => scope)}::text[], ${rows.map(({ reason }) => reason)}::text[],
        ${rows.map(({ source }) => source)}::text[],
        ${rows.map(({ expiresAt }) => expiresAt?.toISOString() ?? null)}::timestamptz[])
        AS given (id, environment_id, hash, sealed_address, scope, reason, source, expires_at)
     ORDER BY hash, scope, expires_at DESC NULLS FIRST
    ON CONFLICT (environment_id, address_hash, scope) DO UPDATE
       SET id = EXCLUDED.id, reason = EXCLUDED.reason, source = EXCLUDED.source, created_at = EXCLUDED.created_at,
           expires_at = EXCLUDED.expires_at,
           sealed_address = CASE WHEN entry.sealed_address IS NOT NULL THEN EXCLUDED.sealed_address END
     WHERE entry.expires_at < COALESCE(EXCLUDED.expires_at, 'infinity')
    RETURNING id`;
  const ids = new Set(added.map(({ id }) => id));
  const events = rows.flatMap(({ id, environmentId, scope, reason, source }, index): OperationalEvent[] => {
    if (!ids.has(id)) return [];
    const { email, ofRun = null } = entries[index] ?? {};
    const common = { suppression_id: formatId('sup', id), scope };
    const added = { ...common, reason: reasonWithout(email, reason), source };
    const ofAddition = { environmentId, dedupeKey: `suppression/${id}` };
    const addition = { ...ofAddition, type: 'suppression.added', payload: added } as const;
    if (source !== 'unsubscribe') return [addition];
    const left = { suppression_id: common.suppression_id, stream: scope, delivery_run_id: ofRun };
    const ofLeaving = { environmentId, dedupeKey: `unsubscribed/${id}` };
    return [addition, { ...ofLeaving, type: 'recipient.unsubscribed', payload: left }];
  });
  await emitOperational(tx, ...events);
  return entries.filter((_, index) => ids.has(rows[index]?.id ?? ''));
}

/**
 * {@link suppressAll} for one address, after a hard bounce, a complaint or an unsubscribe. Returns whether the entry
 * is new. Runs claimed after the commit end as `recipient_suppressed`.
 */
export async function suppress(tx: Queryable, deps: SuppressDeps, entry: NewSuppression): Promise<boolean> {
  return (await suppressAll(tx, deps, [entry])).length > 0;
}

const IS_NAMED = `COALESCE(
    (SELECT bool_or(strpos(lower(reason), spelling) > 0) FROM unnest(:spellings::text[]) AS spelling), false)`;

const erase = defineStatement<
  { readonly environmentId: string; readonly spellings: readonly string[]; readonly hash: Uint8Array },
  never
>({
  text: `
    UPDATE suppressions
       SET sealed_address = NULL, reason = CASE WHEN NOT ${IS_NAMED} THEN reason END
     WHERE environment_id = :environmentId::uuid AND (sealed_address IS NOT NULL OR ${IS_NAMED}) AND address_hash = :hash`,
});

/**
 * Removes the text of an address from the list, in every scope, but keeps its hash, so the address stays suppressed.
 * A reason that names the address is removed, too. `tx` is a transaction of the environment.
 */
export async function eraseSuppressedText(
  tx: Queryable,
  keys: ServiceKeys,
  { environmentId, email }: { readonly environmentId: string; readonly email: string },
): Promise<void> {
  const hash = addressHash(keys.addressHash, environmentId, email);
  await erase(tx, { environmentId, spellings: [...spellingsOf(email)], hash });
}
