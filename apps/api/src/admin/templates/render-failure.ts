import type { RenderFailure } from '@postrider/rendering';
import { type Refusal, refuse } from '../../http/reply.ts';
import { invalid } from '../../validation/parse-body.ts';

/** Seconds after which a render process is free again: the longest time that one piece of work may take. */
const BUSY_RETRY_AFTER_S = 5;

/** Whether the failure says nothing about the template. */
export const isWorthRetrying = ({ reason }: RenderFailure): boolean => reason === 'busy' || reason === 'lost';

/**
 * What to answer when no process could do the work: 503 when none was free or it was ended from outside, 422
 * when the template took more time or memory than it may.
 */
export function refuseUnprepared(failure: RenderFailure): Refusal {
  if (!isWorthRetrying(failure)) {
    return invalid([{ path: '', code: 'invalid_template', message: failure.message }]);
  }
  return refuse('service_unavailable', {
    message: 'All processes that work on templates are busy.',
    headers: { 'Retry-After': String(BUSY_RETRY_AFTER_S) },
  });
}
