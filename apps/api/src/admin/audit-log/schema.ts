import { AUDITED_RESOURCES } from '@postrider/db';
import {
  id,
  nullable,
  oneOf,
  openObject,
  pageOf,
  record,
  type Schema,
  text,
  time,
} from '../../openapi/schema.ts';
import {
  idParameter,
  oneOf as oneOfParameter,
  PAGING_PARAMETERS,
  type Parameter,
  TIME,
} from '../../paging/query.ts';
import { isActorName } from '../authenticate.ts';

/** Public ids, codes and event keys; what else there is would be refused by Postgres or match nothing. */
const RESOURCE_ID = /^[\x21-\x7e]{1,255}$/;

/** `channel.updated` and the like. */
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

/** What every management call leaves behind that changes something: docs/specification.md, "Audit log". */
export const AUDIT_LOG_SCHEMAS: Readonly<Record<string, Schema>> = {
  AuditEntry: record('One change of the configuration.', {
    id: id('aud', 'The entry.'),
    actor: text(
      'Who: the `X-Actor` of the request, `admin` without one; `seed` or `worker` for the service itself.',
    ),
    action: text('The kind of resource and what was done, such as `channel.updated`.'),
    resource_type: oneOf(AUDITED_RESOURCES, 'The kind of resource.'),
    resource_id: text('Its public id, or its code or key where it has no id.'),
    tenant_id: nullable(id('ten', 'The tenant that it belongs to.')),
    environment_id: nullable(id('env', 'The environment that it belongs to.')),
    before: nullable(openObject('The resource as it was, without secrets; null when it was created.')),
    after: nullable(openObject('The resource as it has become; null when it was deleted.')),
    request_id: nullable(text('The X-Request-ID of the request.')),
    trace_id: nullable(text('The W3C trace id of the request.')),
    created_at: time('When it was changed.'),
  }),
  AuditLog: pageOf('AuditEntry', 'A page of changes, newest first.'),
};
