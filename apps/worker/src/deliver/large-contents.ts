import { createFairSemaphore, type Holder } from '@postrider/fairness';

/** A content with more characters is large. An event without a template never has that many. */
export const LARGE_CHARACTERS = 288 * 1_024;
/**
 * Large contents that a worker sends at once, in total, per tenant and per channel: a slow receiver only blocks large
 * contents of its own channel. Each part of an email can have 2 million characters, so a hundred deliveries to slow
 * receivers would take a gigabyte.
 */
const PLACES = {
  total: 8,
  perOwner: 2,
  perPart: 1,
  // The queue never gets this long, because each waiting run holds a render place.
  maxWaiting: 1_000,
  maxWaitingPerOwner: 1_000,
};

interface Patience {
  readonly signal: AbortSignal;
  /** The longest wait for a place, in milliseconds. */
  readonly withinMs: number;
}

/** Limits the rendered large contents that a worker is sending. */
export interface LargeContents {
  /** Waits for a place if the content is large. Null if there was none in time, or if the signal was aborted. */
  enter(content: unknown, channel: Holder, patience: Patience): Promise<(() => void) | null>;
}

/** The characters and bytes of a content. */
function charactersOf(content: unknown): number {
  if (typeof content === 'string' || Buffer.isBuffer(content)) return content.length;
  if (typeof content !== 'object' || content === null) return 0;
  return Object.values(content).reduce((sum, value) => sum + charactersOf(value), 0);
}

/** Creates the limit. Tenants take turns. */
export function createLargeContents(): LargeContents {
  const places = createFairSemaphore(PLACES);
  return {
    async enter(content, channel, { signal, withinMs }) {
      if (charactersOf(content) < LARGE_CHARACTERS) return () => undefined;
      const waiting = new AbortController();
      const giveUp = () => waiting.abort();
      const timer = setTimeout(giveUp, Math.max(0, withinMs));
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
      try {
        return (await places.acquire(channel, waiting.signal))?.release ?? null;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
      }
    },
  };
}
