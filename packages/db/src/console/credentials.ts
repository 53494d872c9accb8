import { parseId } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { loadOperators, loadOperatorTokens, type OperatorSnapshot } from '../snapshot/access.ts';
import { USABLE } from '../usable-issuers.ts';

/** What a caller may do now. */
export interface CurrentAccess {
  /** Null for a session of the admin token, which has all rights. */
  readonly rights: Pick<OperatorSnapshot, 'scopes' | 'bounds'> | null;
}

/**
 * Reads what a session (`ses_…`) or a token (`otk_…`) gives now, for a change that has waited for a lock. Null if it has ended, or
 * its operator is disabled.
 */
export async function readCurrentAccess(tx: Queryable, credential: string): Promise<CurrentAccess | null> {
  const sessionId = parseId('ses', credential);
  if (sessionId !== null) {
    const [session] = await tx.$queryRaw<{ operator_id: string | null }[]>`
      SELECT operator_id FROM console_sessions WHERE id = ${sessionId}::uuid AND hash IS NOT NULL AND ${USABLE}`;
    if (!session) return null;
    if (session.operator_id === null) return { rights: null };
    const [rights] = await loadOperators(tx, [session.operator_id]);
    return rights ? { rights } : null;
  }
  const tokenId = parseId('otk', credential);
  const stored =
    tokenId && (await tx.operatorToken.findUnique({ where: { id: tokenId }, select: { hash: true } }));
  const [rights] = stored ? await loadOperatorTokens(tx, [stored.hash], () => 0) : [];
  return rights ? { rights } : null;
}
