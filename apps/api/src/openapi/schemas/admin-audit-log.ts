import { AUDITED_RESOURCES } from '@postrider/db';
import { nullable, record, type Schema } from '../schema-object.ts';
import { id, oneOf, openObject, pageOf, text, time } from './common.ts';

/** What every management call leaves behind that changes something: contract section 8. */
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
