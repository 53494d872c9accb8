import type { MessageKey } from '@postrider/domain';
import type { NewMessage } from '../message-fields.ts';
import type { WriteAudit } from '../transactions/audit.ts';
import type { ResponseToStore } from './idempotency.ts';
import type { CreatedRun } from './runs.ts';

/** The rows that an event, a test or a replay creates. Ids are UUIDs. */
export interface Creation {
  readonly tenantId: string;
  readonly environmentId: string;
  readonly messageId: string;
  readonly createdAt: Date;
  /** Left out or null for a replay, whose message exists already. */
  readonly message?: NewMessage | null;
  /** Empty for an event without channels, if the environment stores such events. */
  readonly runs: readonly CreatedRun[];
  /** The consumer whose caller replays, which is charged as for an event. Default: none. */
  readonly replayedBy?: string | null;
  /** 0 for the runs of the event, n for those of its n-th replay. Default: 0. */
  readonly replay?: number;
  /** `traceparent` of the request. Default: it is not traced. */
  readonly traceparent?: string | null;
  /** The response of an event, or of a replay with an Idempotency-Key. Default: none. */
  readonly response?: ResponseToStore | null;
  /** The business ids of an event, by which it is found. Default: none. */
  readonly keys?: readonly MessageKey[];
  /** The audit entry of an operator's event or replay. */
  readonly audit?: WriteAudit | undefined;
}
