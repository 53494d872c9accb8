import { ALL_STREAMS, hmacBlocks, type IdSource, type KindFacts } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { HELD_FOR_STREAM, WAITING } from '../run-statuses.ts';
import { defineStatement } from '../statement.ts';
import { defineEnding } from './end-waiting-runs.ts';
import { EXPIRED_MESSAGE, SUPPRESSED_MESSAGE } from './refuse.ts';

/** The most held runs that one call examines. */
const AT_ONCE = 500;

interface HeldRuns {
  readonly channelId: string;
  readonly kinds: readonly KindFacts[];
  /** Null if it cannot be decrypted: then nothing is known to be suppressed. */
  readonly addressHashKey: Uint8Array | null;
}

const fieldsOf = ({ kinds }: HeldRuns) =>
  kinds.filter(({ suppressibleField }) => suppressibleField !== undefined);
const ofEmail = {
  kinds: (held: HeldRuns) => fieldsOf(held).map(({ kind }) => kind),
  address_fields: (held: HeldRuns) => fieldsOf(held).map(({ suppressibleField = null }) => suppressibleField),
};

const OLDEST = `(
    SELECT id, environment_id, message_id, channel_kind, replay FROM delivery_runs
     WHERE held = 'paused' AND channel_id = :channelId::uuid AND completed_at IS NULL
     ORDER BY id LIMIT ${AT_ONCE}) run`;
const OF_EMAIL = `
      JOIN unnest(:kinds::text[], :address_fields::text[]) AS kind (name, address_field) ON kind.name = run.channel_kind`;

const endExpired = defineEnding<HeldRuns>({
  which: `held = 'paused' AND id = ANY(ARRAY(
    SELECT run.id FROM ${OLDEST}
      JOIN messages ON messages.environment_id = run.environment_id AND messages.id = run.message_id
     WHERE run.replay = 0 AND messages.expires_at <= now()))`,
  attempt: { status: 'failed', errorCode: 'expired', errorMessage: EXPIRED_MESSAGE },
});

/** By the rule of `SUPPRESSION` of the claim. Most environments have no entries, which takes one index look-up to see. */
const endSuppressed = defineEnding<HeldRuns>({
  which: `held = 'paused' AND id = ANY(ARRAY(
    SELECT run.id FROM ${OLDEST} ${OF_EMAIL}
     WHERE CASE WHEN kind.address_field IS NULL
                  OR NOT EXISTS (SELECT FROM suppressions entry WHERE entry.environment_id = run.environment_id) THEN false
                ELSE (
                  SELECT true FROM messages message
                    JOIN suppressions entry ON entry.environment_id = message.environment_id
                     AND entry.address_hash = sha256(:outer::bytea || sha256(:inner::bytea || convert_to(
                           run.environment_id::text || ':' || lower((message.recipient ->> kind.address_field) COLLATE "C"), 'UTF8')))
                     AND entry.scope IN ('${ALL_STREAMS}', message.stream) AND (entry.expires_at IS NULL OR entry.expires_at > now())
                   WHERE message.environment_id = run.environment_id AND message.id = run.message_id
                     AND NOT message.ignore_suppression LIMIT 1) END))`,
  parameters: {
    ...ofEmail,
    inner: ({ addressHashKey }) => addressHashKey && hmacBlocks(addressHashKey).inner,
    outer: ({ addressHashKey }) => addressHashKey && hmacBlocks(addressHashKey).outer,
  },
  attempt: { status: 'failed', errorCode: 'recipient_suppressed', errorMessage: `${SUPPRESSED_MESSAGE}.` },
});

const holdForStreams = defineStatement<HeldRuns, unknown>({
  text: `
    WITH target AS (
      SELECT id FROM delivery_runs
       WHERE held = 'paused' AND status IN ${WAITING.sql} AND id = ANY(ARRAY(
         SELECT run.id FROM ${OLDEST} ${OF_EMAIL}
           JOIN messages ON messages.environment_id = run.environment_id AND messages.id = run.message_id AND NOT messages.test
           JOIN stream_pauses pause ON pause.environment_id = messages.environment_id AND pause.stream = messages.stream
            AND pause.resumed_at IS NULL))
         FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE delivery_runs run SET held = '${HELD_FOR_STREAM}' || messages.stream
      FROM target, messages
     WHERE run.id = target.id AND messages.environment_id = run.environment_id AND messages.id = run.message_id
    RETURNING 1`,
  parameters: ofEmail,
});

/**
 * Ends those of the oldest held runs of a channel that a claim would end without sending: the event has expired, or the recipient is
 * suppressed. Those whose stream is paused wait for the stream instead. As probes they would be inconclusive, and each would delay
 * the next probe. Returns whether there may be more, because this was so for a whole batch for one of these reasons.
 */
export async function endUnsendableRuns(tx: Queryable, newId: IdSource, held: HeldRuns): Promise<boolean> {
  const limited = { ...held, limit: AT_ONCE };
  if ((await endExpired(tx, newId, limited)).length === AT_ONCE) return true;
  if ((await endSuppressed(tx, newId, limited)).length === AT_ONCE) return true;
  return (await holdForStreams(tx, held)).length === AT_ONCE;
}
