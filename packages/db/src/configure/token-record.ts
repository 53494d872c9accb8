import { formatId, formatOptionalTime, formatTime, type JsonObject } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import type { Token as TokenRow } from '../generated/client.ts';
import { type Page, type PageRequest, pageOf } from './change.ts';

/** A token without anything of its secret. Ids are UUIDs. */
export type TokenRecord = Omit<TokenRow, 'hash'>;

/** The columns of a {@link TokenRecord}. */
export const WITHOUT_HASH = { hash: true } as const;

/** A token as the API presents it: docs/specification.md, "Tokens". */
export function presentToken(token: TokenRecord): JsonObject {
  return {
    id: formatId('tok', token.id),
    environment_id: formatId('env', token.environmentId),
    name: token.name,
    prefix: token.prefix,
    last_four: token.lastFour,
    created_at: formatTime(token.createdAt),
    expires_at: formatOptionalTime(token.expiresAt),
    last_used_at: formatOptionalTime(token.lastUsedAt),
    revoked_at: formatOptionalTime(token.revokedAt),
    replaced_by: token.replacedById === null ? null : formatId('tok', token.replacedById),
  };
}

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
