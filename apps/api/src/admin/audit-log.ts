import { AUDITED_RESOURCES, listAuditEntries } from '@postrider/db';
import { MEMORY } from '../http/memory.ts';
import * as json from '../openapi/schema.ts';
import { described, idParameter, oneOf, TIME, textThat } from '../paging/query.ts';
import { CHAIN_OPERATIONS, CHAIN_SCHEMAS } from './audit-chain.ts';
import { ENTRY, ENTRY_EXAMPLE, presentEntry } from './audit-entry.ts';
import { isActorName } from './authenticate.ts';
import { type AdminResource, listPage } from './operation.ts';

/** Public ids, codes and event keys. Postgres would refuse other texts, or they would match nothing. */
const RESOURCE_ID = /^[\x21-\x7e]{1,255}$/;

/** An action, such as `channel.updated`. */
const ACTION = /^[a-z_]{1,64}\.[a-z_]{1,64}$/;

const FILTERS = {
  tenant_id: described(
    'Only changes of this tenant, including resources of its environments.',
    idParameter('ten'),
    json.id('ten', 'A tenant.'),
  ),
  environment_id: described(
    'Only changes in this environment.',
    idParameter('env'),
    json.id('env', 'An environment.'),
  ),
  resource_type: described(
    'Only changes of this kind of resource.',
    oneOf(AUDITED_RESOURCES),
    json.oneOf(AUDITED_RESOURCES, 'A kind of resource.'),
  ),
  resource_id: described(
    'Only changes of the resource with this id, code or key.',
    textThat((text) => RESOURCE_ID.test(text), 'must be the id, code or key of a resource'),
    { type: 'string', pattern: RESOURCE_ID.source },
  ),
  actor: described(
    'Only changes by exactly this actor.',
    textThat(isActorName, 'must be 1 to 128 visible ASCII characters'),
    { type: 'string', pattern: '^[\\x21-\\x7e]{1,128}$' },
  ),
  action: described(
    'Only this action, such as `channel.updated`.',
    textThat((text) => ACTION.test(text), 'must be an action such as channel.updated'),
    { type: 'string', pattern: ACTION.source },
  ),
  created_after: described('At this time or later.', TIME),
  created_before: described('Before this time.', TIME),
};

/** The entries of management calls that change something: docs/specification.md, "Audit log". */
const AUDIT_LOG_SCHEMAS: json.Schemas = {
  AuditEntry: json.record('One change of the configuration.', ENTRY),
  AuditLog: json.pageOf('AuditEntry', 'A page of changes, newest first.'),
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
  filters: FILTERS,
  read: (db, { filter, after, limit, bounds }) => listAuditEntries(db, { filter, after, limit, bounds }),
  present: presentEntry,
  schema: json.ref('AuditLog'),
  example: ENTRY_EXAMPLE,
});

export const AUDIT_LOG: AdminResource = {
  tag: { name: 'Audit log', description: 'Management: who changed what.' },
  schemas: { ...AUDIT_LOG_SCHEMAS, ...CHAIN_SCHEMAS },
  operations: [list, ...CHAIN_OPERATIONS],
};
