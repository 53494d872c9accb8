import type { CallOptions } from '../transport.ts';
import type { BodyOf } from '../types.ts';
import type { AdminCalls } from './calls.ts';

/** The keys under which webhook secrets and SMTP passwords are stored. No call shows a secret. */
export function secretsOf({ http, perform }: AdminCalls) {
  return {
    /** How many secrets there are under each key. */
    keys: (options?: CallOptions) => perform((init) => http.GET('/admin/v1/secrets', init), options),
    /** Brings secrets under the current key, some at a time: again while `has_more`. */
    reencrypt: (body: BodyOf<'reencryptSecrets'> = {}, options?: CallOptions) =>
      perform((init) => http.POST('/admin/v1/secrets/reencrypt', { ...init, body }), options),
  };
}
