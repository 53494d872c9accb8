import type { ChannelKind, RunStatus } from '@postrider/domain';

/** The operations that honour an Idempotency-Key; part of the record's scope. */
export type IdempotentOperation = 'events.create' | 'messages.replay' | 'delivery-runs.cancel';

/** One idempotency record's scope and the SHA-256 of the request's raw body (32 bytes). */
export interface IdempotencyClaim {
  readonly environmentId: string;
  readonly operation: IdempotentOperation;
  /** Lower-case UUID. */
  readonly key: string;
  readonly fingerprint: Uint8Array;
}

/** A run that acceptance decided on: one per matching enabled channel. */
export interface PlannedRun {
  readonly channel: { readonly id: string; readonly kind: ChannelKind; readonly name: string };
  readonly templateVersionId: string | null;
  readonly maxAttempts: number;
  /** Whether it is to wait because its channel is paused; it goes at once when left out. */
  readonly isHeld?: boolean;
  /** Whether its channel keeps the order of ordering keys; it does not when left out. */
  readonly isOrdered?: boolean;
}

/** A run as it was created. Ids are UUIDs. */
export interface CreatedRun extends PlannedRun {
  readonly id: string;
  readonly status: Extract<RunStatus, 'scheduled' | 'queued'>;
  readonly scheduledAt: Date | null;
}

/** A run to enqueue after the commit. */
export interface RunToEnqueue {
  readonly runId: string;
  readonly channelKind: ChannelKind;
  /** Number of the attempt that the job is for, from 1. */
  readonly attempt: number;
  /** Milliseconds from now, by the database's clock, until the run is due; 0 when it is due. */
  readonly delayMs: number;
}

/** A response that is stored with what the request creates, before it is sent. */
export interface ResponseToStore extends IdempotencyClaim {
  readonly responseStatus: number;
  /** JSON in UTF-8. */
  readonly responseBody: Uint8Array;
}

export interface QuotaExceeded {
  readonly outcome: 'quota_exceeded';
  readonly limit: number;
  readonly used: number;
  readonly resetsAt: Date;
}

/** The outcomes that idempotency adds to an operation. */
export type IdempotencyRefusal =
  /** Another request with this key has committed: read its record and replay it. */
  | { readonly outcome: 'duplicate' }
  /** Another request with this key holds it and has not ended within the wait of 2 s. */
  | { readonly outcome: 'in_progress' };
