import { timingSafeEqual } from 'node:crypto';
import type { UnboundDatabase } from '../client.ts';
import {
  type ChainHead,
  countWaiting,
  readHead,
  readLinks,
  readLoose,
  type StoredLink,
} from '../statements/audit-chain.ts';
import { linkHash, NO_LINK } from './chain.ts';

/** Links or entries that one statement reads. */
const AT_ONCE = 500;
/** Links or entries of a page. */
const PAGE = 10_000;
/** Waiting entries are counted up to this. */
const MOST_WAITING = 10_000;

/**
 * What is wrong with the audit log:
 * - `changed`: the entry, or its link, is not what was chained.
 * - `removed`: the entry is missing, its link is there.
 * - `link_removed`: the link with this sequence is missing.
 * - `not_chained`: the entry has no link and does not wait for one.
 * - `head_missing`: the expected link is missing or has another hash: the chain was cut off, built again or restored.
 */
export const AUDIT_PROBLEMS = ['changed', 'removed', 'link_removed', 'not_chained', 'head_missing'] as const;

export interface AuditProblem {
  readonly kind: (typeof AUDIT_PROBLEMS)[number];
  /** Null for an entry that has no link. */
  readonly sequence: number | null;
  /** UUID of the entry; null if it is not known. */
  readonly entryId: string | null;
}

/** A position in the check: first all links in their order, then all entries in the order of their ids. */
export type VerifyPosition =
  | { readonly phase: 'links'; readonly after: number }
  | { readonly phase: 'entries'; readonly after: string | null };

export const VERIFY_START: VerifyPosition = { phase: 'links', after: 0 };

/** A link that somebody has noted. */
export interface NotedHead {
  readonly sequence: number;
  readonly hash: Uint8Array;
}

interface VerifiedPage {
  /** Links or entries that were checked, up to the first problem. */
  readonly checked: number;
  readonly problem: AuditProblem | null;
  /** Null at the end. After a problem it continues behind it. */
  readonly next: VerifyPosition | null;
}

const isSame = (left: Uint8Array, right: Uint8Array) =>
  left.length === right.length && timingSafeEqual(left, right);

/** What is wrong with a link, which follows `before`; null if nothing is. */
function problemOf(
  key: Uint8Array,
  before: Pick<ChainHead, 'sequence' | 'hash'>,
  link: StoredLink,
): AuditProblem | null {
  const { sequence, entry_id: entryId, hash, chained_at: chainedAt, digest } = link;
  const expected = before.sequence + 1n;
  if (sequence !== expected) return { kind: 'link_removed', sequence: Number(expected), entryId: null };
  if (digest === null) return { kind: 'removed', sequence: Number(sequence), entryId };
  const isIntact = isSame(hash, linkHash(key, { before: before.hash, sequence, chainedAt, digest }));
  return isIntact ? null : { kind: 'changed', sequence: Number(sequence), entryId };
}

/** Checks a page of links after a sequence. */
async function verifyLinks(db: UnboundDatabase, key: Uint8Array, after: number): Promise<VerifiedPage> {
  let before: Pick<ChainHead, 'sequence' | 'hash'> = NO_LINK;
  if (after > 0) {
    const [link] = await readLinks(db, { from: BigInt(after), limit: 1 });
    // A missing predecessor was reported with its own page.
    if (link?.sequence === BigInt(after)) before = link;
    else before = { sequence: BigInt(after), hash: NO_LINK.hash };
  }
  let checked = 0;
  while (checked < PAGE) {
    const links = await readLinks(db, { from: before.sequence + 1n, limit: AT_ONCE });
    for (const link of links) {
      const problem = problemOf(key, before, link);
      checked += 1;
      if (problem) return { checked, problem, next: { phase: 'links', after: Number(link.sequence) } };
      before = link;
    }
    if (links.length < AT_ONCE) return { checked, problem: null, next: { phase: 'entries', after: null } };
  }
  return { checked, problem: null, next: { phase: 'links', after: Number(before.sequence) } };
}

/** Looks for entries without a link in a page of entries after an id. */
async function findLoose(db: UnboundDatabase, after: string | null): Promise<VerifiedPage> {
  let last = after;
  let checked = 0;
  while (checked < PAGE) {
    const entries = await readLoose(db, { after: last, limit: AT_ONCE });
    for (const { id, is_loose: isLoose } of entries) {
      checked += 1;
      last = id;
      if (!isLoose) continue;
      const problem = { kind: 'not_chained', sequence: null, entryId: id } as const;
      return { checked, problem, next: { phase: 'entries', after: id } };
    }
    if (entries.length < AT_ONCE) return { checked, problem: null, next: null };
  }
  return { checked, problem: null, next: { phase: 'entries', after: last } };
}

/**
 * Checks a page of the audit log against its hash chain: up to 10,000 links, or entries that might have none. Stops at the first
 * problem. It cannot tell that the newest links were removed together with their entries: that is what a noted head is for.
 * @param key the service's `auditChain` key
 */
export function verifyAuditLog(
  { db, key }: { readonly db: UnboundDatabase; readonly key: Uint8Array },
  position: VerifyPosition,
): Promise<VerifiedPage> {
  return position.phase === 'links' ? verifyLinks(db, key, position.after) : findLoose(db, position.after);
}

/** The problem if the chain does not have this link any more; null if it has. */
export async function verifyHead(
  db: UnboundDatabase,
  { sequence, hash }: NotedHead,
): Promise<AuditProblem | null> {
  const [link] = await readLinks(db, { from: BigInt(sequence), limit: 1 });
  const isThere = link?.sequence === BigInt(sequence) && isSame(link.hash, hash);
  return isThere ? null : { kind: 'head_missing', sequence, entryId: null };
}

/** The end of the chain, and what waits for it. */
export interface ChainState {
  /** Null while nothing is chained. */
  readonly head: { readonly sequence: number; readonly hash: Uint8Array; readonly chainedAt: Date } | null;
  /** Entries that are not chained yet, counted up to 10,000. */
  readonly waiting: number;
  /** When the oldest of them was written. */
  readonly waitingSince: Date | null;
}

export async function readChainState(db: UnboundDatabase): Promise<ChainState> {
  const [head] = await readHead(db, null);
  const [waiting] = await countWaiting(db, { limit: MOST_WAITING });
  return {
    head: head ? { sequence: Number(head.sequence), hash: head.hash, chainedAt: head.chained_at } : null,
    waiting: waiting?.waiting ?? 0,
    waitingSince: waiting?.oldest ?? null,
  };
}
