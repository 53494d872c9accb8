import { ACTOR_KINDS, AUDITED_RESOURCES, type AuditEntryRecord } from '@postrider/db';
import { type JsonObject, presentFields } from '@postrider/domain';
import { EXAMPLE_IDS } from '../openapi/examples.ts';
import * as json from '../openapi/schema.ts';
import { TENANT_EXAMPLE } from './tenants.ts';

/** The fields of an entry. */
export const ENTRY = {
  id: json.id('aud', 'The entry.'),
  actor: json.text(
    'The name of the operator or token; with the admin token the `X-Actor` of the request, `admin` without one; `seed` ' +
      'or `worker` for the service itself.',
  ),
  actor_kind: json.nullable(
    json.oneOf(
      ACTOR_KINDS,
      'How the actor proved who it is. `admin_token`: its holder chose the name. Null in older entries.',
    ),
  ),
  credential: json.nullable(
    json.text('The id of the token or session; null for the admin token and the service itself.'),
  ),
  address: json.nullable(json.text('The client’s IP address.')),
  reason: json.nullable(json.text('The `X-Reason` of the request.')),
  action: json.text('The kind of resource and the change, such as `channel.updated`.'),
  resource_type: json.oneOf(AUDITED_RESOURCES, 'The kind of resource.'),
  resource_id: json.text('Its public id, or its code or key where it has no id.'),
  tenant_id: json.nullable(json.id('ten', 'The tenant that it belongs to.')),
  environment_id: json.nullable(json.id('env', 'The environment that it belongs to.')),
  before: json.nullable(
    json.openObject('The resource before the change, without secrets; null if it was created.'),
  ),
  after: json.nullable(json.openObject('The resource after the change; null if it was deleted.')),
  request_id: json.nullable(json.text('The X-Request-ID of the request.')),
  trace_id: json.nullable(json.text('The W3C trace id of the request.')),
  created_at: json.time('When it was changed.'),
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
  before: TENANT_EXAMPLE,
  after: { ...TENANT_EXAMPLE, billing_status: 'suspended', updated_at: '2026-11-21T10:00:00.000Z' },
  request_id: 'dunning-7',
  trace_id: '0af7651916cd43dd8448eb211c80319c',
  created_at: '2026-11-21T10:00:00.000Z',
};

export const presentEntry = (entry: AuditEntryRecord): JsonObject =>
  presentFields(
    entry,
    [
      ...(['id', 'actor', 'actorKind', 'credential', 'address', 'reason', 'action', 'resourceType'] as const),
      ...(['resourceId', 'tenantId', 'environmentId', 'before', 'after', 'requestId', 'traceId'] as const),
      'createdAt',
    ],
    'aud',
  );
