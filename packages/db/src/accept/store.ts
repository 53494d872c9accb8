import {
  addressOf,
  type ChannelKind,
  createUuidV7Source,
  type IdempotencyClaim,
  type MessageKey,
  type RunStatus,
  type WakeUp,
} from '@postrider/domain';
import { createFairSemaphore } from '@postrider/fairness';
import { BatcherOverloadedError } from '../batcher.ts';
import { type AnyClient, databaseErrorCodes } from '../client.ts';
import type { NewMessage, StoredFields } from '../message-fields.ts';
import { ACCEPT, isOrdered } from '../statements/accept.ts';

/** A run that acceptance creates: one for each enabled channel that takes the event. */
export interface PlannedRun {
  readonly channel: { readonly id: string; readonly kind: ChannelKind; readonly name: string };
  readonly templateVersionId: string | null;
  readonly maxAttempts: number;
  /** Whether it waits because its channel is paused. Default: no. */
  readonly isHeld?: boolean;
  /** Whether its channel is ordered by ordering key. Default: no. */
  readonly isOrdered?: boolean;
}

/** A new run with its id. Ids are UUIDs. */
export interface CreatedRun extends PlannedRun {
  readonly id: string;
  readonly status: Extract<RunStatus, 'scheduled' | 'queued'>;
  readonly scheduledAt: Date | null;
}

/** A run that waits, of whose channel workers are told after the commit. */
export interface RunToEnqueue extends WakeUp {
  readonly runId: string;
}

/** A response that is stored together with the result of its request, before it is sent. */
export interface ResponseToStore extends IdempotencyClaim {
  readonly responseStatus: number;
  /** JSON in UTF-8. */
  readonly responseBody: Uint8Array;
}

/** Outcomes that idempotency adds to an operation. */
export type IdempotencyRefusal =
  /** Another request with this key has committed. Read its record and return that response. */
  | { readonly outcome: 'duplicate' }
  /** Another request holds this key and did not end within 2 s. */
  | { readonly outcome: 'in_progress' };

/**
 * Starts an accepting transaction: limits its waits for locks and returns the database's time in whole milliseconds,
 * which dates everything in the transaction. Process clocks are not used.
 */
export async function beginAccepting(tx: AnyClient, lockTimeoutMs: number): Promise<Date> {
  const [row] = await tx.$queryRaw<{ now: Date }[]>`
    SELECT set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true), date_trunc('milliseconds', now()) AS now`;
  if (!row) throw new Error('PostgreSQL returned no time');
  return row.now;
}

/** New runs with their ids and times. Ids are UUIDs. */
export interface DraftedRuns {
  readonly messageId: string;
  readonly createdAt: Date;
  /** Empty for an event without channels, if the environment stores such events. */
  readonly runs: readonly CreatedRun[];
}

/**
 * Turns planned runs into runs dated `now`: `scheduled` if their time is in the future, otherwise `queued` and due at
 * once. A scheduled run is not held before its time.
 * @param messageId id of the replayed message; a new one if left out
 */
export function draftRuns(
  planned: readonly PlannedRun[],
  { now, scheduleAt = null, messageId }: { now: Date; scheduleAt?: Date | null; messageId?: string },
): DraftedRuns {
  const newId = createUuidV7Source(() => now.getTime());
  const ahead = scheduleAt !== null && scheduleAt > now;
  return {
    messageId: messageId ?? newId(),
    createdAt: now,
    runs: planned.map((run) => ({
      ...run,
      id: newId(),
      status: ahead ? 'scheduled' : 'queued',
      scheduledAt: ahead ? scheduleAt : null,
      isHeld: !ahead && run.isHeld === true,
    })),
  };
}

/**
 * The new runs to enqueue after the commit.
 * @param behind ids of the runs that wait for earlier runs of their ordering key
 */
export function runsToEnqueue(
  { runs, createdAt }: DraftedRuns,
  behind: ReadonlySet<string> = new Set(),
): RunToEnqueue[] {
  return runs
    .filter(({ id, isHeld }) => !isHeld && !behind.has(id))
    .map((run) => ({
      runId: run.id,
      channelId: run.channel.id,
      channelKind: run.channel.kind,
      delayMs: run.scheduledAt ? run.scheduledAt.getTime() - createdAt.getTime() : 0,
      dueMs: (run.scheduledAt ?? createdAt).getTime(),
    }));
}

/** The waiting transactions are requests, of which there are fewer than connections of clients. */
const LANES = { total: 4, perOwner: 2, maxWaiting: 10_000, maxWaitingPerOwner: 10_000 };

/**
 * Limits concurrent transactions per process for work that is not batched, with owners in turn. Unlimited, they would
 * wait for connections and time out; queued, each starts when its turn comes.
 */
export function createLanes(): <Result>(owner: string, work: () => Promise<Result>) => Promise<Result> {
  const lanes = createFairSemaphore(LANES);
  return async (owner, work) => {
    const permit = await lanes.acquire({ owner });
    if (!permit) throw new BatcherOverloadedError();
    return work().finally(permit.release);
  };
}

/** The rows that an event, a test or a replay creates. Ids are UUIDs. */
export interface Creation extends DraftedRuns {
  readonly tenantId: string;
  readonly environmentId: string;
  /** Null for a replay, whose message exists already. */
  readonly message: NewMessage | null;
  /** The consumer whose caller replays, which is charged as for an event; null or left out for all other creations. */
  readonly replayedBy?: string | null;
  /** 0 for the runs of the event, n for those of its n-th replay. */
  readonly replay: number;
  /** `traceparent` of the request; null if it is not traced. */
  readonly traceparent: string | null;
  /** The response of an event. Null for tests and replays. */
  readonly response: ResponseToStore | null;
  /** The business ids of an event, by which it is found. Default: none. */
  readonly keys?: readonly MessageKey[];
}

/** The result of a statement. */
interface StoredCreations {
  /** Ids of the stored messages, that is those whose keys were free; null if all are stored. */
  readonly messages: ReadonlySet<string> | null;
  /** Events used in the period by each tenant of these messages, including these. */
  readonly used: Readonly<Record<string, number>>;
  /** Ids of the runs that wait for earlier runs of their ordering key. */
  readonly behind: ReadonlySet<string>;
}

/** What is stored. See {@link ACCEPT} for the difference between `events` and `mostEvents`. */
type Stored = 'events' | 'mostEvents' | 'tests' | 'replays';

function statementFor(as: Stored, creations: readonly Creation[]) {
  if (as === 'tests') return ACCEPT.tests;
  if (as === 'replays')
    return creations.some(({ replayedBy = null }) => replayedBy !== null)
      ? ACCEPT.consumerReplays
      : ACCEPT.replays;
  const ordered = creations.some(({ message, runs }) => runs.some((run) => isOrdered(message, run)));
  const consumers = creations.some(({ message }) => message !== null && message.consumerId !== null);
  const keyed = creations.some(({ keys = [] }) => keys.length > 0);
  return ACCEPT[as]({ ordered, consumers, keyed });
}

/** Throws if a creation has no message: the statement has message columns only if all have one. */
function storedFieldsOf({ message }: Creation): StoredFields {
  if (!message) throw new Error('a creation has no message');
  return { ...message, recipientEmail: addressOf(message.recipient) };
}

/**
 * Stores creations in one statement. For events this statement is its own transaction: one round trip and one commit
 * for the batch. Creations with a response are stored if their key is free (new, or older than 24 hours by the
 * database's clock), and otherwise skipped. The rest is all or nothing: it throws {@link QuotaExceededError} if the
 * plan of any tenant does not allow its part, and {@link ConsumerQuotaExceededError} if the limit of any consumer does not. Charges count in the month (UTC) of the database's clock.
 * @param oldest if this time is too long ago, nothing is stored and the result is null: an erasure that searches by
 * time must not miss an event that is stored later
 */
export async function store(
  db: AnyClient,
  creations: readonly Creation[],
  { as, lockTimeoutMs, oldest = null }: { as: Stored; lockTimeoutMs: number; oldest?: Date | null },
): Promise<StoredCreations | null> {
  const messages = as === 'replays' ? [] : creations.map(storedFieldsOf);
  const runs = creations.flatMap((creation, place) => creation.runs.map((run) => ({ creation, place, run })));
  const accept = statementFor(as, creations);
  try {
    const [row] = await accept(db, { creations, messages, runs, lockTimeoutMs, oldest });
    if (!row?.timely) return null;
    return {
      messages: row.messages && new Set(row.messages),
      used: row.used ?? {},
      behind: new Set(row.behind),
    };
  } catch (error) {
    // The error does not name the tenant: the caller splits a batch of several tenants and repeats its parts.
    if (isQuotaRefusal(error)) throw new QuotaExceededError(creations[0]?.tenantId ?? '');
    if (isRefusalOf(error, CHARGED_CONSUMER)) throw new ConsumerQuotaExceededError();
    if (isRefusalOf(error, COUNTED_REPLAYS)) throw new ReplaysExceededError();
    throw error;
  }
}

/** Thrown inside the transaction to roll it back: a tenant's plan does not allow the charge. */
export class QuotaExceededError extends Error {
  readonly tenantId: string;

  constructor(tenantId: string) {
    super(`the event quota of tenant ${tenantId} does not hold this charge`);
    this.tenantId = tenantId;
  }
}

/** A charge that the plan does not allow evaluates to NULL, which this NOT NULL column refuses with this SQLSTATE. */
const NOT_NULL_VIOLATION = '23502';
const CHARGED_COLUMN = 'events_used';
const CHARGED_CONSUMER = 'consumer_events';
const COUNTED_REPLAYS = 'replays_of_day';

const isRefusalOf = (error: unknown, column: string): boolean =>
  databaseErrorCodes(error).includes(NOT_NULL_VIOLATION) &&
  error instanceof Error &&
  error.message.includes(column);

/** Whether PostgreSQL refused a charge that a plan does not allow. */
export const isQuotaRefusal = (error: unknown): boolean => isRefusalOf(error, CHARGED_COLUMN);

/**
 * Thrown inside the transaction to roll it back: the limit of a consumer does not allow the charge. The error does not name
 * the consumer: the caller repeats the events one by one.
 */
export class ConsumerQuotaExceededError extends Error {
  constructor() {
    super('the event limit of a consumer does not hold this charge');
  }
}

/** Thrown inside the transaction to roll it back: a consumer cannot replay as many messages on this day. */
export class ReplaysExceededError extends Error {
  constructor() {
    super('the limit of replays of a consumer does not hold this charge');
  }
}
