import { type JsonObject, type OperationalEventType, OUTCOME_EVENT_TYPES } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { defineStatement } from '../statement.ts';

/** SQL: whether an environment has an operational channel; `environment` is SQL of its UUID. */
export const hasOperationalChannel = (environment: string) => `EXISTS (
  SELECT FROM channels operational
   WHERE operational.environment_id = ${environment} AND operational.operational AND operational.deleted_at IS NULL)`;

/** An operational event. Payload fields whose names end in `_id` hold UUIDs. */
export interface OperationalEvent {
  readonly environmentId: string;
  readonly type: OperationalEventType;
  readonly payload: JsonObject;
  /** Identifies the change: only the first event with a key is stored. Unique in the installation. */
  readonly dedupeKey: string;
}

/** The type of a row that is not an event: a run has ended, and its message may be complete. */
export const RUN_ENDED = 'run.ended';

/**
 * SQL: whether an event of this type is written: the environment has an operational channel and, for an outcome, has chosen it.
 * @param environment SQL of its UUID
 */
const isWanted = (environment: string, type: string) => `
  ${hasOperationalChannel(environment)} AND (${type} <> ALL ('{${OUTCOME_EVENT_TYPES.join()}}') OR EXISTS (
    SELECT FROM environments setting WHERE setting.id = ${environment} AND ${type} = ANY (setting.outcome_events)))`;

const emit = defineStatement<readonly OperationalEvent[], never>({
  text: `
    INSERT INTO operational_events (environment_id, type, dedupe_key, payload)
    SELECT event.environment_id, event.type, event.dedupe_key, event.payload
      FROM (SELECT unnest((SELECT :environmentId::uuid[])) AS environment_id, unnest(:type::text[]) AS type,
                   unnest(:dedupeKey::text[]) AS dedupe_key, unnest(:payload::jsonb[]) AS payload) AS event
     WHERE ${isWanted('event.environment_id', 'event.type')}
     ORDER BY event.dedupe_key
    ON CONFLICT (dedupe_key) DO NOTHING`,
});

/**
 * Reports changes in the transaction that makes them, so that both commit or neither does. A sweep sends them. Writes
 * nothing for an environment without an operational channel, and no outcome that it has not chosen.
 */
export async function emitOperational(tx: Queryable, ...events: readonly OperationalEvent[]): Promise<void> {
  if (events.length > 0) await emit(tx, events);
}
