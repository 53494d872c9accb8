import { parseTraceparent } from '@postrider/domain';
import type { Delivery } from '../sender.ts';

/**
 * What every message to a broker says of itself, whatever its body is: docs/destinations.md. The run's id is the same on every
 * attempt, so consumers recognise by it a message that came twice.
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
