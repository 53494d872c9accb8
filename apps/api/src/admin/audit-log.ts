import { AUDITED_RESOURCES, type AuditEntryRecord, listAuditEntries } from '@postrider/db';
import { formatId, formatTime, type JsonObject } from '@postrider/domain';
import { MEMORY } from '../http/memory.ts';
import { EXAMPLE_IDS } from '../openapi/examples.ts';
import { filter } from '../openapi/parameters.ts';
import {
  id,
  nullable,
  oneOf,
  openObject,
  pageOf,
  record,
  ref,
  type Schema,
  text,
  time,
} from '../openapi/schema.ts';
import {
  idParameter,
  oneOf as oneOfParameter,
  PAGING_PARAMETERS,
  type Parameter,
  TIME,
} from '../paging/query.ts';
import { isActorName } from './authenticate.ts';
import { type AdminResource, listPage } from './operation.ts';

/** Public ids, codes and event keys. Postgres would refuse other texts, or they would match nothing. */
const RESOURCE_ID = /^[\x21-\x7e]{1,255}$/;

/** An action, such as `channel.updated`. */
const ACTION = /^[a-z_]{1,64}\.[a-z_]{1,64}$/;

function matching(matches: (text: string) => boolean, message: string): Parameter<string> {
  return { parse: (text) => (matches(text) ? text : null), code: 'invalid_format', message };
}

/** The query parameters of the audit log. */
export const AUDIT_LOG_PARAMETERS = {
  ...PAGING_PARAMETERS,
  tenant_id: idParameter('ten'),
  environment_id: idParameter('env'),
  resource_type: oneOfParameter(AUDITED_RESOURCES),
  resource_id: matching((text) => RESOURCE_ID.test(text), 'must be the id, code or key of a resource'),
  actor: matching(isActorName, 'must be 1 to 128 visible ASCII characters'),
  action: matching((text) => ACTION.test(text), 'must be an action such as channel.updated'),
  created_after: TIME,
  created_before: TIME,
} as const;

/** The entries of management calls that change something: docs/specification.md, "Audit log". */
const AUDIT_LOG_SCHEMAS: Readonly<Record<string, Schema>> = {
  AuditEntry: record('One change of the configuration.', {
    id: id('aud', 'The entry.'),
    actor: text(
      'The `X-Actor` of the request, `admin` without one; `seed` or `worker` for the service ' + 'itself.',
    ),
    action: text('The kind of resource and the change, such as `channel.updated`.'),
    resource_type: oneOf(AUDITED_RESOURCES, 'The kind of resource.'),
    resource_id: text('Its public id, or its code or key where it has no id.'),
    tenant_id: nullable(id('ten', 'The tenant that it belongs to.')),
    environment_id: nullable(id('env', 'The environment that it belongs to.')),
    before: nullable(openObject('The resource before the change, without secrets; null if it was created.')),
    after: nullable(openObject('The resource after the change; null if it was deleted.')),
    request_id: nullable(text('The X-Request-ID of the request.')),
    trace_id: nullable(text('The W3C trace id of the request.')),
    created_at: time('When it was changed.'),
  }),
  AuditLog: pageOf('AuditEntry', 'A page of changes, newest first.'),
};

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
  memory: MEMORY.page,
  summary: 'List changes',
  description:
    'Changes, newest first, each written in the transaction of the change. Filters are combined ' +
    'with “and”. A page also ends, with `has_more`, before its entries are larger than 2 MiB ' +
    'together.',
  filters: [
    filter(
      'tenant_id',
      'Only changes of this tenant, including resources of its environments.',
      id('ten', 'A tenant.'),
    ),
    filter('environment_id', 'Only changes in this environment.', id('env', 'An environment.')),
    filter(
      'resource_type',
      'Only changes of this kind of resource.',
      oneOf(AUDITED_RESOURCES, 'A kind of resource.'),
    ),
    filter('resource_id', 'Only changes of the resource with this id, code or key.', {
      type: 'string',
      pattern: '^[\\x21-\\x7e]{1,255}$',
    }),
    filter('actor', 'Only changes by exactly this actor.', {
      type: 'string',
      pattern: '^[\\x21-\\x7e]{1,128}$',
    }),
    filter('action', 'Only this action, such as `channel.updated`.', {
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
