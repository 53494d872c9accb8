import { AUDITED_RESOURCES } from '@postrider/db';
import { EXAMPLE_IDS } from '../examples.ts';
import type { AdminOperationDoc } from '../operation-doc.ts';
import { filter, PAGING } from '../parameters.ts';
import { ref } from '../schema-object.ts';
import { id, oneOf } from '../schemas/common.ts';

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

export const LIST_AUDIT_LOG: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/audit-log',
  operationId: 'listAuditLog',
  tag: 'Audit log',
  summary: 'List changes',
  description:
    'Who changed what, newest first, written in the same transaction as the change. Filters are combined ' +
    'with “and”. A page also ends, with `has_more`, where its entries would be larger than 2 MiB together.',
  bodyUse: 'ignored',
  parameters: [
    ...PAGING,
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
  success: {
    status: 200,
    schema: ref('AuditLog'),
    example: { data: [ENTRY_EXAMPLE], has_more: false, next_cursor: null },
  },
  errors: ['validation_failed'],
};
