import {
  type IdSource,
  type JsonObject,
  MANAGED_RESOURCE_NAMES,
  type ManagedResourceName,
} from '@postrider/domain';
import { Prisma, type Queryable, TRANSACTION_LIMITS, type UnboundDatabase } from '../client.ts';

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

/**
 * Runs a change and its audit entry in one transaction across environments. A change that depends on the current
 * state locks the row first (`lockPlan` and others), so that the second of two concurrent changes sees the result of
 * the first.
 */
export function inTransaction<Result>(
  { db }: Pick<ConfigureDeps, 'db'>,
  run: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  return db.$transaction((tx) => run(tx as Queryable), TRANSACTION_LIMITS);
}

/** A page request; `after` is the last key of the previous page. */
export interface PageRequest {
  readonly after: string | null;
  readonly limit: number;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The key of the last row if there are more, else null. */
  readonly nextAfter: string | null;
}

/** Makes a page from `limit + 1` rows; the additional row only shows that there are more. */
export function pageOf<Row>(found: readonly Row[], limit: number, keyOf: (row: Row) => string): Page<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextAfter: found.length > limit && last !== undefined ? keyOf(last) : null };
}
