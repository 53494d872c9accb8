import { isDeepStrictEqual } from 'node:util';
import { type Plan, type PlanRecord, presentPlan } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { type Page, type PageRequest, pageOf } from '../pages.ts';
import { auditRecorderOf, type ConfigureDeps } from '../transactions/audit.ts';
import { inTransaction, timeOf } from '../transactions/transaction.ts';

const toData = (plan: Plan) => ({ ...plan, channelKinds: [...plan.channelKinds] });
const toPlan = ({ createdAt: _createdAt, updatedAt: _updatedAt, ...plan }: PlanRecord): Plan => plan;

const record = auditRecorderOf(({ code }: PlanRecord) => ({ resourceId: code }), presentPlan);

/** The plan with this code, or null. */
export function readPlan(db: Queryable, code: string): Promise<PlanRecord | null> {
  return db.plan.findFirst({ where: { code } });
}

/** Plans, ordered by code. */
export async function listPlans(db: Queryable, { after, limit }: PageRequest): Promise<Page<PlanRecord>> {
  const rows = await db.plan.findMany({
    where: after === null ? {} : { code: { gt: after } },
    orderBy: { code: 'asc' },
    take: limit + 1,
  });
  return pageOf(rows, limit, ({ code }) => code);
}

/** Creates a plan. Null if its code exists. */
export async function createPlan(deps: ConfigureDeps, plan: Plan): Promise<PlanRecord | null> {
  return inTransaction(deps, async (tx) => {
    const [created] = await tx.plan.createManyAndReturn({ data: [toData(plan)], skipDuplicates: true });
    if (!created) return null;
    await record(tx, deps, { action: 'plan.created', before: null, after: created });
    return created;
  });
}

/** Like {@link readPlan}, and locks the row against changes until the transaction ends. */
export async function lockPlan(tx: Queryable, code: string): Promise<PlanRecord | null> {
  await tx.$queryRaw`SELECT FROM plans WHERE code = ${code} FOR NO KEY UPDATE`;
  return readPlan(tx, code);
}

/**
 * Changes a plan that the transaction has locked, and returns the result. The code cannot change. If nothing differs,
 * it writes nothing.
 */
export async function changePlan(
  tx: Queryable,
  deps: ConfigureDeps,
  current: PlanRecord,
  changed: Omit<Plan, 'code'>,
): Promise<PlanRecord> {
  const { code } = current;
  const next = { ...changed, code };
  if (isDeepStrictEqual(next, toPlan(current))) return current;
  const updated = await tx.plan.update({
    where: { code },
    data: { ...toData(next), updatedAt: await timeOf(tx) },
  });
  await record(tx, deps, { action: 'plan.updated', before: current, after: updated });
  return updated;
}

/** Creates a plan, or changes the existing one with this code. */
export async function putPlan(deps: ConfigureDeps, plan: Plan): Promise<void> {
  if (await createPlan(deps, plan)) return;
  await inTransaction(deps, async (tx) => {
    const current = await lockPlan(tx, plan.code);
    if (current) await changePlan(tx, deps, current, plan);
  });
}
