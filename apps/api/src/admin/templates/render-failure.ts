import type { RenderFailure } from '@postrider/rendering';
import { type Refusal, refuse } from '../../http/reply.ts';
import { invalid } from '../../validation/parse-body.ts';

/** Seconds after which a render thread is free again: the longest time that one piece of work may take. */
const BUSY_RETRY_AFTER_S = 5;

/**
 * What to answer when no thread could do the work: 503 when none was free, 422 when the template took more
 * time or memory than it may.
 */
export function refuseUnprepared({ reason, message }: RenderFailure): Refusal {
  if (reason !== 'busy') return invalid([{ path: '', code: 'invalid_template', message }]);
  return refuse('service_unavailable', {
    message: 'All threads that work on templates are busy.',
    headers: { 'Retry-After': String(BUSY_RETRY_AFTER_S) },
  });
}
