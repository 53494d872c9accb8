import { ALL_STREAMS, hmacBlocks } from '@postrider/domain';
import { Prisma } from '../client.ts';

/** How the claim finds out whether a recipient is suppressed. */
export interface SuppressionCheck {
  /** A condition on `run` and `kind`: false where its recipient may be suppressed and the key is missing. */
  readonly canDecide: Prisma.Sql;
  /** Of `run` and `kind`: what suppresses it, such as `hard_bounce, scope all`; null when nothing does. */
  readonly suppressedBy: Prisma.Sql;
}

/** One probe of an index; most environments of most installations have no entry. */
const HAS_ENTRIES = Prisma.sql`EXISTS (
  SELECT FROM suppressions entry WHERE entry.environment_id = run.environment_id)`;

/**
 * The check as SQL, for a statement with a row `run` of `delivery_runs` and a column `kind.address_field`: the field of the
 * recipient that can be suppressed, null where the kind has none. The row decides, by the list as it is when the run is claimed,
 * so that the check holds for retries, schedules and replays. Postgres computes the keyed hash (RFC 2104): messages that were
 * accepted before there was a list are covered too, and the process needs no query of its own. Log lines of statements with their
 * parameters, where an operator has them written, show addresses as clear text anyway.
 * @param key of `addressHash`; null when it cannot be opened: then nobody is taken to be unsuppressed
 */
export function suppressionCheck(key: Uint8Array | null): SuppressionCheck {
  if (key === null) {
    return {
      canDecide: Prisma.sql`(kind.address_field IS NULL OR NOT ${HAS_ENTRIES})`,
      suppressedBy: Prisma.sql`NULL::text`,
    };
  }
  const { inner, outer } = hmacBlocks(key);
  return {
    canDecide: Prisma.sql`true`,
    suppressedBy: Prisma.sql`CASE WHEN kind.address_field IS NULL OR NOT ${HAS_ENTRIES} THEN NULL ELSE (
      SELECT entry.source || ', scope ' || entry.scope
        FROM messages message
        JOIN suppressions entry ON entry.environment_id = message.environment_id
         AND entry.address_hash = sha256(${outer}::bytea || sha256(${inner}::bytea || convert_to(
               run.environment_id::text || ':' || lower((message.recipient ->> kind.address_field) COLLATE "C"), 'UTF8')))
         AND entry.scope IN (${ALL_STREAMS}, message.stream)
       WHERE message.environment_id = run.environment_id AND message.id = run.message_id
         AND NOT message.ignore_suppression
       ORDER BY entry.created_at LIMIT 1) END`,
  };
}
