import { Prisma, type Queryable } from '../src/client.ts';

/** A node of a plan that Postgres has executed, as `EXPLAIN (ANALYZE, FORMAT JSON)` gives it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A node and those below it. */
export const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The rows that nodes have read, also those that a filter or a recheck removed. */
export const rowsRead = (nodes: readonly PlanNode[]): number =>
  nodes.reduce(
    (sum, node) =>
      sum +
      (node['Actual Rows'] +
        (node['Rows Removed by Filter'] ?? 0) +
        (node['Rows Removed by Index Recheck'] ?? 0)) *
        node['Actual Loops'],
    0,
  );

type Plan = { 'QUERY PLAN': [{ Plan: PlanNode }] };

/** The nodes of the plan of the first statement that `send` sends, as Postgres has executed it in its place. */
export async function explainFirst(
  db: Pick<Queryable, '$queryRaw' | '$queryRawUnsafe'>,
  send: (db: never) => Promise<unknown>,
): Promise<PlanNode[]> {
  const seen: PlanNode[] = [];
  const explained = new Error('explained');
  const keep = ([row]: Plan[]): never => {
    if (row) seen.push(...nodesOf(row['QUERY PLAN'][0].Plan));
    throw explained;
  };
  const explaining = {
    $queryRawUnsafe: async (text: string, ...values: unknown[]) =>
      keep(await db.$queryRawUnsafe<Plan[]>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, ...values)),
    $executeRaw: async (parts: TemplateStringsArray, ...values: unknown[]) =>
      keep(
        await db.$queryRaw<Plan[]>(
          Prisma.sql`EXPLAIN (ANALYZE, FORMAT JSON) ${Prisma.sql(parts, ...values)}`,
        ),
      ),
  };
  await send(explaining as never).catch((error: unknown) => {
    if (error !== explained) throw error;
  });
  return seen;
}
