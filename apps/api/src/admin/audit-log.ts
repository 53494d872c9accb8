import { AUDITED_RESOURCES, listAuditEntries } from '@postrider/db';
import { MEMORY } from '../http/memory.ts';
import { filter } from '../openapi/parameters.ts';
import { id, oneOf, pageOf, record, ref, type Schema } from '../openapi/schema.ts';
import {
  idParameter,
  oneOf as oneOfParameter,
  PAGING_PARAMETERS,
  type Parameter,
  TIME,
} from '../paging/query.ts';
import { CHAIN_OPERATIONS, CHAIN_SCHEMAS } from './audit-chain.ts';
import { ENTRY, ENTRY_EXAMPLE, presentEntry } from './audit-entry.ts';
import { isActorName } from './authenticate.ts';
import { type AdminResource, listPage } from './operation.ts';

/** Public ids, codes and event keys. Postgres would refuse other texts, or they would match nothing. */
const RESOURCE_ID = /^[\x21-\x7e]{1,255}$/;

/** An action, such as `channel.updated`. */
const ACTION = /^[a-z_]{1,64}\.[a-z_]{1,64}$/;

function matching(matches: (text: string) => boolean, message: string): Parameter<string> {
  return { parse: (text) => (matches(text) ? text : null), code: 'invalid_format', message };
}

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
  AuditEntry: record('One change of the configuration.', ENTRY),
  AuditLog: pageOf('AuditEntry', 'A page of changes, newest first.'),
};

const list = listPage({
  path: '/admin/v1/audit-log',
  operationId: 'listAuditLog',
  scope: 'audit:read',
  filtersByBounds: true,
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
  read: (db, { values, after, limit, bounds }) => {
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
    return listAuditEntries(db, { filter, after, limit, bounds });
  },
  present: presentEntry,
  schema: ref('AuditLog'),
  example: ENTRY_EXAMPLE,
});

export const AUDIT_LOG: AdminResource = {
  tag: { name: 'Audit log', description: 'Management: who changed what.' },
  schemas: { ...AUDIT_LOG_SCHEMAS, ...CHAIN_SCHEMAS },
  operations: [list, ...CHAIN_OPERATIONS],
};
