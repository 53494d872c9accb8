import type { Client } from 'openapi-fetch';
import type { paths } from '../generated.ts';
import type { CallOptions, Perform } from '../transport.ts';

/** What the operations of every resource are made with. */
export interface AdminCalls {
  readonly http: Client<paths>;
  readonly perform: Perform;
}

/**
 * For calls that would do their work once more when made again: they are made again only where nothing was
 * done. The management interface has no idempotency keys.
 */
export function once(options: CallOptions | undefined) {
  return { ...options, repetition: 'refused' as const };
}
