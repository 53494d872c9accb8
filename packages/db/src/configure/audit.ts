import {
  type IdSource,
  type JsonObject,
  MANAGED_RESOURCE_NAMES,
  type ManagedResourceName,
} from '@postrider/domain';
import { Prisma, type Queryable } from '../client.ts';

/** The actor of a change, and its request. */
export interface Actor {
  /**
   * The operator's own name for themselves (`admin` when not given), or the part of the service that acts,
   * see {@link SERVICE_ACTORS}.
   */
  readonly name: string;
  readonly requestId: string | null;
  readonly traceId: string | null;
}

/**
 * The parts of the service that act by themselves. No operator may use their names, or the log could be
 * misled.
 */
export const SERVICE_ACTORS = ['worker', 'seed'] as const;

/** The types of resource; the first part of every action. */
export type AuditedResource = ManagedResourceName | 'secrets' | 'message' | 'delivery_run';
export const AUDITED_RESOURCES: readonly AuditedResource[] = [
  ...MANAGED_RESOURCE_NAMES,
  'secrets',
  'message',
  'delivery_run',
];

/**
 * One change. `before` and `after` are the JSON of `resources` in the domain, stored as given: without any secret, and
 * without a recipient's address, which an erasure could not take out of the log again.
 */
export interface AuditedChange {
  /** Such as `channel.updated`. */
  readonly action: `${AuditedResource}.${string}`;
  /** The public id, or the code or key where the resource has no id. */
  readonly resourceId: string;
  /** UUIDs of where it belongs. */
  readonly tenantId?: string | null;
  readonly environmentId?: string | null;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

const jsonOrNull = (value: JsonObject | null) =>
  value === null ? Prisma.DbNull : (value as Prisma.InputJsonObject);

/** Writes the audit entry of a change into the transaction that it is given. */
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
