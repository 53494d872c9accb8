import type { AttemptErrorCode, AttemptStatus, RunStatus } from '@postrider/domain';

/**
 * Ids are public ids everywhere in the ledgers, because that is what clients and receivers see. Times are
 * milliseconds since 1970.
 */

/** What a client was told: null when no answer came. */
export interface ClientAnswer {
  readonly status: number;
  /** Of a 201; else null. */
  readonly messageId: string | null;
  /** Of a 201; else empty. */
  readonly runIds: readonly string[];
  readonly replayed: boolean;
}

/** One request to ingest an event. Repetitions of it with the same key are entries of their own. */
export interface ClientRequest {
  /**
   * What the client means to be one event; it is in the payload, so that it is found again in the database.
   */
  readonly reference: string;
  readonly key: string;
  /** Tells bodies apart that were sent under one key; it is in the payload, too. */
  readonly variant: string;
  /** Mail address, of this event alone. */
  readonly recipient: string;
  readonly answer: ClientAnswer | null;
}

/** One request to replay a message. Repetitions of it with the same key are entries of their own. */
export interface ClientReplay {
  readonly messageId: string;
  readonly key: string;
  readonly answer: ClientAnswer | null;
}

/**
 * One request to cancel a run and the status that answered it, null when no answer came; repeated like a
 * replay.
 */
export interface ClientCancel {
  readonly runId: string;
  readonly key: string;
  readonly status: number | null;
  /** Of an error; else null. */
  readonly code: string | null;
}

/** One request of any kind, and how long its answer took. */
export interface ClientExchange {
  readonly sentAt: number;
  /** Milliseconds until the answer, or until the client gave up. */
  readonly tookMs: number;
  /** Null when no answer came. */
  readonly status: number | null;
  /** What `Retry-After` asked for, in milliseconds; null without it. */
  readonly retryAfterMs: number | null;
}

export interface ClientLedger {
  readonly requests: readonly ClientRequest[];
  readonly replays: readonly ClientReplay[];
  readonly cancels: readonly ClientCancel[];
  /** Keys that were a day old during the run, so that their records may be gone or be another event's. */
  readonly expiredKeys: readonly string[];
  /** Every request behind the entries above, in the order of their ends. */
  readonly exchanges: readonly ClientExchange[];
}

/** What a receiver found in a send; parts that it did not find are empty. */
export interface SendContent {
  readonly reference: string;
  readonly variant: string;
  /** Of a webhook's body, or of a mail's envelope. */
  readonly recipient: string;
  /** The ids of run and message that the body names; a mail names none. */
  readonly ids: readonly string[];
}

/** One delivery that reached a receiver. */
export interface ReceivedSend {
  /** From `webhook-id` or `Message-ID`. */
  readonly runId: string;
  readonly kind: 'webhook' | 'email';
  readonly at: number;
  /** `none`: the receiver said nothing, by hanging or by cutting the connection. */
  readonly answer: 'accepted' | 'refused' | 'none';
  readonly content: SendContent;
}

export interface LedgerMessage {
  readonly id: string;
  readonly environmentId: string;
  readonly reference: string;
  readonly variant: string;
  readonly replayCount: number;
}

export interface LedgerAttempt {
  readonly number: number;
  readonly fence: number;
  readonly status: AttemptStatus;
  readonly errorCode: AttemptErrorCode | null;
  readonly startedAt: number;
  readonly completedAt: number | null;
}

export interface LedgerRun {
  readonly id: string;
  readonly messageId: string;
  /** Which replay of the message made it; 0 for the event itself. */
  readonly replay: number;
  readonly status: RunStatus;
  readonly maxAttempts: number;
  readonly attemptCount: number;
  readonly fence: number;
  readonly scheduledAt: number | null;
  readonly dueAt: number;
  readonly createdAt: number;
  readonly completedAt: number | null;
  /** By number. */
  readonly attempts: readonly LedgerAttempt[];
}

export interface LedgerIdempotencyRecord {
  readonly environmentId: string;
  readonly operation: string;
  readonly key: string;
  /** Read from the stored answer. */
  readonly messageId: string | null;
  /** The run that was cancelled; null of other operations. */
  readonly runId: string | null;
}

export interface LedgerUsage {
  readonly tenants: readonly {
    readonly tenantId: string;
    readonly used: number;
    readonly limit: number | null;
  }[];
  readonly environments: readonly {
    readonly environmentId: string;
    readonly tenantId: string;
    readonly used: number;
  }[];
}

/** A change of a run's status, in the order in which they were made; `from` is null for its creation. */
export interface LedgerTransition {
  readonly runId: string;
  readonly from: RunStatus | null;
  readonly to: RunStatus;
}

export interface DatabaseLedger {
  readonly messages: readonly LedgerMessage[];
  readonly runs: readonly LedgerRun[];
  readonly idempotency: readonly LedgerIdempotencyRecord[];
  readonly usage: LedgerUsage;
  readonly transitions: readonly LedgerTransition[];
}

/** What each side of the service knows once it has drained. */
export interface Ledgers {
  readonly client: ClientLedger;
  readonly receivers: readonly ReceivedSend[];
  readonly database: DatabaseLedger;
}
