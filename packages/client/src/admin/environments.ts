import { pagedList } from '../pages.ts';
import type { CallOptions } from '../transport.ts';
import type { BodyOf, Environment, QueryOf } from '../types.ts';
import { type AdminCalls, once } from './calls.ts';

const ENVIRONMENTS = '/admin/v1/tenants/{tenantId}/environments';
const ENVIRONMENT = '/admin/v1/environments/{environmentId}';

/** The isolated environments of tenants, such as development and production. */
export function environmentsOf({ http, perform }: AdminCalls) {
  return {
    /** Those of one tenant. */
    of: (tenantId: string) =>
      pagedList<QueryOf<'listEnvironments'>, Environment>((query, options) =>
        perform(
          (init) => http.GET(ENVIRONMENTS, { ...init, params: { path: { tenantId }, query } }),
          options,
        ),
      ),
    get: (environmentId: string, options?: CallOptions) =>
      perform((init) => http.GET(ENVIRONMENT, { ...init, params: { path: { environmentId } } }), options),
    create: (tenantId: string, body: BodyOf<'createEnvironment'>, options?: CallOptions) =>
      perform(
        (init) => http.POST(ENVIRONMENTS, { ...init, params: { path: { tenantId } }, body }),
        once(options),
      ),
  };
}
