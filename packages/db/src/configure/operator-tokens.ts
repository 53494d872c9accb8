import {
  formatId,
  hashToken,
  OPERATOR_TOKENS,
  type OperatorTokenRecord,
  presentOperatorToken,
  tokenLastFour,
  tokenPrefix,
} from '@postrider/domain';
import { bytes, type Queryable } from '../client.ts';
import { newestFirst, type Page, type PageRequest } from '../pages.ts';
import { auditRecorderOf, type ConfigureDeps } from '../transactions/audit.ts';

const WITHOUT_HASH = { hash: true } as const;

const record = auditRecorderOf(
  ({ id }: OperatorTokenRecord) => ({ resourceId: formatId('otk', id) }),
  presentOperatorToken,
);

/** The tokens of operators and machines, newest first, including those that have ended. */
export async function listOperatorTokens(
  db: Queryable,
  page: PageRequest,
): Promise<Page<OperatorTokenRecord>> {
  return newestFirst(page, (id, query) =>
    db.operatorToken.findMany({ where: { id }, ...query, omit: WITHOUT_HASH }),
  );
}

/** What a new token gets: a machine's token a role or scopes; an operator's may have neither, and then has all rights. */
type NewOperatorToken = Pick<
  OperatorTokenRecord,
  'name' | 'operatorId' | 'role' | 'scopes' | 'bounded' | 'tenantIds' | 'environmentIds' | 'expiresAt'
>;

/** What ends a token of `postrider login`: the admin token with this digest, or a session at the operator's provider. */
export interface EndsWith {
  readonly adminDigest: Uint8Array | null;
  /** Empty if the provider names none; null if no provider confirmed the sign-in. */
  readonly providerSid: string | null;
}

export interface IssuedOperatorToken {
  readonly token: OperatorTokenRecord;
  /** The token itself. It is shown once and stored only as its SHA-256. */
  readonly secret: string;
}

/** Issues a token, dated by the database's clock. Null if it would already be expired. */
export async function issueOperatorToken(
  tx: Queryable,
  deps: ConfigureDeps,
  input: NewOperatorToken,
  { adminDigest, providerSid }: EndsWith = { adminDigest: null, providerSid: null },
): Promise<IssuedOperatorToken | null> {
  const secret = OPERATOR_TOKENS.create();
  const id = deps.newId();
  const { name, operatorId, role, scopes, bounded, tenantIds, environmentIds, expiresAt } = input;
  await tx.$executeRaw`
    INSERT INTO operator_tokens (id, name, prefix, last_four, hash, operator_id, role, scopes, bounded, tenant_ids,
                                 environment_ids, created_at, expires_at, admin_digest, provider_sid)
    SELECT ${id}::uuid, ${name}, ${tokenPrefix(secret)}, ${tokenLastFour(secret)},
           ${bytes(hashToken(secret))}::bytea, ${operatorId}::uuid, ${role}, ${[...scopes]}::text[], ${bounded},
           ${[...tenantIds]}::uuid[], ${[...environmentIds]}::uuid[], clock_timestamp(), ${expiresAt}::timestamptz,
           ${adminDigest && bytes(adminDigest)}::bytea, ${providerSid}
     WHERE COALESCE(${expiresAt}::timestamptz > clock_timestamp(), true)`;
  const token = await tx.operatorToken.findUnique({ where: { id }, omit: WITHOUT_HASH });
  if (!token) return null;
  await record(tx, deps, { action: 'operator_token.issued', before: null, after: token });
  return { token, secret };
}

/** Locks a token until the transaction ends. Null if there is no such token. */
export async function lockOperatorToken(tx: Queryable, id: string): Promise<OperatorTokenRecord | null> {
  await tx.$queryRaw`SELECT FROM operator_tokens WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return tx.operatorToken.findUnique({ where: { id }, omit: WITHOUT_HASH });
}

/** Revokes a token that the transaction has locked. A second call changes nothing. */
export async function revokeOperatorToken(
  tx: Queryable,
  deps: ConfigureDeps,
  token: OperatorTokenRecord,
): Promise<void> {
  if (token.revokedAt) return;
  const { id } = token;
  await tx.$executeRaw`UPDATE operator_tokens SET revoked_at = clock_timestamp() WHERE id = ${id}::uuid`;
  const revoked = await tx.operatorToken.findUniqueOrThrow({ where: { id }, omit: WITHOUT_HASH });
  await record(tx, deps, { action: 'operator_token.revoked', before: token, after: revoked });
}
