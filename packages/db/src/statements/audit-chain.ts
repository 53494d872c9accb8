import type { OperationalEventType } from '@postrider/domain';
import type { PageRequest } from '../pages.ts';
import { defineStatement } from '../statement.ts';
import { ADVISORY_LOCKS } from '../transactions/advisory-locks.ts';
import { hasOperationalChannel } from './emit.ts';

/**
 * Takes the lock of the chain until the transaction ends, if no other has it. Read the chain in later statements: only those see
 * what the last holder committed.
 */
export const lockChain = defineStatement<null, { locked: boolean }>({
  text: `SELECT pg_try_advisory_xact_lock(${ADVISORY_LOCKS.auditChain}) AS locked`,
});

/** The last link. */
export interface ChainHead {
  readonly sequence: bigint;
  readonly hash: Uint8Array;
  readonly chained_at: Date;
}

export const readHead = defineStatement<null, ChainHead>({
  text: 'SELECT sequence, hash, chained_at FROM audit_chain ORDER BY sequence DESC LIMIT 1',
});

/**
 * SQL: SHA-256 of all columns of an entry that are not null. So a column that a later release adds changes no digest. `jsonb` prints
 * equal values alike; the time is in seconds, because its text depends on the session.
 */
const DIGEST = `CASE WHEN entry.id IS NOT NULL THEN sha256(convert_to((
  SELECT jsonb_object_agg(key, value)::text
    FROM jsonb_each(to_jsonb(entry) || jsonb_build_object('created_at', extract(epoch FROM entry.created_at)))
   WHERE value <> 'null'), 'UTF8')) END`;

export interface WaitingEntry {
  readonly entry_id: string;
  /** Null if somebody has removed the entry. */
  readonly digest: Uint8Array | null;
  readonly is_chained: boolean;
  /** The time of the statement, in whole milliseconds. */
  readonly now: Date;
}

/** The oldest entries that are not chained. Call it with the lock. A join without LATERAL may read the whole log. */
export const readWaiting = defineStatement<{ readonly limit: number }, WaitingEntry>({
  text: `
    SELECT waiting.entry_id, ${DIGEST} AS digest,
           EXISTS (SELECT FROM audit_chain link WHERE link.entry_id = waiting.entry_id) AS is_chained,
           date_trunc('milliseconds', statement_timestamp()) AS now
      FROM (SELECT entry_id FROM audit_unchained ORDER BY entry_id LIMIT :limit::int) AS waiting
      LEFT JOIN LATERAL (SELECT * FROM audit_log WHERE id = waiting.entry_id LIMIT 1) AS entry ON true
     ORDER BY waiting.entry_id`,
});

export interface NewLink {
  readonly sequence: bigint;
  readonly entryId: string;
  readonly hash: Uint8Array;
}

/** Appends links, and removes entries from those that wait: the links' own, and those that were chained before. */
export const appendLinks = defineStatement<
  { readonly links: readonly NewLink[]; readonly done: readonly string[]; readonly now: Date },
  never
>({
  text: `
    WITH done AS (DELETE FROM audit_unchained WHERE entry_id = ANY(:done::uuid[]))
    INSERT INTO audit_chain (sequence, entry_id, hash, chained_at)
    SELECT link.sequence, link.entry_id, link.hash, :now::timestamptz
      FROM (SELECT unnest((SELECT :sequence::int8[])) AS sequence, unnest(:entryId::uuid[]) AS entry_id,
                   unnest(:hash::bytea[]) AS hash) AS link`,
  parameters: { done: ({ done }) => done },
  rows: ({ links }) => links,
});

const RECORDED: OperationalEventType = 'audit.recorded';
/** Larger states are left out of an event: a receiver reads them from the export. */
const MAX_STATE_BYTES = 65_536;

/**
 * Reports new links to an environment, in the transaction that appends them, so each once. Entries from more than a day before the
 * chain began are not reported. Later ones are, however late they are chained. Writes nothing if the environment has no
 * operational channel.
 */
export const emitLinks = defineStatement<
  { readonly links: readonly NewLink[]; readonly environmentId: string },
  never
>({
  text: `
    INSERT INTO operational_events (environment_id, type, dedupe_key, payload)
    SELECT :environmentId::uuid, '${RECORDED}', 'audit/' || link.sequence || '/' || encode(link.hash, 'hex'),
           jsonb_build_object('sequence', link.sequence, 'hash', encode(link.hash, 'hex'), 'entry_id', entry.id,
             'actor', entry.actor, 'actor_kind', entry.actor_kind, 'credential', entry.credential,
             'address', entry.address, 'reason', entry.reason, 'action', entry.action,
             'resource_type', entry.resource_type, 'resource_id', entry.resource_id,
             'tenant_id', entry.tenant_id, 'environment_id', entry.environment_id,
             'before', CASE WHEN size.fits THEN entry.before END, 'after', CASE WHEN size.fits THEN entry.after END,
             'is_complete', size.fits, 'request_id', entry.request_id, 'trace_id', entry.trace_id,
             'created_at', to_char(entry.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      FROM (SELECT unnest((SELECT :sequence::int8[])) AS sequence, unnest(:entryId::uuid[]) AS entry_id,
                   unnest(:hash::bytea[]) AS hash) AS link
      JOIN audit_log entry ON entry.id = link.entry_id
     CROSS JOIN LATERAL (
       SELECT COALESCE(octet_length(entry.before::text), 0) + COALESCE(octet_length(entry.after::text), 0)
              <= ${MAX_STATE_BYTES} AS fits) AS size
     WHERE ${hasOperationalChannel(':environmentId::uuid')} AND entry.created_at > (
             SELECT chained_at FROM audit_chain ORDER BY sequence LIMIT 1) - interval '1 day'
     ORDER BY link.sequence
    ON CONFLICT (dedupe_key) DO NOTHING`,
  rows: ({ links }) => links,
});

/** A stored link, with the digest of its entry now; null if the entry is missing. */
export interface StoredLink {
  readonly sequence: bigint;
  readonly entry_id: string;
  readonly hash: Uint8Array;
  readonly chained_at: Date;
  readonly digest: Uint8Array | null;
}

export const readLinks = defineStatement<{ readonly from: bigint; readonly limit: number }, StoredLink>({
  text: `
    SELECT link.sequence, link.entry_id, link.hash, link.chained_at, ${DIGEST} AS digest
      FROM (SELECT * FROM audit_chain WHERE sequence >= :from ORDER BY sequence LIMIT :limit::int) AS link
      LEFT JOIN audit_log entry ON entry.id = link.entry_id
     ORDER BY link.sequence`,
});

/**
 * The ids of a page of entries in order, with whether each is neither chained nor waits. One statement, so that it sees an entry in
 * one of both tables while the sweep moves it.
 */
export const readLoose = defineStatement<PageRequest, { readonly id: string; readonly is_loose: boolean }>({
  text: `
    SELECT entry.id,
           NOT EXISTS (SELECT FROM audit_chain link WHERE link.entry_id = entry.id)
           AND NOT EXISTS (SELECT FROM audit_unchained waiting WHERE waiting.entry_id = entry.id) AS is_loose
      FROM (SELECT id FROM audit_log WHERE id > COALESCE(:after::uuid, '00000000-0000-0000-0000-000000000000')
             ORDER BY id LIMIT :limit::int) AS entry
     ORDER BY entry.id`,
});

/** How many entries wait, counted up to a limit, and since when the oldest of them was written. */
export const countWaiting = defineStatement<
  { readonly limit: number },
  { readonly waiting: number; readonly oldest: Date | null }
>({
  text: `
    SELECT (SELECT count(*)::int FROM (SELECT FROM audit_unchained LIMIT :limit::int) AS waiting) AS waiting,
           (SELECT created_at FROM audit_log
             WHERE id = (SELECT entry_id FROM audit_unchained ORDER BY entry_id LIMIT 1)) AS oldest`,
});
