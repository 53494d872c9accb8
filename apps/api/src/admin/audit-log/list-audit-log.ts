import { type AuditEntryRecord, listAuditEntries } from '@postrider/db';
import { formatId, formatTime, type JsonObject } from '@postrider/domain';
import { ok } from '../../http/reply.ts';
import { formatCursor } from '../../paging/cursor.ts';
import { presentPage } from '../../paging/page.ts';
import { parseQuery, positionOf } from '../../paging/query.ts';
import { invalid } from '../../validation/parse-body.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, withoutBody } from '../operation.ts';
import { AUDIT_LOG_PARAMETERS } from './query.ts';

function presentEntry(entry: AuditEntryRecord): JsonObject {
  const { tenantId, environmentId } = entry;
  return {
    id: formatId('aud', entry.id),
    actor: entry.actor,
    action: entry.action,
    resource_type: entry.resourceType,
    resource_id: entry.resourceId,
    tenant_id: tenantId && formatId('ten', tenantId),
    environment_id: environmentId && formatId('env', environmentId),
    before: entry.before,
    after: entry.after,
    request_id: entry.requestId,
    trace_id: entry.traceId,
    created_at: formatTime(entry.createdAt),
  };
}

/** GET /admin/v1/audit-log: what was changed by whom, newest first. */
export function listAuditLog({ db }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/audit-log',
    run: async ({ query }) => {
      const parsed = parseQuery(query, AUDIT_LOG_PARAMETERS);
      if (parsed.outcome === 'invalid') return invalid(parsed.faults);
      const { values } = parsed;
      const filter = {
        tenantId: values.tenant_id,
        environmentId: values.environment_id,
        resourceType: values.resource_type,
        resourceId: values.resource_id,
        actor: values.actor,
        action: values.action,
        createdAfter: values.created_after,
        createdBefore: values.created_before,
      };
      const page = await listAuditEntries(db, { filter, ...positionOf(values) });
      return ok(presentPage(page, presentEntry, formatCursor));
    },
  });
}
