import {
  type IdSource,
  type JsonObject,
  MANAGED_RESOURCE_NAMES,
  type ManagedResourceName,
} from '@postrider/domain';
import type { Queryable, UnboundDatabase } from '../client.ts';

/**
 * How an actor proved who it is. Only `admin_token` proves no name: its holders choose the name themselves. `service`
 * is a part of the service, see {@link SERVICE_ACTORS}.
 */
export const ACTOR_KINDS = [
  'admin_token',
  'operator',
  'operator_token',
  'environment_token',
  'consumer_token',
  'service',
] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** The actor of a change, and its request. */
export interface Actor {
  readonly name: string;
  readonly kind: ActorKind;
  /** The public id of the token or session; null for the admin token and the service. */
  readonly credentialId: string | null;
  /** The client's IP address; null for the service. */
  readonly address: string | null;
  /** Why, in the caller's words; see `X-Reason`. */
  readonly reason: string | null;
  readonly requestId: string | null;
  readonly traceId: string | null;
}

/** The parts of the service that make changes themselves. Operators cannot use their names. */
export const SERVICE_ACTORS = ['worker', 'seed'] as const;

const serviceActor = (name: (typeof SERVICE_ACTORS)[number]): Actor => ({
  name,
  kind: 'service',
  credentialId: null,
  address: null,
  reason: null,
  requestId: null,
  traceId: null,
});

/** The actor of the worker's own changes. */
export const WORKER_ACTOR: Actor = serviceActor('worker');
/** The actor of the initial configuration. */
export const SEED_ACTOR: Actor = serviceActor('seed');

/** The types of resource, the first part of every action. */
export type AuditedResource = ManagedResourceName | 'secrets' | 'message' | 'delivery_run';
export const AUDITED_RESOURCES: readonly AuditedResource[] = [
  ...MANAGED_RESOURCE_NAMES,
  'secrets',
  'message',
  'delivery_run',
];

/**
 * One change. `before` and `after` are the JSON of `resources` in the domain package, stored unchanged: without
 * secrets, and without a recipient's address, which an erasure could not remove from the log.
 */
export interface AuditedChange {
  /** For example `channel.updated`. */
  readonly action: `${AuditedResource}.${string}`;
  /** The public id, or the code or key of a resource without id. */
  readonly resourceId: string;
  /** The UUID of its environment, whose tenant the entry names, too. */
  readonly environmentId?: string | null;
  /** The UUID of its tenant, for what belongs to no environment. */
  readonly tenantId?: string | null;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

const jsonOrNull = (value: JsonObject | null) => value && JSON.stringify(value);

export type WriteAudit = (tx: Queryable) => Promise<void>;

/**
 * Writes an audit entry. `tx` must be the transaction of the change, so that both commit or neither does. Its time is when it
 * is written and not when the transaction began, so that few entries appear behind somebody who polls by time.
 */
export async function recordAudit(
  tx: Queryable,
  { newId, actor }: AuditDeps,
  { action, resourceId, environmentId = null, tenantId = null, before, after }: AuditedChange,
): Promise<void> {
  const [resourceType = action] = action.split('.', 1);
  const { name, kind, credentialId, address, reason, requestId, traceId } = actor;
  await tx.$executeRaw`
    INSERT INTO audit_log (id, actor, actor_kind, credential, address, reason, action, resource_type, resource_id,
                           tenant_id, environment_id, before, after, request_id, trace_id, created_at)
    VALUES (${newId()}::uuid, ${name}, ${kind}, ${credentialId}, ${address}, ${reason}, ${action}, ${resourceType}, ${resourceId},
            COALESCE(${tenantId}::uuid, (SELECT tenant_id FROM environments WHERE id = ${environmentId}::uuid)),
            ${environmentId}::uuid, ${jsonOrNull(before)}::jsonb, ${jsonOrNull(after)}::jsonb, ${requestId}, ${traceId},
            clock_timestamp())`;
}

type AuditDeps = Pick<ConfigureDeps, 'newId' | 'actor'>;

/** A change of a record. `before`, `after` or both are set. */
type RecordedChange<Of> = Pick<AuditedChange, 'action'> & {
  /** Further fields of `after` in the log. */
  readonly also?: JsonObject;
} & ({ readonly before: Of | null; readonly after: Of } | { readonly before: Of; readonly after: null });

/**
 * Returns the function that writes the audit entries of one type of record, see {@link recordAudit}: `describe` tells which
 * resource a record is, and `present` gives its JSON for the log.
 */
export const auditRecorderOf =
  <Of, Deps = unknown>(
    describe: (record: Of) => Pick<AuditedChange, 'resourceId' | 'tenantId' | 'environmentId'>,
    present: (record: Of, deps: Deps) => JsonObject,
  ) =>
  (tx: Queryable, deps: AuditDeps & Deps, { also, ...change }: RecordedChange<Of>): Promise<void> => {
    const { before, after } = change;
    return recordAudit(tx, deps, {
      ...describe((after ?? before) as Of),
      ...change,
      before: before && present(before, deps),
      after: after && { ...present(after, deps), ...also },
    });
  };

/** Dependencies of all configuration changes. */
export interface ConfigureDeps {
  /** Operators work across environments: they identify a resource by its id only. */
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  readonly actor: Actor;
}
