import type { IdSource, KindFacts } from '@postrider/domain';
import { Prisma, type Queryable } from '../client.ts';
import { endWaitingRuns } from '../end-waiting-runs.ts';
import { WAITING } from '../run-statuses.ts';
import { EXPIRED_MESSAGE, SUPPRESSED_MESSAGE } from '../statements/refuse.ts';
import { suppressedBy } from '../suppressions/check.ts';
import { heldFor } from '../suppressions/paused-streams.ts';

/** The most held runs that one call examines. */
const AT_ONCE = 500;

/**
 * Ends those of the oldest held runs of a channel that a claim would end without sending: the event has expired, or the recipient is
 * suppressed. Those whose stream is paused wait for the stream instead. As probes they would be inconclusive, and each would delay
 * the next probe. Returns whether there may be more, because this was so for a whole batch for one of these reasons.
 */
export async function endUnsendableRuns(
  tx: Queryable,
  newId: IdSource,
  {
    channelId,
    kinds,
    addressHashKey,
  }: {
    readonly channelId: string;
    readonly kinds: readonly KindFacts[];
    readonly addressHashKey: Uint8Array | null;
  },
): Promise<boolean> {
  const oldest = Prisma.sql`(
    SELECT id, environment_id, message_id, channel_kind, replay FROM delivery_runs
     WHERE held = 'paused' AND channel_id = ${channelId}::uuid AND completed_at IS NULL
     ORDER BY id LIMIT ${AT_ONCE}) run`;
  const end = (
    which: Prisma.Sql,
    errorCode: 'expired' | 'recipient_suppressed',
    errorMessage: string,
  ): Promise<number> =>
    endWaitingRuns(tx, newId, {
      which: Prisma.sql`held = 'paused' AND id = ANY(ARRAY(SELECT run.id FROM ${oldest} ${which}))`,
      limit: AT_ONCE,
      nextStatus: Prisma.sql`'failed'`,
      attempt: { status: 'failed', errorCode, errorMessage },
    });
  const expired = await end(
    Prisma.sql`
      JOIN messages ON messages.environment_id = run.environment_id AND messages.id = run.message_id
     WHERE run.replay = 0 AND messages.expires_at <= now()`,
    'expired',
    EXPIRED_MESSAGE,
  );
  if (expired === AT_ONCE) return true;
  const fields = kinds.filter(({ suppressibleField }) => suppressibleField !== undefined);
  const ofEmail = Prisma.sql`
      JOIN unnest(
        ${fields.map(({ kind }) => kind)}::text[],
        ${fields.map(({ suppressibleField = null }) => suppressibleField)}::text[]) AS kind (name, address_field)
        ON kind.name = run.channel_kind`;
  const suppressed = await end(
    Prisma.sql`${ofEmail}
     WHERE ${suppressedBy(addressHashKey)} IS NOT NULL`,
    'recipient_suppressed',
    `${SUPPRESSED_MESSAGE}.`,
  );
  if (suppressed === AT_ONCE) return true;
  const moved = await tx.$executeRaw`
    WITH target AS (
      SELECT id FROM delivery_runs
       WHERE held = 'paused' AND status IN ${WAITING} AND id = ANY(ARRAY(
         SELECT run.id FROM ${oldest} ${ofEmail}
           JOIN messages ON messages.environment_id = run.environment_id AND messages.id = run.message_id AND NOT messages.test
           JOIN stream_pauses pause ON pause.environment_id = messages.environment_id AND pause.stream = messages.stream
            AND pause.resumed_at IS NULL))
         FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE delivery_runs run SET held = ${heldFor(Prisma.sql`messages.stream`)}
      FROM target, messages
     WHERE run.id = target.id AND messages.environment_id = run.environment_id AND messages.id = run.message_id`;
  return moved === AT_ONCE;
}
