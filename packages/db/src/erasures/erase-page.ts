import { canonicalAddress, type ErasureRecord, type IdSource, type ServiceKeys } from '@postrider/domain';
import { acrossEnvironments, type Database, Prisma, type Queryable } from '../client.ts';
import { BELOW_ALL_IDS, firstUuidAt } from '../first-id-at.ts';
import { ERASED_COLUMNS } from '../message-fields.ts';
import { type Erased, HAS_ADDRESS, HAS_RECIPIENT_ID } from '../recipient-address.ts';
import { TERMINAL } from '../run-statuses.ts';
import { defineStatement } from '../statement.ts';
import { STORED_WITHIN_SECONDS } from '../statements/accept.ts';
import { endRunsOfMessages } from '../statements/end-waiting-runs.ts';
import type { ServiceKeySource } from '../suppressions/service-keys.ts';
import { eraseSuppressedText } from '../suppressions/suppress.ts';
import { WORKER_ACTOR } from '../transactions/audit.ts';
import { changeInEnvironments, timeOf } from '../transactions/transaction.ts';
import { readErasure, recordErasure, toErasure } from './erasure.ts';

/** Replaces texts from the receiver, because the rejection of a mail server often repeats the address. */
const ERASED_TEXT = 'Erased.';
/** Replaces the address in the filter of a bulk replay: an address that nobody can have (RFC 2606). */
const ERASED_ADDRESS = 'erased@example.invalid';

/** Identifies the messages of a recipient, or of a consumer. */
interface Recipient extends Erased {
  readonly environmentId: string;
  /** Later messages are not erased. */
  readonly createdAt: Date;
  /** The first message of a consumer to search for; null for all. */
  readonly position: string | null;
}

interface Asked extends Pick<Recipient, 'environmentId' | 'recipientId' | 'consumerId' | 'createdAt'> {
  readonly address: string;
  readonly position: string;
  readonly end: string;
}

/**
 * The searches for the messages of a recipient, in the order of an index. The order names the column that the condition fixes: where a
 * policy applies to another table of the statement, PostgreSQL would sort all messages of the recipient otherwise.
 */
function defineSearches(
  table: string,
  { condition, order }: { condition: string; order: string },
  isFree: string,
) {
  const which = `environment_id = :environmentId::uuid AND ${condition} AND created_at <= :createdAt::timestamptz`;
  return {
    find: defineStatement<Asked & { readonly limit: number }, FoundMessage>({
      text: `
    SELECT id, recipient_email AS email FROM ${table} AS message WHERE ${which} AND ${isFree} ORDER BY ${order} LIMIT :limit`,
    }),
    has: defineStatement<Asked, unknown>({ text: `SELECT 1 FROM ${table} WHERE ${which} LIMIT 1` }),
  };
}

const HAS_NO_OPEN_ATTEMPT = `NOT EXISTS (
  SELECT FROM delivery_runs run
   WHERE run.environment_id = message.environment_id AND run.message_id = message.id AND run.status = 'running')`;

const OF_ADDRESS = defineSearches(
  'message_recipients',
  { condition: HAS_ADDRESS, order: 'folded_email, id' },
  HAS_NO_OPEN_ATTEMPT,
);
const OF_ID = defineSearches(
  'message_recipients',
  { condition: HAS_RECIPIENT_ID, order: 'hashtextextended(recipient_id, 0), id' },
  HAS_NO_OPEN_ATTEMPT,
);
/**
 * Erased messages keep their consumer. An id contains the time of its message. Those with open attempts are left for the next pass.
 */
const OF_CONSUMER = defineSearches(
  'messages',
  {
    condition:
      'consumer_id = :consumerId AND erased_at IS NULL AND id >= :position::uuid AND id < :end::uuid',
    order: 'id',
  },
  'true',
);

function searchesOf(recipient: Recipient) {
  const { recipientEmail, consumerId, position, createdAt } = recipient;
  const asked = {
    ...recipient,
    address: canonicalAddress(recipientEmail ?? ''),
    position: position ?? BELOW_ALL_IDS,
    end: firstUuidAt(createdAt.getTime() + 1),
  };
  const ofRecipient = recipientEmail === null ? OF_ID : OF_ADDRESS;
  return { ...(consumerId === null ? ofRecipient : OF_CONSUMER), asked };
}

interface FoundMessage {
  readonly id: string;
  readonly email: string | null;
}

/** Up to `limit` messages of the recipient without open attempts, or of the consumer, with their addresses. Locks none. */
function findMessages(tx: Queryable, recipient: Recipient, limit: number): Promise<FoundMessage[]> {
  const { find, asked } = searchesOf(recipient);
  return find(tx, { ...asked, limit });
}

/**
 * Locks those of the messages that have no open attempts and returns their ids. Messages locked by others are left for the
 * next page. A replay locks the message first, so none can add runs meanwhile.
 */
async function lockMessages(
  tx: Queryable,
  { environmentId }: Recipient,
  messages: readonly FoundMessage[],
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM messages AS message
     WHERE environment_id = ${environmentId}::uuid AND id = ANY(${messages.map(({ id }) => id)}::uuid[])
       AND ${Prisma.raw(HAS_NO_OPEN_ATTEMPT)}
     ORDER BY id FOR UPDATE SKIP LOCKED`;
  return rows.map(({ id }) => id);
}

/** Whether the recipient has messages left, including locked ones. */
async function hasMessages(tx: Queryable, recipient: Recipient): Promise<boolean> {
  const { has, asked } = searchesOf(recipient);
  return (await has(tx, asked)).length > 0;
}

/**
 * Erases the columns in {@link ERASED_COLUMNS} of those messages whose runs are all terminal, and the texts that
 * remote ends and providers sent about them. Returns their ids. Rows and counts stay. Stored responses only have ids
 * and channels, which a test checks.
 */
async function eraseMessages(
  tx: Queryable,
  { environmentId, messageIds }: { environmentId: string; messageIds: readonly string[] },
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
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
             provider_message_id = NULL,
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
    ), without_keys AS (
      DELETE FROM message_keys USING target
       WHERE message_keys.environment_id = ${environmentId}::uuid AND message_keys.message_id = target.id
    )
    UPDATE messages
       SET ${ERASED_COLUMNS}, erased_at = now()
      FROM target
     WHERE messages.environment_id = ${environmentId}::uuid AND messages.id = target.id
    RETURNING messages.id`;
  return rows.map(({ id }) => id);
}

/**
 * Removes the addresses, in any case, from the filters of all bulk replays, or of those of the consumer. While the erasure of an
 * address is open, no replay is created with it. An open replay finds no more messages and completes. It waits for a page in
 * progress, which locks its batch before messages, so it must run before {@link lockMessages} to avoid a deadlock.
 */
async function eraseFilters(
  tx: Queryable,
  { environmentId, consumerId }: Recipient,
  addresses: readonly string[],
): Promise<void> {
  await tx.$executeRaw`
    UPDATE replay_batches
       SET filter = jsonb_set(filter, '{recipient_email}', to_jsonb(${ERASED_ADDRESS}::text))
     WHERE environment_id = ${environmentId}::uuid
       AND folded_email = ANY(ARRAY(SELECT lower(address) FROM unnest(${addresses}::text[]) AS address))
       AND (${consumerId}::text IS NULL OR consumer_id = ${consumerId} OR filter ->> 'consumer' = ${consumerId})`;
}

/** Messages per page, and waiting runs that a page ends. The transaction takes a fraction of a second. */
const MAX_MESSAGES = 200;
const MAX_WAITING_RUNS = 1_000;
/** Longest statement, by the service's `statement_timeout`, and longest commit on a slow disk. */
const STATEMENT_SECONDS = 10;
const COMMIT_SECONDS = 10;
/**
 * How long after the request messages are searched for, in seconds: an event that was being accepted at that time can
 * be committed this much later.
 */
const LATE_MESSAGES_SECONDS = STORED_WITHIN_SECONDS + STATEMENT_SECONDS + COMMIT_SECONDS;

export interface ErasureDeps {
  readonly db: Database;
  readonly newId: IdSource;
  readonly keys: ServiceKeySource;
  /** {@link LATE_MESSAGES_SECONDS}, unless a test sets it. */
  readonly lateMessagesSeconds?: number | undefined;
}

type ErasurePageOutcome =
  /** A page was erased. More pages follow, now or later. */
  | { readonly outcome: 'advanced'; readonly messages: number }
  | { readonly outcome: 'completed' }
  /** The erasure is complete, or locked by another worker. */
  | { readonly outcome: 'not_available' };

/** An erasure with its position, see {@link advance}. */
interface OpenErasure extends ErasureRecord {
  readonly position: string | null;
  readonly leftFrom: string | null;
}

async function lockOpen(tx: Queryable, id: string): Promise<OpenErasure | null> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM erasures WHERE id = ${id}::uuid AND completed_at IS NULL FOR UPDATE SKIP LOCKED`;
  if (rows.length === 0) return null;
  return toErasure(await tx.erasure.findUniqueOrThrow({ where: { id } }));
}

async function isOver(tx: Queryable, erasure: OpenErasure, lateSeconds: number): Promise<boolean> {
  if (await hasMessages(tx, erasure)) return false;
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 WHERE ${erasure.createdAt}::timestamptz <= now() - make_interval(secs => ${lateSeconds}::int)`;
  return rows.length > 0;
}

/** Completes the erasure, removes its address or id, and writes an audit entry. */
async function complete(tx: Queryable, newId: IdSource, before: ErasureRecord, now: Date): Promise<void> {
  const row = await tx.erasure.update({
    where: { id: before.id },
    data: {
      status: 'completed',
      recipientEmail: null,
      recipientId: null,
      consumerId: null,
      position: null,
      leftFrom: null,
      anyCase: false,
      completedAt: now,
    },
  });
  const deps = { newId, actor: WORKER_ACTOR };
  await recordErasure(tx, deps, { action: 'erasure.completed', before, after: toErasure(row) });
}

/** The different addresses in lower case, in the order in which each erasure locks their rows. */
const lowerCased = (addresses: readonly string[]) =>
  [...new Set(addresses.map((address) => address.toLowerCase()))].sort();

interface Progress extends Pick<OpenErasure, 'position' | 'leftFrom'> {
  /** Whether no message is known to be left. */
  readonly mayBeOver: boolean;
}

/**
 * Where the next page of the erasure of a consumer begins. Its erased messages stay in the index, so each page begins at the last
 * message of the page before, and leaves messages with open attempts, and locked ones, for the next pass. A pass begins at the first
 * message that the one before left, or at the first that an event accepted at the time of the request can have.
 */
function advance(
  { consumerId, createdAt, leftFrom }: OpenErasure,
  found: readonly string[],
  { erased, lateSeconds }: { readonly erased: readonly string[]; readonly lateSeconds: number },
): Progress {
  if (consumerId === null) return { position: null, leftFrom: null, mayBeOver: true };
  const done = new Set(erased);
  const firstLeft = leftFrom ?? found.find((id) => !done.has(id)) ?? null;
  if (found.length === MAX_MESSAGES)
    return { position: found.at(-1) ?? null, leftFrom: firstLeft, mayBeOver: false };
  const firstLate = firstUuidAt(createdAt.getTime() - lateSeconds * 1_000);
  const position = firstLeft !== null && firstLeft < firstLate ? firstLeft : firstLate;
  return { position, leftFrom: null, mayBeOver: firstLeft === null };
}

async function makePage(
  tx: Queryable,
  { newId, lateMessagesSeconds = LATE_MESSAGES_SECONDS }: ErasureDeps,
  keys: ServiceKeys,
  id: string,
): Promise<ErasurePageOutcome> {
  const erasure = await lockOpen(tx, id);
  if (!erasure) return { outcome: 'not_available' };
  const now = await timeOf(tx);
  const { environmentId } = erasure;
  const found = await findMessages(tx, erasure, MAX_MESSAGES);
  const addresses = [erasure.recipientEmail, ...found.map(({ email }) => email)].filter(
    (each) => each !== null,
  );
  await eraseFilters(tx, erasure, addresses);
  // The list is of the whole environment: other consumers can have the same recipients.
  const suppressed = erasure.consumerId === null ? lowerCased(addresses) : [];
  for (const email of suppressed) await eraseSuppressedText(tx, keys, { environmentId, email });
  const messageIds = await lockMessages(tx, erasure, found);
  const toEnd = { environmentId, messageIds, limit: MAX_WAITING_RUNS };
  const cancelled = await endRunsOfMessages(tx, newId, toEnd);
  const erased = await eraseMessages(tx, { environmentId, messageIds });
  const progress = advance(
    erasure,
    found.map((each) => each.id),
    { erased, lateSeconds: lateMessagesSeconds },
  );
  const { position, leftFrom, mayBeOver } = progress;
  const row = await tx.erasure.update({
    where: { id },
    data: {
      status: 'running',
      messagesErased: erasure.messagesErased + erased.length,
      position,
      leftFrom,
      runsCancelled: erasure.runsCancelled + cancelled.length,
      startedAt: erasure.startedAt ?? now,
    },
  });
  if (!mayBeOver || !(await isOver(tx, { ...erasure, position }, lateMessagesSeconds)))
    return { outcome: 'advanced', messages: erased.length };
  await complete(tx, newId, toErasure(row), now);
  return { outcome: 'completed' };
}

/**
 * Erases the next page: cancels waiting runs, and removes recipient, payload and response excerpts of messages whose
 * runs are all terminal. Messages with an open attempt are skipped until it ends. The page and its counts are one
 * transaction, which locks the row of the erasure. The suppression list keeps the hash of each address but loses its text.
 * If the worker is lost, its page is rolled back; erased messages are not found again, so the next worker continues.
 */
export async function erasePage(
  deps: ErasureDeps,
  { id }: { readonly id: string },
): Promise<ErasurePageOutcome> {
  const erasure = await readErasure(acrossEnvironments(deps.db), id);
  if (!erasure) return { outcome: 'not_available' };
  const keys = await deps.keys.get();
  return changeInEnvironments(deps.db, [erasure.environmentId], (tx) => makePage(tx, deps, keys, id));
}
