import type { TokenRecord } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { type Page, type PageRequest, pageOf } from './change.ts';

/** The columns of a {@link TokenRecord}. */
export const WITHOUT_HASH = { hash: true } as const;

/** The tokens of an environment, newest first, those that have ended too. */
export async function listTokens(
  db: Queryable,
  { environmentId, after, limit }: PageRequest & { readonly environmentId: string },
): Promise<Page<TokenRecord>> {
  const rows = await db.token.findMany({
    where: { environmentId, ...(after === null ? {} : { id: { lt: after } }) },
    orderBy: { id: 'desc' },
    take: limit + 1,
    omit: WITHOUT_HASH,
  });
  return pageOf(rows, limit, ({ id }) => id);
}

/** Keeps others from changing a token until the transaction ends; null when there is no such token. */
export async function lockToken(
  tx: Queryable,
  id: string,
): Promise<{
  readonly token: TokenRecord;
  readonly tenantId: string;
  readonly environmentName: string;
} | null> {
  await tx.$queryRaw`SELECT FROM tokens WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  const row = await tx.token.findUnique({
    where: { id },
    omit: WITHOUT_HASH,
    include: { environment: true },
  });
  if (!row) return null;
  const { environment, ...token } = row;
  return { token, tenantId: environment.tenantId, environmentName: environment.name };
}
