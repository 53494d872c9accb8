import { addressOf } from '@postrider/domain';
import type { AnyClient } from '../client.ts';
import type { NewMessage, StoredFields } from '../message-fields.ts';
import { ACCEPT, isOrdered } from '../statements/accept.ts';
import { isQuotaRefusal, QuotaExceededError } from './quota.ts';
import type { DraftedRuns } from './runs.ts';
import type { ResponseToStore } from './types.ts';

/** The rows that an event, a test or a replay creates. Ids are UUIDs. */
export interface Creation extends DraftedRuns {
  readonly tenantId: string;
  readonly environmentId: string;
  /** Null for a replay, whose message exists already. */
  readonly message: NewMessage | null;
  /** 0 for the runs of the event, n for those of its n-th replay. */
  readonly replay: number;
  /** `traceparent` of the request; null if it is not traced. */
  readonly traceparent: string | null;
  /** The response of an event. Null for tests and replays. */
  readonly response: ResponseToStore | null;
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
  if (as === 'tests' || as === 'replays') return ACCEPT[as];
  const ordered = creations.some(({ message, runs }) => runs.some((run) => isOrdered(message, run)));
  if (as === 'events') return ordered ? ACCEPT.orderedEvents : ACCEPT.events;
  return ordered ? ACCEPT.mostOrderedEvents : ACCEPT.mostEvents;
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
 * plan of any tenant does not allow its part. Charges count in the month (UTC) of the database's clock.
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
    throw error;
  }
}
