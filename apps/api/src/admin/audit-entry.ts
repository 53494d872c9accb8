import { ACTOR_KINDS, AUDITED_RESOURCES, type AuditEntryRecord } from '@postrider/db';
import { formatId, formatTime, type JsonObject } from '@postrider/domain';
import { EXAMPLE_IDS } from '../openapi/examples.ts';
import { id, nullable, oneOf, openObject, text, time } from '../openapi/schema.ts';

/** The fields of an entry. */
export const ENTRY = {
  id: id('aud', 'The entry.'),
  actor: text(
    'The name of the operator or token; with the admin token the `X-Actor` of the request, `admin` without one; `seed` ' +
      'or `worker` for the service itself.',
  ),
  actor_kind: nullable(
    oneOf(
      ACTOR_KINDS,
      'How the actor proved who it is. `admin_token`: its holder chose the name. Null in older entries.',
    ),
  ),
  credential: nullable(
    text('The id of the token or session; null for the admin token and the service itself.'),
  ),
  address: nullable(text('The client’s IP address.')),
  reason: nullable(text('The `X-Reason` of the request.')),
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

export const ENTRY_EXAMPLE = {
  id: 'aud_01kb2v0a4mfc7tq2x9z6w3s8ke',
  actor: 'ada@example.com',
  actor_kind: 'operator',
  credential: 'ses_01kb2x7w5nfxq8s0v7z4m2t6yc',
  address: '192.0.2.10',
  reason: 'Three unpaid invoices',
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

export function presentEntry(entry: AuditEntryRecord): JsonObject {
  const { tenantId, environmentId } = entry;
  return {
    id: formatId('aud', entry.id),
    actor: entry.actor,
    actor_kind: entry.actorKind,
    credential: entry.credential,
    address: entry.address,
    reason: entry.reason,
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
