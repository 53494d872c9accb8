import { createFairGate, type GateKey, type LeaveGate } from '@postrider/rendering';

/** A content with more characters is large. An event without a template never has that many. */
export const LARGE_CHARACTERS = 288 * 1_024;
/**
 * Large contents that a worker sends at once, in total, per tenant and per channel: a slow receiver only blocks large
 * contents of its own channel. Each part of an email can have 2 million characters, so a hundred deliveries to slow
 * receivers would take a gigabyte.
 */
const PLACES = 8;
const PLACES_OF_TENANT = 2;
const PLACES_OF_CHANNEL = 1;
/** The queue never gets this long, because each waiting run holds a render place. */
const QUEUE = { maxWaiting: 1_000, maxWaitingPerOwner: 1_000 };

export interface Patience {
  readonly signal: AbortSignal;
  /** The longest wait for a place, in milliseconds. */
  readonly withinMs: number;
}

/** Limits the rendered large contents that a worker is sending. */
export interface LargeContents {
  /** Waits for a place if the content is large. Null if there was none in time, or if the signal was aborted. */
  enter(content: unknown, key: GateKey, patience: Patience): Promise<LeaveGate | null>;
}

/** The characters and bytes of a content. */
function charactersOf(content: unknown): number {
  if (typeof content === 'string' || Buffer.isBuffer(content)) return content.length;
  if (typeof content !== 'object' || content === null) return 0;
  return Object.values(content).reduce((sum, value) => sum + charactersOf(value), 0);
}

/** Creates the limit. Tenants take turns. */
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
