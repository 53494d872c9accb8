import { randomFillSync } from 'node:crypto';

/** Gives `size` random bytes. */
export type RandomBytes = (size: number) => Uint8Array;

const STORE_BYTES = 4_096;

/**
 * Creates a source of small pieces from a store that is filled 4 KiB at a time: a piece costs a tenth of asking for
 * bytes. A piece has 4 KiB at most. For ids, not for secrets, because the store keeps what was given. A piece is valid until the next call.
 */
export function createStoredRandomBytes(): (size: number) => Buffer {
  const store = Buffer.alloc(STORE_BYTES);
  let next = STORE_BYTES;
  return (size) => {
    if (next + size > STORE_BYTES) {
      randomFillSync(store);
      next = 0;
    }
    next += size;
    return store.subarray(next - size, next);
  };
}
