import { pagedList } from '../pages.ts';
import type { AuditEntry, QueryOf } from '../types.ts';
import type { AdminCalls } from './calls.ts';

/** Who changed what, newest first. */
export function auditLogOf({ http, perform }: AdminCalls) {
  return pagedList<QueryOf<'listAuditLog'>, AuditEntry>((query, options) =>
    perform((init) => http.GET('/admin/v1/audit-log', { ...init, params: { query } }), options),
  );
}
