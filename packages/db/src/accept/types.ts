import type { ChannelKind, RunStatus, WakeUp } from '@postrider/domain';

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

export interface QuotaExceeded {
  readonly outcome: 'quota_exceeded';
  readonly limit: number;
  readonly used: number;
  readonly resetsAt: Date;
}

/** Outcomes that idempotency adds to an operation. */
export type IdempotencyRefusal =
  /** Another request with this key has committed. Read its record and return that response. */
  | { readonly outcome: 'duplicate' }
  /** Another request holds this key and did not end within 2 s. */
  | { readonly outcome: 'in_progress' };
