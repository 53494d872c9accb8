import { type EnvironmentRecord, formatId, presentEnvironment } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { recordAudit } from './audit.ts';
import { type ConfigureDeps, inTransaction, type Page, type PageRequest, pageOf } from './change.ts';
import { readTenant } from './tenants.ts';

export type CreateEnvironmentOutcome =
  | { readonly outcome: 'created'; readonly environment: EnvironmentRecord }
  | { readonly outcome: 'tenant_not_found' }
  | { readonly outcome: 'already_exists' };

/** The environment of this UUID, or null. */
export async function readEnvironment(db: Queryable, id: string): Promise<EnvironmentRecord | null> {
  return db.environment.findUnique({ where: { id } });
}

/** A tenant's environments, newest first. */
export async function listEnvironments(
  db: Queryable,
  { tenantId, after, limit }: PageRequest & { readonly tenantId: string },
): Promise<Page<EnvironmentRecord>> {
  const rows = await db.environment.findMany({
    where: { tenantId, ...(after === null ? {} : { id: { lt: after } }) },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  return pageOf(rows, limit, ({ id }) => id);
}

/** Creates an environment; `name` is a slug, unique within the tenant. */
export async function createEnvironment(
  deps: ConfigureDeps,
  { tenantId, name }: { readonly tenantId: string; readonly name: string },
): Promise<CreateEnvironmentOutcome> {
  return inTransaction(deps, async (tx) => {
    if (!(await readTenant(tx, tenantId))) return { outcome: 'tenant_not_found' };
    const [environment] = await tx.environment.createManyAndReturn({
      data: [{ id: deps.newId(), tenantId, name }],
      skipDuplicates: true,
    });
    if (!environment) return { outcome: 'already_exists' };
    await recordAudit(tx, deps, {
      action: 'environment.created',
      resourceId: formatId('env', environment.id),
      tenantId,
      environmentId: environment.id,
      before: null,
      after: presentEnvironment(environment),
    });
    return { outcome: 'created', environment };
  });
}
