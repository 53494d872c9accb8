import { LRUCache } from '@postrider/domain';

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
const lifeBy = (monotonicNow: () => number) => ({
  ttl: SNAPSHOT_MAX_AGE_MS,
  ttlResolution: 0,
  perf: { now: monotonicNow },
});

interface Entry<Value> {
  readonly loading: Promise<Value>;
  /** Undefined until it is loaded. */
  value?: Value;
}

export interface Memo<Value> {
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
 * A cache of up to `max` loads, or of as many as fit, each kept for at most {@link SNAPSHOT_MAX_AGE_MS} from its start. A load that is dropped
 * while in flight still serves its current callers, but no later ones.
 * @param monotonicNow monotonic milliseconds
 */
export function createMemo<Value>(
  monotonicNow: () => number,
  max: number | Sized<Value>,
  load: (key: string) => Promise<Value>,
): Memo<Value> {
  const sized = typeof max === 'number' ? null : max;
  const entries = new LRUCache<string, Entry<Value>>({
    ...lifeBy(monotonicNow),
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

export interface Finder<Value> extends Pick<Memo<Value | null>, 'drop' | 'dropWhere' | 'clear'> {
  /** What belongs to the key, or null. */
  readonly find: (key: string) => Promise<Value | null>;
}

/** A {@link Memo} of what keys from outside may belong to. */
export function createFinder<Value>(monotonicNow: () => number, known: Memo<Value | null>): Finder<Value> {
  const unknown = new LRUCache<string, true>({ ...lifeBy(monotonicNow), max: MAX_UNKNOWN });
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

export interface SecretMemo<Value> extends Pick<Memo<Value | null>, 'dropWhere' | 'clear'> {
  /** What belongs to the secret with this SHA-256, or null. */
  readonly find: (hash: Uint8Array) => Promise<Value | null>;
  readonly forget: (hash: Uint8Array) => void;
}

/** A {@link Memo} of what belongs to secrets, such as tokens and cookies, by their hashes. */
export function createSecretMemo<Value>(
  monotonicNow: () => number,
  max: number,
  load: (hash: Uint8Array) => Promise<Value | null>,
): SecretMemo<Value> {
  const loadKey = (key: string) => load(Buffer.from(key, 'base64'));
  const { find, drop, dropWhere, clear } = createFinder(monotonicNow, createMemo(monotonicNow, max, loadKey));
  const keyOf = (hash: Uint8Array) => Buffer.from(hash).toString('base64');
  return {
    find: (hash) => find(keyOf(hash)),
    forget: (hash) => drop(keyOf(hash)),
    dropWhere,
    clear,
  };
}
