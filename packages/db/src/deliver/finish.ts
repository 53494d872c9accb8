import type {
  AttemptErrorCode,
  AttemptStatus,
  ChannelKind,
  JsonObject,
  NextRunStatus,
} from '@postrider/domain';
import { arrays, readEach, unnest } from '../arrays.ts';
import { createBatcher, type Linger, type ObserveBatch } from '../batcher.ts';
import { type AnyClient, type Database, isDatabaseUnreachable, Prisma } from '../client.ts';
import { environmentScope } from '../scope/environment-scope.ts';
import { composeOnce, queryRows } from '../statement.ts';
import { closeRuns } from '../statements/close.ts';

/** The longest stored error text, in characters. */
const MAX_ERROR_MESSAGE_LENGTH = 1_000;
/** The longest stored provider message id, in characters. */
const MAX_PROVIDER_ID_LENGTH = 200;

/** The result of an attempt. */
export type AttemptResult =
  | { readonly status: 'succeeded' }
  | {
      readonly status: Extract<AttemptStatus, 'failed' | 'unknown'>;
      readonly errorCode: AttemptErrorCode;
      readonly errorMessage: string;
      readonly retryable: boolean;
    };

/** The next status of the run, which must be a valid successor of `running`. */
export type NextState =
  | { readonly status: Exclude<NextRunStatus<'running'>, 'retrying'> }
  | { readonly status: Extract<NextRunStatus<'running'>, 'retrying'>; readonly delayMs: number };

export interface FinishRequest {
  readonly runId: string;
  /** Environment of the run. In another one it is not found. */
  readonly environmentId: string;
  /** Kind of the channel. Not stored: the worker decides by it whether the result ends a pause. */
  readonly channelKind?: ChannelKind;
  readonly attemptNumber: number;
  readonly fence: number;
  readonly result: AttemptResult;
  readonly next: NextState;
  readonly durationMs: number;
  /** The receiver's response. The excerpt is text that PostgreSQL can store (no NUL). */
  readonly response: { readonly statusCode: number; readonly bodyExcerpt: string | null } | null;
  /** What was sent; left out if nothing was. */
  readonly sent?: SentContent | undefined;
  /** The channel's sender that decided the attempt; left out if its kind has no senders. */
  readonly sender?: string | undefined;
  readonly providerMessageId?: string | undefined;
  /** The senders tried before; left out if there were none. */
  readonly tried?: readonly TriedSender[] | undefined;
  /** The copies that it did not reach; left out if there were none. */
  readonly skippedCopies?: readonly SkippedCopy[] | undefined;
}

/** A sender that was tried before the one that decided an attempt, as stored in `attempts.tried`. */
export interface TriedSender {
  readonly sender: string;
  readonly outcome: Extract<AttemptStatus, 'failed' | 'unknown'>;
  readonly code: AttemptErrorCode;
  readonly message: string;
}

/** A copy that an attempt did not reach, as stored in `attempts.skipped_copies`. */
export interface SkippedCopy {
  readonly email: string;
  readonly outcome: 'suppressed' | 'refused';
  /** What the remote end said, or null. */
  readonly reason: string | null;
}

/** What an attempt sent: the SHA-256 of its content in hexadecimal, and facts about the exchange. */
export interface SentContent {
  readonly sha256: string;
  readonly exchange: JsonObject;
}

export type FinishOutcome =
  | { readonly outcome: 'finished' }
  /** The lease was lost: another claim or a sweep changed the run. Nothing was written. */
  | { readonly outcome: 'stale' };

/**
 * Closes an attempt and changes the state of its run, unless the fence is stale. A written result shows that the
 * worker survived, so the run's count of lost workers is reset. Concurrent calls share a statement.
 */
export type FinishAttempt = (request: FinishRequest) => Promise<FinishOutcome>;

/**
 * Whether the worker still owns the run: its fence is current. Checked in the update itself, because a lock before it
 * would write one more record to the write-ahead log for each run.
 */
const IS_HELD = Prisma.sql`run.status = 'running' AND run.fence = closing.fence`;

const explain = ({ result }: FinishRequest) => ('errorCode' in result ? result : null);

const each = readEach<FinishRequest>();

/**
 * The statement that writes the results of a batch.
 * @param reports whether runs fail for good in it, which may have to be reported
 */
const finishStatement = (reports: boolean) =>
  composeOnce<readonly FinishRequest[]>(Prisma.sql`
    WITH closing AS (
      SELECT *, 0 AS lost_workers FROM ${unnest('result', {
        run_id: arrays.uuid(each(({ runId }) => runId)),
        fence: arrays.int4(each(({ fence }) => fence)),
        number: arrays.int4(each(({ attemptNumber }) => attemptNumber)),
        next_status: arrays.text(each(({ next }) => next.status)),
        delay_ms: arrays.int8(
          each(({ next }) => (next.status === 'retrying' ? Math.round(next.delayMs) : null)),
        ),
        status: arrays.text(each(({ result }) => result.status)),
        error_code: arrays.text(each((request) => explain(request)?.errorCode ?? null)),
        error_message: arrays.text(
          each((request) => explain(request)?.errorMessage.slice(0, MAX_ERROR_MESSAGE_LENGTH) ?? null),
        ),
        retryable: arrays.bool(each((request) => explain(request)?.retryable ?? null)),
        duration_ms: arrays.int4(each(({ durationMs }) => Math.round(durationMs))),
        response_status: arrays.int4(each(({ response }) => response?.statusCode ?? null)),
        response_excerpt: arrays.text(each(({ response }) => response?.bodyExcerpt ?? null)),
        content_sha256: arrays.bytea(each(({ sent }) => (sent ? Buffer.from(sent.sha256, 'hex') : null))),
        exchange: arrays.jsonb(each(({ sent }) => sent?.exchange ?? null)),
        sender: arrays.text(each(({ sender }) => sender ?? null)),
        provider_message_id: arrays.text(
          each(({ providerMessageId }) => providerMessageId?.slice(0, MAX_PROVIDER_ID_LENGTH) ?? null),
        ),
        tried: arrays.jsonb(each(({ tried }) => tried ?? null)),
        skipped_copies: arrays.jsonb(each(({ skippedCopies }) => skippedCopies ?? null)),
      })}
       ORDER BY run_id
    ), ${closeRuns('opened', { held: IS_HELD, reports })}
    SELECT run_id, fence FROM moved ${environmentScope(each(({ environmentId }) => environmentId))}`);

const FINISH = finishStatement(false);
const FINISH_WITH_REPORTS = finishStatement(true);

async function finishBatch(db: AnyClient, requests: readonly FinishRequest[]): Promise<FinishOutcome[]> {
  const reports = requests.some(({ next }) => next.status === 'failed');
  const statement = (reports ? FINISH_WITH_REPORTS : FINISH)(requests);
  const rows = await queryRows<{ run_id: string; fence: number }>(db, statement);
  const moved = new Set(rows.map((row) => `${row.run_id} ${row.fence}`));
  return requests.map((request) => ({
    outcome: moved.has(`${request.runId} ${request.fence}`) ? 'finished' : 'stale',
  }));
}

/** Runs {@link FinishAttempt} for one request inside the transaction `tx`. */
export async function finishInTransaction(tx: AnyClient, request: FinishRequest): Promise<FinishOutcome> {
  const [outcome] = await finishBatch(tx, [request]);
  if (!outcome) throw new Error(`the result of run ${request.runId} has no outcome`);
  return outcome;
}

/** Creates the batched {@link FinishAttempt}. */
export function createFinish(
  db: Database,
  {
    maxItems = 128,
    maxInFlight = 1,
    linger,
    onBatch,
  }: {
    maxItems?: number;
    maxInFlight?: number;
    linger?: Linger<FinishRequest> | undefined;
    onBatch?: ObserveBatch | undefined;
  } = {},
): FinishAttempt {
  return createBatcher<FinishRequest, FinishOutcome>((requests) => finishBatch(db, requests), {
    maxItems,
    maxInFlight,
    linger,
    isItemError: (error) => !isDatabaseUnreachable(error),
    onBatch,
  });
}
