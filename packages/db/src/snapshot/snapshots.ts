import { type KindFacts, LRUCache, SERVICE_KINDS } from '@postrider/domain';
import { createBatcher } from '../batcher.ts';
import type { ConsumerKey } from '../channels/consumer-record.ts';
import { acrossEnvironments, type Database } from '../client.ts';
import { inShare } from '../pool.ts';
import { readInEnvironments } from '../transactions/transaction.ts';
import {
  loadOperators,
  loadOperatorTokens,
  type OperatorSnapshot,
  type OperatorTokenSnapshot,
} from './access.ts';
import { CONSUMER_BATCHES, type ConsumerSnapshot, loadConsumers } from './consumers.ts';
import { type EnvironmentSnapshot, loadEnvironment, loadTokens, type TokenSnapshot } from './load.ts';

/**
 * The oldest configuration that a request may be served with. A revoked token is refused within 5 s
 * (docs/specification.md, "Authentication") even if the notification is lost; the rest of that time is for the load
 * and for clock differences.
 */
export const SNAPSHOT_MAX_AGE_MS = 4_500;

/** Keys of nothing have a separate cache, so that invented ones cannot push out valid ones. */
const MAX_UNKNOWN = 5_000;
/** The bytes of an entry of a {@link Sized} cache while it is loaded. */
const LOADING_BYTES = 1_000;

/** The maximum age of entries, and the clock that measures it. */
const lifeBy = (monotonicMs: () => number) => ({
  ttl: SNAPSHOT_MAX_AGE_MS,
  ttlResolution: 0,
  perf: { now: monotonicMs },
});

interface Entry<Value> {
  readonly loading: Promise<Value>;
  /** Undefined until it is loaded. */
  value?: Value;
}

interface Memo<Value> {
  /** Concurrent loads are shared. Rejects if the load fails, which is not cached. */
  readonly get: (key: string) => Promise<Value>;
  readonly drop: (key: string) => void;
  /** Drops the values that match, and the loads in flight, which may have read what was before. */
  readonly dropWhere: (matches: (value: NonNullable<Value>) => boolean) => void;
  readonly clear: () => void;
}

/** A bound of a cache by the size of its entries. */
export interface Sized<Value> {
  readonly maxBytes: number;
  readonly bytesOf: (value: Value) => number;
}

/**
 * A cache of up to `max` loads, or of as many as fit, each kept for at most {@link SNAPSHOT_MAX_AGE_MS} from its start. A load
 * that is dropped while in flight still serves its current callers, but no later ones.
 * @param monotonicMs monotonic milliseconds
 */
export function createMemo<Value>(
  monotonicMs: () => number,
  max: number | Sized<Value>,
  load: (key: string) => Promise<Value>,
): Memo<Value> {
  const sized = typeof max === 'number' ? null : max;
  const entries = new LRUCache<string, Entry<Value>>({
    ...lifeBy(monotonicMs),
    ...(typeof max === 'number' ? { max } : { maxSize: max.maxBytes }),
  });
  return {
    get(key) {
      const known = entries.get(key);
      if (known) return known.loading;
      const entry: Entry<Value> = { loading: load(key) };
      entries.set(key, entry, sized ? { size: LOADING_BYTES } : {});
      entry.loading.then(
        (value) => {
          entry.value = value;
          if (!sized || entries.peek(key) !== entry) return;
          // Only another object gets another size.
          entries.set(key, { ...entry }, { size: sized.bytesOf(value), noUpdateTTL: true });
        },
        () => {
          if (entries.peek(key) === entry) entries.delete(key);
        },
      );
      return entry.loading;
    },
    drop: (key) => {
      entries.delete(key);
    },
    dropWhere(matches) {
      for (const [key, { value }] of [...entries.entries()]) {
        if (value === undefined || (value !== null && matches(value))) entries.delete(key);
      }
    },
    clear: () => entries.clear(),
  };
}

interface Finder<Value> extends Pick<Memo<Value | null>, 'drop' | 'dropWhere' | 'clear'> {
  /** What belongs to the key, or null. */
  readonly find: (key: string) => Promise<Value | null>;
}

/** A {@link Memo} of what keys from outside may belong to. */
export function createFinder<Value>(monotonicMs: () => number, known: Memo<Value | null>): Finder<Value> {
  const unknown = new LRUCache<string, true>({ ...lifeBy(monotonicMs), max: MAX_UNKNOWN });
  return {
    async find(key) {
      if (unknown.has(key)) return null;
      const value = await known.get(key);
      if (value === null) {
        known.drop(key);
        unknown.set(key, true);
      }
      return value;
    },
    drop(key) {
      known.drop(key);
      unknown.delete(key);
    },
    dropWhere: known.dropWhere,
    clear() {
      known.clear();
      unknown.clear();
    },
  };
}

interface SecretMemo<Value> extends Pick<Memo<Value | null>, 'dropWhere' | 'clear'> {
  /** What belongs to the secret with this SHA-256, or null. */
  readonly find: (hash: Uint8Array) => Promise<Value | null>;
  readonly forget: (hash: Uint8Array) => void;
}

/** A {@link Memo} of what belongs to secrets, such as tokens and cookies, by their hashes. */
export function createSecretMemo<Value>(
  monotonicMs: () => number,
  max: number,
  load: (hash: Uint8Array) => Promise<Value | null>,
): SecretMemo<Value> {
  const loadKey = (key: string) => load(Buffer.from(key, 'base64'));
  const { find, drop, dropWhere, clear } = createFinder(monotonicMs, createMemo(monotonicMs, max, loadKey));
  const keyOf = (hash: Uint8Array) => Buffer.from(hash).toString('base64');
  return {
    find: (hash) => find(keyOf(hash)),
    forget: (hash) => drop(keyOf(hash)),
    dropWhere,
    clear,
  };
}

/** The most environments, operators and tokens in the cache of a process. */
const MAX_ENVIRONMENTS = 1_000;
const MAX_OPERATORS = 1_000;
const MAX_TOKENS = 20_000;
/** The most memory of cached consumers, by an estimate: thousands of usual ones. */
const MAX_CONSUMER_BYTES = 24 * 1_048_576;
/** Unknown tokens share queries and never use more than two connections. */
const TOKEN_BATCHES = { maxItems: 256, maxInFlight: 2 };

/**
 * A notification about a change: `environment:<id>`, `consumer:<environment id>:<id>` (also of its tokens), `tenant:<id>`, `plan:<code>`,
 * `session:<id>` of the console, or `access:<id>` of an operator, a role or an operator's token.
 */
export type ConfigNotice = string;

export interface Snapshots {
  /**
   * The valid token with this SHA-256, or null. A token is refused from its expiry on, by the database's clock, also
   * from the cache. Throws if PostgreSQL cannot be reached.
   */
  readonly token: (hash: Uint8Array) => Promise<TokenSnapshot | null>;
  readonly environment: (id: string) => Promise<EnvironmentSnapshot | null>;
  /** The consumer with its channels, or null. Nothing of it is in the environment's snapshot. */
  readonly consumer: (key: ConsumerKey) => Promise<ConsumerSnapshot | null>;
  /** Like {@link token}, for the token of an operator or a machine. */
  readonly operatorToken: (hash: Uint8Array) => Promise<OperatorTokenSnapshot | null>;
  /** The enabled operator with this UUID, or null. */
  readonly operator: (id: string) => Promise<OperatorSnapshot | null>;
  /** Drops the entries that a notification names. */
  readonly drop: (notice: ConfigNotice) => void;
  /** Drops everything: notifications may have been missed. */
  readonly clear: () => void;
  /** Calls this with each notification, and with null for {@link clear}. Other caches drop their entries by it. */
  readonly onDrop: (callback: (notice: ConfigNotice | null) => void) => void;
}

/** The end of a notice about a consumer, which is its key in the cache. */
const noticeOf = ({ environmentId, id }: ConsumerKey) => `${environmentId}:${id}`;

function consumerKeyOf(notice: string): ConsumerKey {
  const [environmentId = '', id = ''] = notice.split(/:(.*)/, 2);
  return { environmentId, id };
}

/** Creates the caches over `db`; `monotonicMs` is in milliseconds. */
export function createSnapshots({
  db,
  kinds = SERVICE_KINDS,
  monotonicMs = () => performance.now(),
}: {
  db: Database;
  kinds?: readonly KindFacts[];
  monotonicMs?: () => number;
}): Snapshots {
  // Requests of all shares wait for it.
  const environments = createMemo(monotonicMs, MAX_ENVIRONMENTS, (id) =>
    inShare('work', () => readInEnvironments(db, [id], (tx) => loadEnvironment(tx, id, kinds, monotonicMs))),
  );
  const loadConsumer = createBatcher(
    (keys: readonly ConsumerKey[]) => loadConsumers(db, keys, kinds),
    CONSUMER_BATCHES,
  );
  const consumers = createFinder<ConsumerSnapshot>(
    monotonicMs,
    createMemo(
      monotonicMs,
      { maxBytes: MAX_CONSUMER_BYTES, bytesOf: (consumer) => consumer?.bytes ?? 1 },
      (key) => inShare('work', () => loadConsumer(consumerKeyOf(key))),
    ),
  );
  // The environment is only known once the token is found.
  const across = acrossEnvironments(db);
  const loadToken = createBatcher(
    (hashes: readonly Uint8Array[]) => loadTokens(across, hashes, monotonicMs),
    TOKEN_BATCHES,
  );
  const tokens = createSecretMemo<TokenSnapshot>(monotonicMs, MAX_TOKENS, loadToken);
  const loadOperatorToken = createBatcher(
    (hashes: readonly Uint8Array[]) => loadOperatorTokens(across, hashes, monotonicMs),
    TOKEN_BATCHES,
  );
  const operatorTokens = createSecretMemo<OperatorTokenSnapshot>(monotonicMs, MAX_TOKENS, loadOperatorToken);
  const loadOperator = createBatcher((ids: readonly string[]) => loadOperators(across, ids), TOKEN_BATCHES);
  const operators = createMemo(monotonicMs, MAX_OPERATORS, loadOperator);
  const callbacks: ((notice: ConfigNotice | null) => void)[] = [];

  /** The token, if it is valid, until its expiry. */
  async function unexpired<Token extends { readonly expiresAt: number }>(
    finding: Promise<Token | null>,
  ): Promise<Token | null> {
    const token = await finding;
    return token && monotonicMs() < token.expiresAt ? token : null;
  }

  function drop(notice: ConfigNotice): void {
    const [subject, id] = notice.split(/:(.*)/, 2);
    if (subject === 'environment' && id) {
      environments.drop(id);
      tokens.dropWhere((token) => token.environmentId === id);
    } else if (subject === 'consumer' && id) {
      consumers.drop(id);
      const key = consumerKeyOf(id);
      tokens.dropWhere(
        ({ environmentId, consumerId }) => environmentId === key.environmentId && consumerId === key.id,
      );
    } else if (subject === 'tenant') {
      environments.dropWhere((environment) => environment.tenant.id === id);
    } else if (subject === 'access') {
      // Rights depend on operators, roles and tokens, which change rarely.
      operators.clear();
      operatorTokens.dropWhere(() => true);
      // A session of the portal ends with the operator who issued its link.
      tokens.dropWhere(({ consumerId }) => consumerId !== null);
    } else if (subject === 'session') {
      // The sessions of the portal that it issued end with it.
      tokens.dropWhere(({ consumerId }) => consumerId !== null);
    } else {
      environments.clear();
    }
    for (const callback of callbacks) callback(notice);
  }

  return {
    token: (hash) => unexpired(tokens.find(hash)),
    environment: (id) => environments.get(id),
    consumer: (key) => consumers.find(noticeOf(key)),
    operatorToken: (hash) => unexpired(operatorTokens.find(hash)),
    operator: (id) => operators.get(id),
    drop,
    clear: () => {
      environments.clear();
      consumers.clear();
      operators.clear();
      tokens.clear();
      operatorTokens.clear();
      for (const callback of callbacks) callback(null);
    },
    onDrop: (callback) => {
      callbacks.push(callback);
    },
  };
}
