/** A counting semaphore: limits what is open at the same time. Callers without a place wait. */
export interface Places {
  /** Waits for a place; false when the places were closed. */
  take(): Promise<boolean>;
  /** Releases a place. */
  give(): void;
  free(): number;
  /** Ends all waits: no place is given any more. */
  close(): void;
}

/** Creates `total` free places, given in the order of the calls to `take`. */
export function createPlaces(total: number): Places {
  const waiting: ((taken: boolean) => void)[] = [];
  let free = total;
  let isClosed = false;

  return {
    async take() {
      if (isClosed) return false;
      if (free === 0) return new Promise((resolve) => waiting.push(resolve));
      free -= 1;
      return true;
    },
    give() {
      const next = waiting.shift();
      if (next) next(true);
      else free += 1;
    },
    free: () => free,
    close() {
      isClosed = true;
      for (const refuse of waiting.splice(0)) refuse(false);
    },
  };
}
