import { type KindFacts, LRUCache, SERVICE_KINDS } from '@postrider/domain';
import { createBatcher } from '../batcher.ts';
import { acrossEnvironments, type Database } from '../client.ts';
import { inShare } from '../shares.ts';
import { readInEnvironments } from '../transactions/transaction.ts';
import { type EnvironmentSnapshot, loadEnvironment, loadTokens, type TokenSnapshot } from './load.ts';

/**
 * The oldest configuration that a request may be served with. A revoked token is refused within 5 s
 * (docs/specification.md, "Authentication") even if the notification is lost; the rest of that time is for the load
 * and for clock differences.
 */
export const SNAPSHOT_MAX_AGE_MS = 4_500;

/**
 * The most environments and tokens in the cache of a process. Unknown tokens have a separate cache, so that they
 * cannot push out valid ones.
 */
const MAX_ENVIRONMENTS = 1_000;
const MAX_TOKENS = 20_000;
const MAX_UNKNOWN_TOKENS = 5_000;
/** Unknown tokens share queries and never use more than two connections. */
const TOKEN_BATCHES = { maxItems: 256, maxInFlight: 2, isItemError: () => false };

/** A notification about a change: `environment:<id>`, `tenant:<id>` or `plan:<code>`. */
export type ConfigNotice = string;

export interface Snapshots {
  /**
   * The valid token with this SHA-256, or null. A token is refused from its expiry on, by the database's clock, also
   * from the cache. Throws if PostgreSQL cannot be reached.
   */
  readonly token: (hash: Uint8Array) => Promise<TokenSnapshot | null>;
  readonly environment: (id: string) => Promise<EnvironmentSnapshot | null>;
  /** Drops the entries that a notification names. */
  readonly drop: (notice: ConfigNotice) => void;
  /** Drops everything: notifications may have been missed. */
  readonly clear: () => void;
}

/** The maximum age of entries, and the clock that measures it. */
type Life = Pick<LRUCache.Options<string, object, unknown>, 'ttl' | 'ttlResolution' | 'perf'>;

/**
 * A cache of loads. Concurrent loads are shared, and kept for at most {@link SNAPSHOT_MAX_AGE_MS} from their start. A
 * load that is dropped while in flight still serves its current callers, but no later ones. Failures are not cached.
 */
function createMemo<Value>(life: Life, max: number, load: (key: string) => Promise<Value>) {
  const entries = new LRUCache<string, Promise<Value>>({ ...life, max });
  return {
    entries,
    get(key: string): Promise<Value> {
      const known = entries.get(key);
      if (known) return known;
      const loading = load(key);
      entries.set(key, loading);
      loading.catch(() => {
        if (entries.peek(key) === loading) entries.delete(key);
      });
      return loading;
    },
  };
}

/** Creates the caches over `db`; `monotonicNow` is in milliseconds. */
export function createSnapshots({
  db,
  kinds = SERVICE_KINDS,
  monotonicNow = () => performance.now(),
}: {
  db: Database;
  kinds?: readonly KindFacts[];
  monotonicNow?: () => number;
}): Snapshots {
  const life = { ttl: SNAPSHOT_MAX_AGE_MS, ttlResolution: 0, perf: { now: monotonicNow } };
  const environments = createMemo(life, MAX_ENVIRONMENTS, (id) =>
    // Requests of all shares wait for it.
    inShare('work', () => readInEnvironments(db, [id], (tx) => loadEnvironment(tx, id, monotonicNow, kinds))),
  );
  // The environment is only known once the token is found.
  const across = acrossEnvironments(db);
  const loadToken = createBatcher(
    (hashes: readonly Uint8Array[]) => loadTokens(across, hashes, monotonicNow),
    TOKEN_BATCHES,
  );
  const tokens = createMemo(life, MAX_TOKENS, (hash) => loadToken(Buffer.from(hash, 'base64')));
  const unknownTokens = new LRUCache<string, true>({ ...life, max: MAX_UNKNOWN_TOKENS });

  async function findToken(hash: string): Promise<TokenSnapshot | null> {
    if (unknownTokens.has(hash)) return null;
    const token = await tokens.get(hash);
    if (!token) {
      tokens.entries.delete(hash);
      unknownTokens.set(hash, true);
    }
    return token && monotonicNow() < token.expiresAt ? token : null;
  }

  /** Checks all entries in parallel, so that a hanging load does not block the others. */
  async function dropWhere<Value>(
    entries: LRUCache<string, Promise<Value>>,
    matches: (value: NonNullable<Value>) => boolean,
  ): Promise<void> {
    const dropEntry = async (key: string, loading: Promise<Value>) => {
      const value = await loading.catch(() => null);
      if (value && matches(value) && entries.peek(key) === loading) entries.delete(key);
    };
    await Promise.all([...entries.entries()].map(([key, loading]) => dropEntry(key, loading)));
  }

  function drop(notice: ConfigNotice): void {
    const [subject, id] = notice.split(/:(.*)/, 2);
    if (subject === 'environment' && id) {
      environments.entries.delete(id);
      void dropWhere(tokens.entries, (token) => token.environmentId === id);
    } else if (subject === 'tenant') {
      void dropWhere(environments.entries, (environment) => environment.tenant.id === id);
    } else {
      environments.entries.clear();
    }
  }

  return {
    token: (hash) => findToken(Buffer.from(hash).toString('base64')),
    environment: (id) => environments.get(id),
    drop,
    clear: () => {
      environments.entries.clear();
      tokens.entries.clear();
      unknownTokens.clear();
    },
  };
}
