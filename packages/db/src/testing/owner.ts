import type { AnyClient, Database, Queryable, UnboundDatabase } from '../client.ts';
import { type ClaimOutcome, type ClaimRequest, createClaim } from '../deliver/claim.ts';
import { createFinish, type FinishOutcome, type FinishRequest } from '../deliver/finish.ts';

/** The owner of the tables sees the rows of all environments, whichever one is named. */
const ANY = { environmentId: '00000000-0000-0000-0000-000000000000' };

/** `createClaim` for tests that connect as the owner of the tables. */
export function createOwnerClaim(
  db: UnboundDatabase,
  options?: Parameters<typeof createClaim>[1],
): (request: Omit<ClaimRequest, 'environmentId'>) => Promise<ClaimOutcome> {
  const claim = createClaim(db, options);
  return (request) => claim({ ...ANY, ...request });
}

/** `createFinish` for tests that connect as the owner of the tables. */
export function createOwnerFinish(
  db: UnboundDatabase,
): (request: Omit<FinishRequest, 'environmentId'>) => Promise<FinishOutcome> {
  const finish = createFinish(db);
  return (request) => finish({ ...ANY, ...request });
}

/** Marks a client or a transaction of the owner of the tables, for whom no policy holds. */
export function asOwner(db: Database): UnboundDatabase;
export function asOwner(tx: AnyClient): Queryable;
export function asOwner(client: AnyClient): Queryable {
  return client as Queryable;
}
