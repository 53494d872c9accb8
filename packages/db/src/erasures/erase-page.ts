import {
  type ErasureRecord,
  formatId,
  type IdSource,
  presentErasure,
  type ServiceKeys,
} from '@postrider/domain';
import { acrossEnvironments, type Database, type Queryable } from '../client.ts';
import { readEnvironment } from '../configure/environments.ts';
import { STORED_WITHIN_SECONDS } from '../statements/accept.ts';
import { endRunsOfMessages } from '../statements/end-waiting-runs.ts';
import type { ServiceKeySource } from '../suppressions/service-keys.ts';
import { eraseSuppressedText } from '../suppressions/suppress.ts';
import { recordAudit, WORKER_ACTOR } from '../transactions/audit.ts';
import { changeInEnvironments } from '../transactions/transaction.ts';
import { eraseFilters, eraseMessages, findMessages, hasMessages, lockMessages } from './erase-rows.ts';
import { readErasure, toErasure } from './erasure.ts';

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

async function lockOpen(tx: Queryable, id: string): Promise<ErasureRecord | null> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM erasures WHERE id = ${id}::uuid AND completed_at IS NULL FOR UPDATE SKIP LOCKED`;
  if (rows.length === 0) return null;
  return toErasure(await tx.erasure.findUniqueOrThrow({ where: { id } }));
}

async function isOver(tx: Queryable, erasure: ErasureRecord, lateSeconds: number): Promise<boolean> {
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
      anyCase: false,
      completedAt: now,
    },
  });
  const environment = await readEnvironment(tx, before.environmentId);
  await recordAudit(
    tx,
    { newId, actor: WORKER_ACTOR },
    {
      action: 'erasure.completed',
      resourceId: formatId('era', before.id),
      tenantId: environment?.tenantId ?? null,
      environmentId: before.environmentId,
      before: presentErasure(before),
      after: presentErasure(toErasure(row)),
    },
  );
}

/** The different addresses in lower case, in the order in which each erasure locks their rows. */
const lowerCased = (addresses: readonly (string | null)[]) =>
  [...new Set(addresses.flatMap((address) => (address === null ? [] : [address.toLowerCase()])))].sort();

async function makePage(
  tx: Queryable,
  { newId, lateMessagesSeconds = LATE_MESSAGES_SECONDS }: ErasureDeps,
  keys: ServiceKeys,
  id: string,
): Promise<ErasurePageOutcome> {
  const erasure = await lockOpen(tx, id);
  if (!erasure) return { outcome: 'not_available' };
  const [clock] = await tx.$queryRaw<{ now: Date }[]>`SELECT date_trunc('milliseconds', now()) AS now`;
  if (!clock) throw new Error('PostgreSQL returned no time');
  const { environmentId } = erasure;
  const found = await findMessages(tx, erasure, MAX_MESSAGES);
  const addresses = lowerCased([erasure.recipientEmail, ...found.map(({ email }) => email)]);
  await eraseFilters(tx, erasure, addresses);
  for (const email of addresses) await eraseSuppressedText(tx, keys, { environmentId, email });
  const messageIds = await lockMessages(tx, erasure, found);
  const runs = await endRunsOfMessages(tx, newId, { environmentId, messageIds, limit: MAX_WAITING_RUNS });
  const messages = await eraseMessages(tx, { environmentId, messageIds });
  const row = await tx.erasure.update({
    where: { id },
    data: {
      status: 'running',
      messagesErased: erasure.messagesErased + messages,
      runsCancelled: erasure.runsCancelled + runs,
      startedAt: erasure.startedAt ?? clock.now,
    },
  });
  if (!(await isOver(tx, erasure, lateMessagesSeconds))) return { outcome: 'advanced', messages };
  await complete(tx, newId, toErasure(row), clock.now);
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
