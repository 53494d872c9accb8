import { parseTraceparent } from '@postrider/domain';
import type { Delivery } from '../sender.ts';

/**
 * The headers of every message to a broker (docs/destinations.md). The run's id is the same on every attempt, so that
 * consumers can drop duplicates.
 */
export function messageHeaders({
  runId,
  message,
  attempt,
  test,
  traceparent,
  sequence = null,
}: Pick<Delivery<unknown>, 'runId' | 'message' | 'attempt' | 'test' | 'traceparent' | 'sequence'>): Record<
  string,
  string
> {
  return {
    'postrider-run-id': runId,
    'postrider-message-id': message.id,
    'postrider-event-key': message.eventKey,
    'postrider-attempt': String(attempt),
    ...(test ? { 'postrider-test': 'true' } : {}),
    ...(sequence === null ? {} : { 'postrider-sequence': String(sequence) }),
    ...(traceparent !== null && parseTraceparent(traceparent)?.sampled ? { traceparent } : {}),
  };
}
