import { Prisma, type Queryable } from '../client.ts';
import { ERASED_COLUMNS } from '../message-fields.ts';
import { anyCaseConditions, type Erased, recipientIdCondition } from '../recipient-address.ts';
import { TERMINAL } from '../run-statuses.ts';

/** Replaces texts from the receiver, because the rejection of a mail server often repeats the address. */
const ERASED_TEXT = 'Erased.';
/** Replaces the address in the filter of a bulk replay: an address that nobody can have (RFC 2606). */
const ERASED_ADDRESS = 'erased@example.invalid';

/** Identifies the messages of a recipient, or of a consumer. */
export interface Recipient extends Erased {
  readonly environmentId: string;
  /** Later messages are not erased. */
  readonly createdAt: Date;
}

/** Conditions for the messages of a recipient, of which each has its own index. */
function conditionsOf({ recipientEmail, recipientId, consumerId }: Recipient): Prisma.Sql[] {
  if (recipientEmail !== null) return anyCaseConditions(recipientEmail);
  // Messages keep their consumer.
  if (consumerId !== null) return [Prisma.sql`consumer_id = ${consumerId} AND erased_at IS NULL`];
  return recipientId === null ? [] : [recipientIdCondition(recipientId)];
}

interface FoundMessage {
  readonly id: string;
  readonly email: string | null;
}

/** Up to `limit` messages of the recipient without open attempts, with their addresses. Locks none. */
export async function findMessages(
  tx: Queryable,
  recipient: Recipient,
  limit: number,
): Promise<FoundMessage[]> {
  const { environmentId, createdAt } = recipient;
  const found = new Map<string, FoundMessage>();
  for (const condition of conditionsOf(recipient)) {
    const rows = await tx.$queryRaw<FoundMessage[]>`
      SELECT id, recipient_email AS email FROM messages
       WHERE environment_id = ${environmentId}::uuid AND ${condition} AND created_at <= ${createdAt}::timestamptz
         AND NOT EXISTS (
           SELECT FROM delivery_runs run
            WHERE run.environment_id = messages.environment_id AND run.message_id = messages.id
              AND run.status = 'running')
       ORDER BY id LIMIT ${limit - found.size}`;
    for (const row of rows) found.set(row.id, row);
  }
  return [...found.values()];
}

/**
 * Locks those of the messages that have no open attempts and returns their ids. Messages locked by others are left for the
 * next page. A replay locks the message first, so none can add runs meanwhile.
 */
export async function lockMessages(
  tx: Queryable,
  { environmentId }: Recipient,
  messages: readonly FoundMessage[],
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM messages
     WHERE environment_id = ${environmentId}::uuid AND id = ANY(${messages.map(({ id }) => id)}::uuid[])
       AND NOT EXISTS (
         SELECT FROM delivery_runs run
          WHERE run.environment_id = messages.environment_id AND run.message_id = messages.id
            AND run.status = 'running')
     ORDER BY id FOR UPDATE SKIP LOCKED`;
  return rows.map(({ id }) => id);
}

/** Whether the recipient has messages left, including locked ones. */
export async function hasMessages(tx: Queryable, recipient: Recipient): Promise<boolean> {
  const { environmentId, createdAt } = recipient;
  for (const condition of conditionsOf(recipient)) {
    const rows = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM messages
       WHERE environment_id = ${environmentId}::uuid AND ${condition} AND created_at <= ${createdAt}::timestamptz
       LIMIT 1`;
    if (rows.length > 0) return true;
  }
  return false;
}

/**
 * Erases the columns in {@link ERASED_COLUMNS} of those messages whose runs are all terminal, and the texts that
 * remote ends and providers sent about them. Returns how many. Rows and counts stay. Stored responses only have ids
 * and channels, which a test checks.
 */
export function eraseMessages(
  tx: Queryable,
  { environmentId, messageIds }: { environmentId: string; messageIds: readonly string[] },
): Promise<number> {
  return tx.$executeRaw`
    WITH target AS MATERIALIZED (
      SELECT id FROM messages
       WHERE environment_id = ${environmentId}::uuid AND id = ANY(${messageIds}::uuid[])
         AND NOT EXISTS (
           SELECT FROM delivery_runs run
            WHERE run.environment_id = ${environmentId}::uuid AND run.message_id = messages.id
              AND run.status NOT IN ${TERMINAL})
    ), emptied AS (
      UPDATE attempts
         SET response_excerpt = NULL, content_sha256 = NULL, exchange = NULL, skipped_copies = NULL,
             tried = (SELECT jsonb_agg(entry || jsonb_build_object('message', ${ERASED_TEXT}::text))
                        FROM jsonb_array_elements(tried) AS entry),
             error_message = CASE WHEN error_message IS NULL OR error_code = 'scheduled_cancelled'
                                  THEN error_message ELSE ${ERASED_TEXT} END
        FROM target JOIN delivery_runs run ON run.environment_id = ${environmentId}::uuid AND run.message_id = target.id
       WHERE attempts.run_id = run.id
    ), reported AS (
      UPDATE run_feedback SET reason = NULL
        FROM target JOIN delivery_runs run ON run.environment_id = ${environmentId}::uuid AND run.message_id = target.id
       WHERE run_feedback.run_id = run.id AND reason IS NOT NULL
    ), without_files AS (
      DELETE FROM message_files USING target
       WHERE message_files.environment_id = ${environmentId}::uuid AND message_files.message_id = target.id
    )
    UPDATE messages
       SET ${ERASED_COLUMNS}, erased_at = now()
      FROM target
     WHERE messages.environment_id = ${environmentId}::uuid AND messages.id = target.id`;
}

/**
 * Removes the addresses, in lower case, from the filters of all bulk replays: while the erasure of an address is open, none is
 * created with it. An open one finds no more messages and completes. It waits for a page in progress, which locks its batch
 * before messages, so it must run before {@link lockMessages} to avoid a deadlock.
 */
export async function eraseFilters(
  tx: Queryable,
  { environmentId }: Recipient,
  addresses: readonly string[],
): Promise<void> {
  await tx.$executeRaw`
    UPDATE replay_batches
       SET filter = jsonb_set(filter, '{recipient_email}', to_jsonb(${ERASED_ADDRESS}::text))
     WHERE environment_id = ${environmentId}::uuid AND (filter ->> 'recipient_email') IS NOT NULL
       AND lower(filter ->> 'recipient_email') = ANY(${addresses}::text[])`;
}
