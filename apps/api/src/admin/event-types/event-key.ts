import { isEventKey } from '@postrider/domain';
import type { AdminRequest } from '../operation.ts';

/** The event key in the path; null when it cannot be one. */
export function eventKeyOf({ params }: AdminRequest): string | null {
  const eventKey = params.eventKey ?? '';
  return isEventKey(eventKey) ? eventKey : null;
}
