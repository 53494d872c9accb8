import { createHmac } from 'node:crypto';
import type { UnboundDatabase } from '../client.ts';
import {
  appendLinks,
  type ChainHead,
  emitLinks,
  lockChain,
  type NewLink,
  readHead,
  readWaiting,
} from '../statements/audit-chain.ts';
import { inTransaction } from '../transactions/transaction.ts';

/** What the first link follows. */
export const NO_LINK: ChainHead = { sequence: 0n, hash: new Uint8Array(32), chained_at: new Date(0) };
/** In place of the digest of an entry that was removed before it was chained: its link says so permanently. */
const NO_ENTRY = new Uint8Array(32);

/** What the hash of a link covers. */
interface Link {
  /** The hash of the link before it. */
  readonly before: Uint8Array;
  readonly sequence: bigint;
  readonly chainedAt: Date;
  /** SHA-256 of the entry; null if it was missing. */
  readonly digest: Uint8Array | null;
}

/**
 * The hash of a link: HMAC-SHA256, so that nobody who only has SQL access can compute it. The parts have fixed lengths.
 * @param key the service's `auditChain` key
 */
export function linkHash(key: Uint8Array, { before, sequence, chainedAt, digest }: Link): Uint8Array {
  const numbers = Buffer.alloc(16);
  numbers.writeBigInt64BE(sequence);
  numbers.writeBigInt64BE(BigInt(chainedAt.getTime()), 8);
  const hmac = createHmac('sha256', key).update(before).update(numbers);
  return hmac.update(digest ?? NO_ENTRY).digest();
}

/** Links that were appended, and whether more entries may wait. */
interface Appended {
  readonly links: number;
  readonly head: ChainHead | null;
  readonly hasMore: boolean;
}

const NOTHING: Appended = { links: 0, head: null, hasMore: false };

export interface ChainDeps {
  readonly db: UnboundDatabase;
  /** The service's `auditChain` key. */
  readonly key: Uint8Array;
  /** UUID of the environment whose operational channels get each entry; none by default. */
  readonly reportTo?: string | null;
}

/**
 * Appends up to `limit` of the entries that wait to the hash chain, oldest first, in one transaction. Any number of workers may
 * call it: one at a time appends, the others do nothing. An entry gets its sequence when it is seen, so the order of commits does
 * not matter, and a change never waits for the chain.
 */
export function chainAuditEntries({ db, key, reportTo = null }: ChainDeps, limit: number): Promise<Appended> {
  return inTransaction({ db }, async (tx) => {
    const [lock] = await lockChain(tx, null);
    if (!lock?.locked) return NOTHING;
    const waiting = await readWaiting(tx, { limit });
    const [first] = waiting;
    if (!first) return NOTHING;
    const { now } = first;
    let [head = NO_LINK] = await readHead(tx, null);
    const links: NewLink[] = [];
    for (const { entry_id: entryId, digest, is_chained: isChained } of waiting) {
      if (isChained) continue;
      const sequence = head.sequence + 1n;
      const hash = linkHash(key, { before: head.hash, sequence, chainedAt: now, digest });
      links.push({ sequence, entryId, hash });
      head = { sequence, hash, chained_at: now };
    }
    await appendLinks(tx, { links, done: waiting.map(({ entry_id: id }) => id), now });
    if (reportTo !== null) await emitLinks(tx, { links, environmentId: reportTo });
    return { links: links.length, head, hasMore: waiting.length === limit };
  });
}
