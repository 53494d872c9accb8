import { createFairGate, type GateKey, type LeaveGate } from '@postrider/rendering';

/** Characters from which content is large: more than an event without a template makes. */
export const LARGE_CHARACTERS = 288 * 1_024;
/**
 * Large contents that a worker sends at once, of one tenant, and of one channel: a slow receiver holds up large contents
 * of its own channel only. Each of an email's parts can have 2 million characters, so a hundred deliveries to slow
 * receivers would take a gigabyte.
 */
const PLACES = 8;
const PLACES_OF_TENANT = 2;
const PLACES_OF_CHANNEL = 1;
/** Each waiter holds a render place, so the queue never gets this long. */
const QUEUE = { maxWaiting: 1_000, maxWaitingPerOwner: 1_000 };

export interface Patience {
  readonly signal: AbortSignal;
  /** In milliseconds. */
  readonly withinMs: number;
}

/** Bounds the rendered contents of a worker that wait to be sent. */
export interface LargeContents {
  /** Waits for a place if the content is large; null when there was none in time, or the signal was aborted before. */
  enter(content: unknown, key: GateKey, patience: Patience): Promise<LeaveGate | null>;
}

/** The characters of a content's texts, and its bytes. */
function charactersOf(content: unknown): number {
  if (typeof content === 'string' || Buffer.isBuffer(content)) return content.length;
  if (typeof content !== 'object' || content === null) return 0;
  return Object.values(content).reduce((sum, value) => sum + charactersOf(value), 0);
}

/** Shares the places between tenants in turns. */
export function createLargeContents(): LargeContents {
  const perTenant = createFairGate({ places: PLACES, placesOf: () => PLACES_OF_TENANT, ...QUEUE });
  const perChannel = createFairGate({ places: Infinity, placesOf: () => PLACES_OF_CHANNEL, ...QUEUE });

  async function enterBoth(key: GateKey, signal: AbortSignal): Promise<LeaveGate | null> {
    const leaveChannel = await perChannel.enter({ owner: key.part, part: key.part }, signal);
    if (!leaveChannel) return null;
    const leaveTenant = await perTenant.enter(key, signal);
    if (!leaveTenant) {
      leaveChannel();
      return null;
    }
    return () => {
      leaveTenant();
      leaveChannel();
    };
  }

  return {
    async enter(content, key, { signal, withinMs }) {
      if (charactersOf(content) < LARGE_CHARACTERS) return () => undefined;
      const waiting = new AbortController();
      const giveUp = () => waiting.abort();
      const timer = setTimeout(giveUp, Math.max(0, withinMs));
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
      try {
        return await enterBoth(key, waiting.signal);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
      }
    },
  };
}
