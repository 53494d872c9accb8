import { AsyncLocalStorage } from 'node:async_hooks';
import { createFairSemaphore, type FairSemaphore } from '@postrider/fairness';
import type { Pool, PoolClient } from 'pg';

/**
 * What a connection of a process is used for. `work`: what the process is for, acceptance or delivery. `read`: other
 * requests of tenants. `operate`: requests of operators, and figures of the process. `sweep`: sweeps that delivery depends on.
 * `housekeep`: the other sweeps.
 */
export type Share = 'work' | 'read' | 'operate' | 'sweep' | 'housekeep';

interface ShareBounds {
  readonly connections: number;
  /** The most connections of one owner, such as a tenant; all of the share when left out. */
  readonly perOwner?: number;
}

/** The shares of a pool. Their connections together are the pool. */
export type PoolShares = Partial<Readonly<Record<Share, ShareBounds>>>;

/** The owner of statements for several tenants. Only the share limits it. */
export const EVERYONE = '';

interface Use {
  readonly share: Share;
  owner: string;
  /** Whether the owner is known, see {@link chargeTo}. */
  isCharged: boolean;
  readonly signal: (() => AbortSignal) | undefined;
}

const uses = new AsyncLocalStorage<Use>();

/**
 * The statements of `work`, also the later ones that it causes, get their connections from this share.
 * Outside of transactions, look up rows by `findFirst`: Prisma joins calls of `findUnique` that are made at once into one
 * statement, which would run in the share and with the signal of the first.
 * @param signal once it has aborted, none of these statements begins: they throw its reason. It is called when there is
 * a statement. Work that others share must run in an {@link inShare} of its own.
 */
export function inShare<Result>(
  share: Share,
  work: () => Result,
  owner: string = EVERYONE,
  signal?: () => AbortSignal,
): Result {
  return uses.run({ share, owner, isCharged: false, signal }, work);
}

/** @throws the reason of the signal of the current {@link inShare} if it has aborted */
export function throwIfUnwanted(): void {
  uses.getStore()?.signal?.().throwIfAborted();
}

/** A function whose statements are those of {@link inShare}. */
export function withShare<Args extends unknown[], Result>(
  share: Share,
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  return (...args) => inShare(share, () => work(...args));
}

/** Charges the further statements of the current {@link inShare} to this owner. */
export function chargeTo(owner: string): void {
  const use = uses.getStore();
  if (!use) return;
  use.owner = owner;
  use.isCharged = true;
}

/** No connection of the share became free in time. It counts as unreachable, see `isDatabaseUnreachable`. */
class ShareSpentError extends Error {
  readonly code = 'POSTRIDER_OVERLOADED';
  /** Whether reads of the owner were using all connections that it may have. */
  readonly byOwner: boolean;

  constructor(share: string, byOwner: boolean) {
    super(`all connections for "${share}" are in use`);
    this.byOwner = byOwner;
  }
}

/**
 * Whether a read failed because its owner's other reads use all connections that it may have. Other work never fails with
 * this: if it waits for so long, PostgreSQL rather than its owner is the reason.
 */
export const isSpentByOwner = (error: unknown): boolean => error instanceof ShareSpentError && error.byOwner;

/** As long as the wait for a connection itself. Both together must be shorter than `TRANSACTION_LIMITS.maxWait`. */
const WAIT_MS = 5_000;
const QUEUE = { maxWaiting: 1_024, maxWaitingPerOwner: 256 };

function semaphoresOf(shares: PoolShares): ReadonlyMap<string, FairSemaphore> {
  return new Map(
    Object.entries(shares).map(([share, { connections, perOwner = connections }]) => [
      share,
      createFairSemaphore({
        total: connections,
        perOwner: (owner) => (owner === EVERYONE ? connections : perOwner),
        waitMs: WAIT_MS,
        ...QUEUE,
      }),
    ]),
  );
}

export const connectionsOf = (shares: PoolShares): number =>
  Object.values(shares).reduce((sum, { connections }) => sum + connections, 0);

/**
 * Makes the pool give connections by share: in a share owners take turns, and none waits for another share. A statement
 * outside of {@link inShare} fails, and one whose signal aborts leaves the line.
 * @returns how many statements wait for their share
 */
export function shareConnections(pool: Pool, shares: PoolShares): () => number {
  const semaphores = semaphoresOf(shares);
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
  pool.connect = (async () => {
    const { share, owner, isCharged = false, signal } = uses.getStore() ?? {};
    const semaphore = semaphores.get(share ?? '');
    if (!semaphore || owner === undefined) {
      throw new Error(`a statement has no share of this pool (${share ?? 'none'}): run it within inShare`);
    }
    const permit = await semaphore.acquire({ owner }, signal?.());
    if (!permit) {
      throwIfUnwanted();
      throw new ShareSpentError(
        `${share}`,
        share === 'read' && isCharged && semaphore.isShareSpent({ owner }),
      );
    }
    try {
      const client = await connect();
      const { release } = client;
      client.release = (error) => {
        release.call(client, error);
        permit.release();
      };
      return client;
    } catch (error) {
      permit.release();
      throw error;
    }
  }) as Pool['connect'];
  return () => [...semaphores.values()].reduce((sum, semaphore) => sum + semaphore.waiting(), 0);
}
