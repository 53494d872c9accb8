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
 * Ids are public ids everywhere in the ledgers, because that is what clients and receivers see. Times are
 * milliseconds since 1970.
 */

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
  /** The sender of an email channel that decided it; left out where there is none. */
  readonly sender?: string;
  /** The senders before that one; left out where there was none. */
  readonly tried?: readonly { readonly sender: string; readonly outcome: 'failed' | 'unknown' }[];
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
  /** Its place in the order of its channel; null when it is not ordered. */
  readonly place: { readonly channelId: string; readonly key: string; readonly sequence: number } | null;
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
