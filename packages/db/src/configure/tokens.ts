import { createToken, hashToken, type IdSource, tokenLastFour, tokenPrefix } from '@postrider/domain';
import type { Queryable } from '../client.ts';

export interface IssuedToken {
  readonly id: string;
  /** The secret: shown once, stored as its SHA-256 only. */
  readonly token: string;
}

/** Issues a token for an environment (contract, section 8). Throws when the environment does not exist. */
export async function issueToken(
  { db, newId }: { db: Queryable; newId: IdSource },
  { environmentId, name, expiresAt = null }: { environmentId: string; name: string; expiresAt?: Date | null },
): Promise<IssuedToken> {
  const environment = await db.environment.findUniqueOrThrow({ where: { id: environmentId } });
  const token = createToken(environment.name);
  await storeToken({ db, newId }, { environmentId, name, token, expiresAt });
  const stored = await db.token.findUniqueOrThrow({ where: { hash: bytes(hashToken(token)) } });
  return { id: stored.id, token };
}

/** Copies into memory of its own, which is what Prisma's type for bytes asks for. */
const bytes = (value: Uint8Array) => Uint8Array.from(value);

/** Makes a token that the caller chose known, for set-ups that must find the same token again. Idempotent. */
export async function storeToken(
  { db, newId }: { db: Queryable; newId: IdSource },
  input: { environmentId: string; name: string; token: string; expiresAt?: Date | null },
): Promise<void> {
  const { token, ...rest } = input;
  const hash = bytes(hashToken(token));
  await db.token.upsert({
    where: { hash },
    update: {},
    create: { id: newId(), hash, prefix: tokenPrefix(token), lastFour: tokenLastFour(token), ...rest },
  });
}
