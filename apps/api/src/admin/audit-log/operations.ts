import { AUDITED_RESOURCES, type AuditEntryRecord, listAuditEntries } from '@postrider/db';
import { formatId, formatTime, type JsonObject } from '@postrider/domain';
import { EXAMPLE_IDS } from '../../openapi/examples.ts';
import { filter } from '../../openapi/parameters.ts';
import { id, oneOf, ref } from '../../openapi/schema.ts';
import { type AdminResource, listPage } from '../operation.ts';
import { AUDIT_LOG_PARAMETERS, AUDIT_LOG_SCHEMAS } from './schema.ts';

const TENANT = {
  id: EXAMPLE_IDS.tenant,
  name: 'Analytical Engines Ltd',
  plan: 'starter',
  billing_status: 'active',
  grace_ends_at: null,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
};

const ENTRY_EXAMPLE = {
  id: 'aud_01kb2v0a4mfc7tq2x9z6w3s8ke',
  actor: 'ada@example.com',
  action: 'tenant.updated',
  resource_type: 'tenant',
  resource_id: EXAMPLE_IDS.tenant,
  tenant_id: EXAMPLE_IDS.tenant,
  environment_id: null,
  before: TENANT,
  after: { ...TENANT, billing_status: 'suspended', updated_at: '2026-11-21T10:00:00.000Z' },
  request_id: 'dunning-7',
  trace_id: '0af7651916cd43dd8448eb211c80319c',
  created_at: '2026-11-21T10:00:00.000Z',
};

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

const list = listPage({
  path: '/admin/v1/audit-log',
  operationId: 'listAuditLog',
  summary: 'List changes',
  description:
    'Who changed what, newest first, written in the same transaction as the change. Filters are combined ' +
    'with “and”. A page also ends, with `has_more`, where its entries would be larger than 2 MiB together.',
  filters: [
    filter(
      'tenant_id',
      'What belongs to this tenant, its environments’ resources included.',
      id('ten', 'A tenant.'),
    ),
    filter('environment_id', 'What belongs to this environment.', id('env', 'An environment.')),
    filter('resource_type', 'Of this kind.', oneOf(AUDITED_RESOURCES, 'A kind of resource.')),
    filter('resource_id', 'Of the resource with this id, code or key.', {
      type: 'string',
      pattern: '^[\\x21-\\x7e]{1,255}$',
    }),
    filter('actor', 'By exactly this actor.', { type: 'string', pattern: '^[\\x21-\\x7e]{1,128}$' }),
    filter('action', 'Exactly this, such as `channel.updated`.', {
      type: 'string',
      pattern: '^[a-z_]{1,64}\\.[a-z_]{1,64}$',
    }),
    filter('created_after', 'At this time or later.', { type: 'string', format: 'date-time' }),
    filter('created_before', 'Before this time.', { type: 'string', format: 'date-time' }),
  ],
  query: AUDIT_LOG_PARAMETERS,
  read: (db, { values, after, limit }) => {
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
    return listAuditEntries(db, { filter, after, limit });
  },
  present: presentEntry,
  schema: ref('AuditLog'),
  example: ENTRY_EXAMPLE,
});

export const AUDIT_LOG: AdminResource = {
  tag: { name: 'Audit log', description: 'Management: who changed what.' },
  schemas: AUDIT_LOG_SCHEMAS,
  operations: [list],
};
