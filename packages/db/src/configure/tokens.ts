import {
  conflict,
  createToken,
  formatId,
  hashToken,
  type IdSource,
  invalid,
  invalidValue,
  presentToken,
  reject,
  type TokenRecord,
  tokenLastFour,
  tokenPrefix,
} from '@postrider/domain';
import { lockConsumer } from '../channels/consumer-record.ts';
import { bytes, type Queryable } from '../client.ts';
import { newestFirst, type Page, type PageRequest } from '../pages.ts';
import { auditRecorderOf, type ConfigureDeps } from '../transactions/audit.ts';
import { inTransaction } from '../transactions/transaction.ts';
import { readEnvironment } from './environments.ts';

/** The columns of a {@link TokenRecord}. */
const WITHOUT_HASH = { hash: true, portalLinkId: true } as const;

/** The tokens of an environment, newest first, including those that have ended, without sessions of the portal. */
export async function listTokens(
  db: Queryable,
  { environmentId, ...page }: PageRequest & { readonly environmentId: string },
): Promise<Page<TokenRecord>> {
  return newestFirst(page, (id, query) =>
    db.token.findMany({ where: { environmentId, portalLinkId: null, id }, ...query, omit: WITHOUT_HASH }),
  );
}

/** Locks a token until the transaction ends. Null if there is no such token. */
async function lockToken(
  tx: Queryable,
  id: string,
): Promise<{
  readonly token: TokenRecord;
  readonly environmentName: string;
  /** Whether it is a session of the portal. */
  readonly isPortal: boolean;
} | null> {
  await tx.$queryRaw`SELECT FROM tokens WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  const row = await tx.token.findUnique({
    where: { id },
    omit: { hash: true },
    include: { environment: true },
  });
  if (!row) return null;
  const { environment, portalLinkId, ...token } = row;
  const isPortal = portalLinkId !== null;
  return { token, environmentName: environment.name, isPortal };
}

export interface IssuedToken {
  readonly token: TokenRecord;
  /** The token itself. It is shown once and stored only as its SHA-256. */
  readonly secret: string;
}

export interface RotatedToken extends IssuedToken {
  /** The rotated token, with the end of its overlap. */
  readonly previous: TokenRecord;
}

/** The latest time that a response can show: 9999-12-31T23:59:59.999Z. */
const LATEST = new Date(Date.UTC(9999, 11, 31, 23, 59, 59, 999));

interface NewToken {
  readonly environmentId: string;
  readonly environmentName: string;
  readonly name: string;
  readonly expiresAt: Date | null;
  readonly scopes: readonly string[];
  readonly consumerId: string | null;
}

/** Creates a token, dated by the database's clock. Null if it would already be expired. */
async function insertToken(
  tx: Queryable,
  newId: IdSource,
  { environmentId, environmentName, name, expiresAt, scopes, consumerId }: NewToken,
): Promise<IssuedToken | null> {
  const secret = createToken(environmentName, undefined, { ofConsumer: consumerId !== null });
  const id = newId();
  await tx.$executeRaw`
    INSERT INTO tokens (id, environment_id, name, prefix, last_four, hash, scopes, created_at, expires_at, consumer_id)
    SELECT ${id}::uuid, ${environmentId}::uuid, ${name}, ${tokenPrefix(secret)}, ${tokenLastFour(secret)},
           ${bytes(hashToken(secret))}::bytea, ${[...scopes]}::text[], clock_timestamp(), ${expiresAt}::timestamptz, ${consumerId}
     WHERE COALESCE(${expiresAt}::timestamptz > clock_timestamp(), true)`;
  const token = await tx.token.findUnique({ where: { id }, omit: WITHOUT_HASH });
  return token && { token, secret };
}

const record = auditRecorderOf(
  ({ id, environmentId }: TokenRecord) => ({ resourceId: formatId('tok', id), environmentId }),
  presentToken,
);

/**
 * Issues a token for an environment, or for one of its consumers (docs/specification.md, "Tokens"). Names need not be unique.
 * @throws RefusedError if there is no such environment or consumer, or the token would already be expired by the database's clock
 */
export async function issueToken(
  deps: ConfigureDeps,
  {
    environmentId,
    name,
    expiresAt = null,
    scopes = [],
    consumerId = null,
  }: Pick<NewToken, 'environmentId' | 'name'> &
    Partial<Pick<NewToken, 'expiresAt' | 'scopes' | 'consumerId'>>,
): Promise<IssuedToken> {
  return inTransaction(deps, async (tx) => {
    const environment = await readEnvironment(tx, environmentId);
    if (!environment) reject('environment_not_found');
    const { name: environmentName } = environment;
    const token = { environmentId, environmentName, name, expiresAt, scopes, consumerId };
    // The lock makes a deletion of the consumer wait until it can find the token.
    if (consumerId !== null && !(await lockConsumer(tx, { environmentId, id: consumerId })))
      reject('consumer_not_found');
    const issued = await insertToken(tx, deps.newId, token);
    if (!issued) reject(invalid([invalidValue('/expires_at', 'must be in the future')]));
    await record(tx, deps, { action: 'token.issued', before: null, after: issued.token });
    return issued;
  });
}

const EXPIRED = conflict('The token has expired: issue another one.');

/** The state of a token by the database's clock, and the expiry of a successor with the same lifetime. */
async function readTokenState(
  tx: Queryable,
  id: string,
): Promise<{ isExpired: boolean; expiresAnew: Date | null }> {
  const [state] = await tx.$queryRaw<{ isExpired: boolean; expiresAnew: Date | null }[]>`
    SELECT COALESCE(expires_at <= clock_timestamp(), false) AS "isExpired",
           CASE WHEN expires_at IS NOT NULL
             THEN LEAST(clock_timestamp() + (expires_at - created_at), ${LATEST}::timestamptz) END AS "expiresAnew"
      FROM tokens WHERE id = ${id}::uuid`;
  return state ?? { isExpired: true, expiresAnew: null };
}

/**
 * Issues a successor of a token with the same name, scopes and lifetime, counted from now. The old token stays valid
 * for `overlapSeconds` by the database's clock, but no longer than without the rotation; with 0 it ends at once. A
 * token has one successor: of two concurrent rotations one wins, and the other gets the successor's id. So no unknown
 * token is left. If the response is lost, rotate the successor.
 * @throws RefusedError if there is no such token, it has ended, or it was rotated before
 */
export async function rotateToken(
  deps: ConfigureDeps,
  { tokenId, overlapSeconds }: { tokenId: string; overlapSeconds: number },
): Promise<RotatedToken> {
  return inTransaction(deps, async (tx) => {
    // The consumer first, as its deletion does, which then also finds the successor.
    const seen = await tx.token.findUnique({ where: { id: tokenId }, omit: { hash: true } });
    if (seen?.consumerId) await lockConsumer(tx, { environmentId: seen.environmentId, id: seen.consumerId });
    const locked = await lockToken(tx, tokenId);
    if (!locked || locked.isPortal) reject('token_not_found');
    const { token, environmentName } = locked;
    const { isExpired, expiresAnew } = await readTokenState(tx, tokenId);
    if (token.revokedAt) reject(conflict('The token is revoked: issue another one.'));
    if (token.replacedById) {
      const successor = formatId('tok', token.replacedById);
      reject(conflict(`The token was already rotated and replaced by ${successor}: rotate that one.`));
    }
    if (isExpired) reject(EXPIRED);
    const { environmentId, name, scopes, consumerId } = token;
    const successor = { environmentId, environmentName, name, scopes, expiresAt: expiresAnew, consumerId };
    const issued = await insertToken(tx, deps.newId, successor);
    if (!issued) reject(EXPIRED);
    await tx.$executeRaw`
      UPDATE tokens
         SET replaced_by_id = ${issued.token.id}::uuid,
             expires_at = LEAST(expires_at, clock_timestamp() + make_interval(secs => ${overlapSeconds}::float8))
       WHERE id = ${tokenId}::uuid`;
    const previous = await tx.token.findUniqueOrThrow({ where: { id: tokenId }, omit: WITHOUT_HASH });
    await record(tx, deps, { action: 'token.issued', before: null, after: issued.token });
    await record(tx, deps, { action: 'token.rotated', before: token, after: previous });
    return { previous, ...issued };
  });
}

/**
 * Revokes a token: every process refuses it within 5 s (docs/specification.md, "Tokens"). A successor issued by a
 * rotation stays valid. Idempotent: a second call writes nothing. False if there is no such token.
 */
export async function revokeToken(deps: ConfigureDeps, id: string): Promise<boolean> {
  return inTransaction(deps, async (tx) => {
    const locked = await lockToken(tx, id);
    if (!locked) return false;
    const { token } = locked;
    if (token.revokedAt) return true;
    await tx.$executeRaw`UPDATE tokens SET revoked_at = clock_timestamp() WHERE id = ${id}::uuid`;
    const revoked = await tx.token.findUniqueOrThrow({ where: { id }, omit: WITHOUT_HASH });
    await record(tx, deps, { action: 'token.revoked', before: token, after: revoked });
    return true;
  });
}

/** Stores a token chosen by the caller, for set-ups that need the same token each time. Idempotent. */
export async function storeToken(
  { db, newId }: { db: Queryable; newId: IdSource },
  input: Pick<NewToken, 'environmentId' | 'name'> &
    Partial<Pick<NewToken, 'expiresAt' | 'scopes'>> & { readonly token: string },
): Promise<void> {
  const { token, scopes = [], ...rest } = input;
  const hash = bytes(hashToken(token));
  await db.token.upsert({
    where: { hash },
    update: {},
    create: {
      ...rest,
      id: newId(),
      hash,
      prefix: tokenPrefix(token),
      lastFour: tokenLastFour(token),
      scopes: [...scopes],
    },
  });
}
