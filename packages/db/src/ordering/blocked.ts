import { type BillingStatus, conflict, formatId, isBarredFromDeliveries, reject } from '@postrider/domain';
import { IDEMPOTENCY_WAIT_MS } from '../accept/idempotency.ts';
import { store } from '../accept/ingest.ts';
import type { QuotaExceeded } from '../accept/quota.ts';
import { explainRefusal, QuotaExceededError } from '../accept/quota.ts';
import type { RunWakeUp } from '../accept/runs.ts';
import { lockChannel } from '../channels/channel-record.ts';
import type { Queryable } from '../client.ts';
import { type Page, type PageRequest, pageOf } from '../pages.ts';
import { defineStatement } from '../statement.ts';
import { lockKeys, moveTurns, type OrderingKey } from '../statements/turns.ts';
import { type ConfigureDeps, recordAudit } from '../transactions/audit.ts';
import { beginAccepting, inTransaction } from '../transactions/transaction.ts';

/** An ordering key that is blocked by a failed run, with the number of runs that wait. Ids are UUIDs. */
export interface BlockedKey {
  readonly channelId: string;
  readonly key: string;
  /** The sequence of the failed run. */
  readonly sequence: number;
  readonly blockedAt: Date;
  readonly runId: string;
  /** Null if the message has been removed since. The key can then be skipped but not retried. */
  readonly messageId: string | null;
  readonly lastErrorCode: string | null;
  /** Waiting runs, counted up to {@link MAX_WAITING}. */
  readonly waiting: number;
}

const MAX_WAITING = 1_000;

const blockedWhere = (which: string) => `
    SELECT known.channel_id AS "channelId", known.key, known.turn::float8 AS sequence, known.blocked_at AS "blockedAt",
           known.blocked_run_id AS "runId", run.message_id AS "messageId", run.last_error_code AS "lastErrorCode",
           (SELECT count(*)::int FROM (
             SELECT FROM delivery_runs behind
              WHERE behind.channel_id = known.channel_id AND behind.ordering_key = known.key
                AND behind.sequence > known.turn AND behind.completed_at IS NULL LIMIT ${MAX_WAITING}) found) AS waiting
      FROM ordering_keys known LEFT JOIN delivery_runs run ON run.id = known.blocked_run_id
     WHERE known.blocked_at IS NOT NULL AND known.channel_id = :channelId::uuid AND ${which}`;

const readBlocked = defineStatement<OrderingKey, BlockedKey>({
  text: blockedWhere('known.key = :key'),
});

interface BlockedPage extends PageRequest {
  readonly environmentId: string;
  readonly channelId: string;
}

// A run that was removed since is found among the blocked keys, unless its key was skipped: then the list begins again.
const readPage = defineStatement<BlockedPage, BlockedKey>({
  text: blockedWhere(`known.environment_id = :environmentId::uuid AND known.key > COALESCE(
      (SELECT ordering_key FROM delivery_runs
        WHERE id = :after::uuid AND environment_id = :environmentId::uuid AND channel_id = :channelId::uuid),
      (SELECT key FROM ordering_keys
        WHERE environment_id = :environmentId::uuid AND channel_id = :channelId::uuid AND blocked_at IS NOT NULL
          AND blocked_run_id = :after::uuid),
      '')
     ORDER BY known.key LIMIT :limit::int`),
  parameters: { limit: ({ limit }) => limit + 1 },
});

/** The blocked keys of a channel, ordered by key, after that of a run. Cursors name runs, because a key can be personal. */
export async function listBlockedKeys(db: Queryable, page: BlockedPage): Promise<Page<BlockedKey>> {
  return pageOf(await readPage(db, page), page.limit, ({ runId }) => runId);
}

/** Schedules all blocked keys of a channel for the ordering sweep, after a change of the channel. */
export async function unblockKeys(tx: Queryable, channelId: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO ordering_ends (channel_id, key, environment_id)
    SELECT channel_id, key, environment_id FROM ordering_keys
     WHERE channel_id = ${channelId}::uuid AND blocked_at IS NOT NULL`;
}

export type UnblockOutcome =
  | {
      readonly outcome: 'unblocked';
      readonly key: BlockedKey;
      /** The run to send next; null if none waits or the channel is paused. */
      readonly next: RunWakeUp | null;
    }
  | { readonly outcome: 'not_blocked' }
  | QuotaExceeded;

/** Creates a new run for the message of a failed run, with the same sequence. Null if the message is gone. */
async function retryInPlace(
  tx: Queryable,
  newId: ConfigureDeps['newId'],
  key: BlockedKey,
): Promise<RunWakeUp | null> {
  const [run] = await tx.$queryRaw<{ id: string; channel_kind: string }[]>`
    WITH numbered AS (
      UPDATE messages message SET replay_count = replay_count + 1
        FROM delivery_runs run
       WHERE run.id = ${key.runId}::uuid AND message.environment_id = run.environment_id AND message.id = run.message_id
         AND message.erased_at IS NULL
      RETURNING message.replay_count, message.event_key
    )
    INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, template_version_id, replay, status,
                               max_attempts, due_at, created_at, traceparent, ordering_key, sequence)
    SELECT ${newId()}::uuid, run.environment_id, run.message_id, run.channel_id, run.channel_kind,
           COALESCE((SELECT template.id FROM template_versions template
                      WHERE template.environment_id = run.environment_id AND template.event_key = numbered.event_key
                        AND template.channel_kind = run.channel_kind AND template.active), run.template_version_id),
           numbered.replay_count, 'queued', run.max_attempts, date_trunc('milliseconds', now()),
           date_trunc('milliseconds', now()), run.traceparent, run.ordering_key, run.sequence
      FROM delivery_runs run CROSS JOIN numbered WHERE run.id = ${key.runId}::uuid
    RETURNING id, channel_kind`;
  return run ? { runId: run.id, channelId: key.channelId, channelKind: run.channel_kind, delayMs: 0 } : null;
}

/** Whether a tenant may create deliveries now. */
async function isBarred(tx: Queryable, tenantId: string): Promise<boolean> {
  const [tenant] = await tx.$queryRaw<
    { billingStatus: BillingStatus; graceEndsAt: Date | null; now: Date }[]
  >`
    SELECT billing_status AS "billingStatus", grace_ends_at AS "graceEndsAt", now() FROM tenants
     WHERE id = ${tenantId}::uuid`;
  return tenant === undefined || isBarredFromDeliveries(tenant, tenant.now);
}

/**
 * Unblocks a key, with an audit entry. `retry` sends the failed message again with its sequence, by the active
 * template and, like a replay, for 1 of the quota; later runs wait until it ends. `skip` releases the next run.
 * @throws RefusedError if there is no such channel, or the failed message cannot be sent again
 */
export async function unblockKey(
  deps: ConfigureDeps,
  { channelId, key, by }: OrderingKey & { readonly by: 'retry' | 'skip' },
): Promise<UnblockOutcome> {
  try {
    return await inTransaction(deps, (tx) => unblock(tx, deps, { channelId, key, by }));
  } catch (error) {
    if (!(error instanceof QuotaExceededError)) throw error;
    return explainRefusal(deps.db, error.tenantId, error);
  }
}

const MESSAGE_GONE = conflict(
  'The message of the failed run was removed or erased: the key can only be skipped.',
);

/** The channel is locked first, then the key, and the usage of the tenant last, because its events wait for it. */
async function unblock(
  tx: Queryable,
  deps: ConfigureDeps,
  { channelId, key, by }: OrderingKey & { readonly by: 'retry' | 'skip' },
): Promise<UnblockOutcome> {
  const at = { channelId, key };
  const { channel } = (await lockChannel(tx, channelId)) ?? reject('channel_not_found');
  const { environmentId } = channel;
  const { tenantId } = await tx.environment.findUniqueOrThrow({ where: { id: environmentId } });
  if (by === 'retry' && (await isBarred(tx, tenantId))) reject('payment_required');
  await lockKeys(tx, [at]);
  const [blocked] = await readBlocked(tx, at);
  if (!blocked) return { outcome: 'not_blocked' };
  let next = by === 'retry' ? ((await retryInPlace(tx, deps.newId, blocked)) ?? reject(MESSAGE_GONE)) : null;
  await tx.$executeRaw`
      UPDATE ordering_keys SET blocked_at = NULL, blocked_run_id = NULL, turn = turn + ${by === 'skip' ? 1 : 0}::int
       WHERE channel_id = ${channelId}::uuid AND key = ${key}`;
  if (by === 'skip') [next = null] = await moveTurns(tx, [at]);
  await recordAudit(tx, deps, {
    action: by === 'retry' ? 'channel.ordering_key_retried' : 'channel.ordering_key_skipped',
    resourceId: formatId('chn', channelId),
    environmentId,
    before: {
      ordering_key: key,
      sequence: blocked.sequence,
      delivery_run_id: formatId('run', blocked.runId),
    },
    after: { delivery_run_id: next && formatId('run', next.runId) },
  });
  if (next && by === 'retry')
    await charge(tx, { tenantId, environmentId, messageId: blocked.messageId ?? '' });
  return { outcome: 'unblocked', key: blocked, next };
}

/** Counts a replay whose run exists already. Throws {@link QuotaExceededError}. */
async function charge(
  tx: Queryable,
  of: { readonly tenantId: string; readonly environmentId: string; readonly messageId: string },
): Promise<void> {
  const now = await beginAccepting(tx, IDEMPOTENCY_WAIT_MS);
  await store(tx, [{ ...of, createdAt: now, runs: [] }], {
    as: 'replays',
    lockTimeoutMs: IDEMPOTENCY_WAIT_MS,
  });
}
