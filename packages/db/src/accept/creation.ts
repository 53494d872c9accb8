import type { MessageKey } from '@postrider/domain';
import type { NewMessage } from '../message-fields.ts';
import type { ResponseToStore } from './idempotency.ts';
import type { DraftedRuns } from './runs.ts';

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
