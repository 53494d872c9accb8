import {
  type IdSource,
  type JsonObject,
  MANAGED_RESOURCE_NAMES,
  type ManagedResourceName,
} from '@postrider/domain';
import { Prisma, type Queryable, type UnboundDatabase } from '../client.ts';

/** The actor of a change, and its request. */
export interface Actor {
  /** The operator's name (`admin` by default), or the acting part of the service, see {@link SERVICE_ACTORS}. */
  readonly name: string;
  readonly requestId: string | null;
  readonly traceId: string | null;
}

/** The parts of the service that make changes themselves. Operators cannot use their names. */
export const SERVICE_ACTORS = ['worker', 'seed'] as const;

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
  /** UUIDs of its tenant and environment. */
  readonly tenantId?: string | null;
  readonly environmentId?: string | null;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

const jsonOrNull = (value: JsonObject | null) =>
  value === null ? Prisma.DbNull : (value as Prisma.InputJsonObject);

/** Writes the audit entry of a change in the given transaction. */
export type WriteAudit = (tx: Queryable) => Promise<void>;

/** Writes an audit entry. `tx` must be the transaction of the change, so that both commit or neither does. */
export async function recordAudit(
  tx: Queryable,
  { newId, actor }: { newId: IdSource; actor: Actor },
  { action, before, after, ...change }: AuditedChange,
): Promise<void> {
  const [resourceType = action] = action.split('.', 1);
  await tx.auditEntry.create({
    data: {
      id: newId(),
      actor: actor.name,
      action,
      resourceType,
      ...change,
      before: jsonOrNull(before),
      after: jsonOrNull(after),
      requestId: actor.requestId,
      traceId: actor.traceId,
    },
  });
}

/** Dependencies of all configuration changes. */
export interface ConfigureDeps {
  /** Operators work across environments: they identify a resource by its id only. */
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  readonly actor: Actor;
}
