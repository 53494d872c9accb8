import type { ServerResponse } from 'node:http';
import { reject, retryLater } from '@postrider/domain';
import type { Holder } from '@postrider/fairness';
import type { ListenerRelay, RelayedDelivery } from '@postrider/queue';
import { jsonBytes, STOPPING } from '../http/reply.ts';
import { mayContinue } from '../pipeline/stage.ts';

/** Times in milliseconds, and numbers of waiting requests. */
interface ListenerBounds {
  /** The time between two looks for deliveries of a channel, which its requests share. */
  readonly pollEveryMs: number;
  readonly total: number;
  readonly perOwner: number;
}

const BOUNDS: ListenerBounds = { pollEveryMs: 200, total: 64, perOwner: 20 };

const FULL = retryLater('service_unavailable', 5, 'Too many listeners are connected: try again later.');

interface Waiting {
  readonly channelId: string;
  readonly owner: string;
  readonly present: (delivery: RelayedDelivery | null) => unknown;
  /** @throws RefusedError if the caller lost its access */
  readonly findCaller: () => Promise<unknown>;
  readonly res: ServerResponse;
  readonly until: number;
}

export interface Listeners extends Pick<ListenerRelay, 'answer'> {
  /**
   * Waits for the next delivery of a channel, at most for `waitMs`. The response is what `present` makes of it; of null if there is
   * none.
   * @throws RefusedError
   */
  open(
    ask: Omit<Waiting, 'res' | 'until' | 'owner'> & { readonly waitMs: number; readonly holder: Holder },
  ): (res: ServerResponse) => void;
}

/**
 * Creates the waiting requests of listeners in a process. Each is one delivery: a listener asks again after each response. A request
 * ends early when the process stops or its caller loses access, and with none while Redis is away.
 */
export function createListeners({
  relay,
  monotonicMs,
  isStopping,
  bounds = BOUNDS,
}: {
  readonly relay: ListenerRelay;
  readonly monotonicMs: () => number;
  readonly isStopping: () => boolean;
  readonly bounds?: ListenerBounds;
}): Listeners {
  const open = new Set<Waiting>();
  let timer: NodeJS.Timeout | null = null;
  let isLooking = false;

  function leave(waiting: Waiting): boolean {
    const was = open.delete(waiting);
    if (open.size === 0 && timer !== null) {
      clearInterval(timer);
      timer = null;
    }
    return was;
  }

  /** Ends the request, unless its client has gone. */
  function end(waiting: Waiting, delivery: RelayedDelivery | null): boolean {
    if (!leave(waiting)) return false;
    waiting.res.end(jsonBytes(waiting.present(delivery)));
    return true;
  }

  /** Gives the deliveries of a channel to its requests, one each. */
  async function look(channelId: string): Promise<void> {
    const asking = [...open].filter((each) => each.channelId === channelId);
    const allowed = await Promise.all(
      asking.map((waiting) => mayContinue(waiting, () => end(waiting, null))),
    );
    for (const [index, waiting] of asking.entries()) {
      if (!allowed[index] || !open.has(waiting)) continue;
      const delivery = await relay.take(channelId);
      if (delivery === null) return;
      if (!end(waiting, delivery)) await relay.putBack(channelId, delivery);
    }
  }

  async function tick(): Promise<void> {
    const now = monotonicMs();
    for (const waiting of open) if (isStopping() || now >= waiting.until) end(waiting, null);
    if (isLooking) return;
    isLooking = true;
    // What is lost with Redis is tried again by the worker.
    await Promise.allSettled([...new Set([...open].map(({ channelId }) => channelId))].map(look));
    isLooking = false;
  }

  /**
   * Makes room for one more request of a tenant: ends the oldest of the tenant that has most, if that has more than this one would
   * have. Its listener asks again.
   */
  function makesRoom(ofOwner: number): boolean {
    const counts = new Map<string, number>();
    for (const { owner } of open) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const oldest = [...open].find(({ owner }) => counts.get(owner) === most);
    return oldest !== undefined && most > ofOwner + 1 && end(oldest, null);
  }

  return {
    open({ waitMs, holder: { owner }, ...ask }) {
      const ofOwner = [...open].filter((each) => each.owner === owner).length;
      if (isStopping()) reject(STOPPING);
      if (ofOwner >= bounds.perOwner || (open.size >= bounds.total && !makesRoom(ofOwner))) reject(FULL);
      return (res) => {
        if (res.closed || res.destroyed) return;
        const waiting = { ...ask, owner, res, until: monotonicMs() + waitMs };
        open.add(waiting);
        res.once('close', () => leave(waiting));
        timer ??= setInterval(() => void tick(), bounds.pollEveryMs).unref();
        void tick();
      };
    },
    answer: relay.answer,
  };
}
