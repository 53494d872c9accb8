import { pagedList } from '../pages.ts';
import type { CallOptions } from '../transport.ts';
import type { BodyOf, QueryOf, Tenant } from '../types.ts';
import { type AdminCalls, once } from './calls.ts';

const TENANTS = '/admin/v1/tenants';
const TENANT = '/admin/v1/tenants/{tenantId}';

/** The customers of the installation. */
export function tenantsOf({ http, perform }: AdminCalls) {
  return {
    ...pagedList<QueryOf<'listTenants'>, Tenant>((query, options) =>
      perform((init) => http.GET(TENANTS, { ...init, params: { query } }), options),
    ),
    get: (tenantId: string, options?: CallOptions) =>
      perform((init) => http.GET(TENANT, { ...init, params: { path: { tenantId } } }), options),
    create: (body: BodyOf<'createTenant'>, options?: CallOptions) =>
      perform((init) => http.POST(TENANTS, { ...init, body }), once(options)),
    update: (tenantId: string, body: BodyOf<'updateTenant'>, options?: CallOptions) =>
      perform((init) => http.PATCH(TENANT, { ...init, params: { path: { tenantId } }, body }), options),
  };
}
