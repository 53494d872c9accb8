/** Places for what may be open at once. Who finds none waits for its turn. */
export interface Places {
  /** Waits for a place; false when the places were closed. */
  take(): Promise<boolean>;
  /** Gives back a place that was taken. */
  give(): void;
  free(): number;
  /** Ends the waiting: nobody gets a place any more. */
  close(): void;
}

/** Creates so many places, all of them free. They are given in the order in which they are asked for. */
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
