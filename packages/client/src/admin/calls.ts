import type { Client } from 'openapi-fetch';
import type { Follow } from '../stream.ts';
import type { CallOptions, Perform } from '../transport.ts';
import type { Paths } from '../types.ts';

/** Dependencies of the operations of every resource. */
export interface AdminCalls {
  readonly http: Client<Paths>;
  readonly perform: Perform;
  readonly follow: Follow;
}

/**
 * For calls that would take effect again if repeated. They are only repeated if nothing was done, because the
 * management API has no idempotency keys.
 */
export function once(options: CallOptions | undefined) {
  return { ...options, repetition: 'refused' as const };
}
