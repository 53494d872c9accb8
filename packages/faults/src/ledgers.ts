import type { AttemptErrorCode, AttemptStatus, RunStatus } from '@postrider/domain';
import type { ClientLedger } from '@postrider/rig';

export type {
  ClientAnswer,
  ClientCancel,
  ClientExchange,
  ClientLedger,
  ClientReplay,
  ClientRequest,
} from '@postrider/rig';

/**
 * All ids in the ledgers are public ids, because clients and receivers see those. Times are milliseconds since 1970.
 */

/** What a receiver found in a send. Missing parts are empty. */
export interface SendContent {
  readonly reference: string;
  readonly variant: string;
  /** The recipient in a webhook's body, or in a mail's envelope. */
  readonly recipient: string;
  /** The ids of run and message in the body; a mail has none. */
  readonly ids: readonly string[];
}

/** One delivery that reached a receiver. */
export interface ReceivedSend {
  /** From `webhook-id` or `Message-ID`. */
  readonly runId: string;
  readonly kind: 'webhook' | 'email';
  readonly at: number;
  /** `none`: the receiver did not answer, but hung or closed the connection. */
  readonly answer: 'accepted' | 'refused' | 'none';
  readonly content: SendContent;
}

export interface LedgerMessage {
  readonly id: string;
  readonly environmentId: string;
  readonly reference: string;
  readonly variant: string;
  readonly replayCount: number;
  /** The channels that take the event and were enabled all the time: scenarios enable none for good. */
  readonly channelCount: number;
}

export interface LedgerAttempt {
  readonly number: number;
  readonly fence: number;
  readonly status: AttemptStatus;
  readonly errorCode: AttemptErrorCode | null;
  readonly startedAt: number;
  readonly completedAt: number | null;
  /** The sender of an email channel that decided the attempt, if there is one. */
  readonly sender?: string;
  /** The senders that were tried before that one, if any. */
  readonly tried?: readonly { readonly sender: string; readonly outcome: 'failed' | 'unknown' }[];
}

export interface LedgerRun {
  readonly id: string;
  readonly messageId: string;
  /** The number of the message's replay that created the run; 0 for the event itself. */
  readonly replay: number;
  readonly status: RunStatus;
  readonly maxAttempts: number;
  readonly attemptCount: number;
  readonly fence: number;
  readonly scheduledAt: number | null;
  readonly dueAt: number;
  readonly createdAt: number;
  readonly completedAt: number | null;
  /** Its place in the order of its channel; null if it is not ordered. */
  readonly place: { readonly channelId: string; readonly key: string; readonly sequence: number } | null;
  /** Sorted by number. */
  readonly attempts: readonly LedgerAttempt[];
}

export interface LedgerIdempotencyRecord {
  readonly environmentId: string;
  readonly operation: string;
  readonly key: string;
  /** The message in the stored answer. */
  readonly messageId: string | null;
  /** The cancelled run; null for other operations. */
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

/** A change of a run's status; `from` is null for its creation. */
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

/** The records of clients, database and receivers once the service has drained. */
export interface Ledgers {
  readonly client: ClientLedger;
  readonly receivers: readonly ReceivedSend[];
  readonly database: DatabaseLedger;
}
