import type { ChannelFacts } from '@postrider/db';
import { createFairSemaphore, type FairSemaphore, type Holder, type Permit } from '@postrider/fairness';

/** Keys whose limit is kept. The least recently adjusted one starts again at the first limit. */
const MAX_KEYS = 10_000;

/**
 * A limit per key, such as a channel, between 1 and `largest` by additive increase and multiplicative decrease. It
 * starts at `first`, grows by one with each success (so it doubles with every round trip) and is halved by a failure.
 */
export interface AimdLimits {
  of(key: string): number;
  adjust(key: string, succeeded: boolean): void;
}

/** Creates limits that nothing has adjusted yet. */
export function createAimdLimits({ first, largest }: { first: number; largest: number }): AimdLimits {
  /** The least recently adjusted one first. */
  const limits = new Map<string, number>();
  const of = (key: string) => limits.get(key) ?? first;
  return {
    of,
    adjust(key, succeeded) {
      const limit = succeeded ? Math.min(largest, of(key) + 1) : Math.max(1, Math.floor(of(key) / 2));
      limits.delete(key);
      limits.set(key, limit);
      if (limits.size <= MAX_KEYS) return;
      const [oldest = key] = limits.keys();
      limits.delete(oldest);
    },
  };
}

/** A channel with a delivery open for longer than this counts as slow. */
const SLOW_DELIVERY_MS = 3_000;
/** Open deliveries that a channel may have before its endpoint has responded for the first time. */
const FIRST_LIMIT = 2;
/** The share of all slots that failing channels hold, and that they and new channels hold together. */
const SHARES = { failing: 1 / 2, unproven: 3 / 4 } as const;
/** Asks that wait for a slot. A channel needs one. */
const QUEUE = { maxWaiting: 2_000, maxWaitingPerOwner: 500 };

/** The tenant and channel that hold a slot. */
export interface SlotAsk extends Holder {
  /** Id of the channel. */
  readonly part: string;
  /** Kind of the channel. */
  readonly kind: string;
}

/** Whose turn the work of a channel is. */
export const holderOf = ({ tenantId, channelId, kind }: ChannelFacts): SlotAsk => ({
  owner: tenantId,
  part: channelId,
  kind,
});

/** Permission for one open delivery. */
export interface Slot {
  /**
   * Releases the slot; calling it again does nothing. `answered` says whether the receiver responded; leave it out if
   * nothing was sent.
   */
  readonly release: (answered?: boolean) => void;
}

/** See {@link FairSemaphore} for who is next. */
export interface Slots extends Pick<FairSemaphore<SlotAsk>, 'canAcquire' | 'free' | 'onFree' | 'waiting'> {
  /** As many slots as the channel may have at once, at most `most`. */
  acquireUpTo(asked: SlotAsk, most: number): Slot[];
  /** Waits for a slot; null if too many wait, or `signal` aborts. */
  acquire(asked: SlotAsk, signal?: AbortSignal): Promise<Slot | null>;
}

/** The most slots of one channel, by its kind; all of them when left out. */
export type SlotsPerKind = Readonly<Partial<Record<string, number>>>;

export interface SlotsOptions {
  readonly total: number;
  readonly perKind?: SlotsPerKind;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicMs?: () => number;
}

/**
 * Shares the `total` slots of this process between channels, so that slow ones do not slow down the others
 * (docs/architecture.md, invariant 8). A channel gets another slot if all these rules allow it:
 * - it holds fewer than are free, so a busy channel gets at most half of them;
 * - it holds fewer than deliveries of its kind can run at once (`perKind`): one that waits inside the sender
 *   would spend its time limit there;
 * - it holds fewer than its AIMD limit, so an endpoint that hangs is down to one slot;
 * - if it is slow, slow channels together hold less than half of the slots;
 * - failing channels, whose last deliveries got no response, hold at most half of the slots, and with channels that have not
 *   responded yet at most three quarters. So those that respond always have the last quarter.
 *
 * Rejected: a fixed limit per channel, which wastes slots when one channel is busy; the first rule alone, with which eight
 * hanging channels took half, a quarter, an eighth … until nothing was left; the rule for slow channels without the last one,
 * because a hanging channel is slow only after seconds of each try; and a bound that sums up the taken slots for each waiting
 * channel, which takes the thread when a thousand wait. The last rule is a line of its own for each class.
 */
export function createSlots({
  total,
  perKind = {},
  monotonicMs = () => performance.now(),
}: SlotsOptions): Slots {
  /** When each slot of a channel was acquired, the oldest first. */
  const taken = new Map<string, Set<{ readonly acquiredAt: number }>>();
  const limits = createAimdLimits({ first: FIRST_LIMIT, largest: total });
  const semaphore = createFairSemaphore<SlotAsk>({ total, perOwner: total, perPart: boundOf, ...QUEUE });
  const lineFor = (share: number) => {
    const most = Math.ceil(total * share);
    // A channel at a bound of its own waits here, so that it holds no permit of its class meanwhile.
    return createFairSemaphore<SlotAsk>({ total: most, perOwner: most, perPart: boundOf, ...QUEUE });
  };
  const failing = lineFor(SHARES.failing);
  const unproven = lineFor(SHARES.unproven);
  // The bounds in these lines grow with each slot that becomes free, also with that of a channel of another class. Only channels
  // that hold a permit of a line wait in it while it is not full, so few are looked at.
  semaphore.onFree(() => {
    for (const line of [failing, unproven]) if (line.free() > 0) line.admitWaiting();
  });

  /** The lines through which a channel gets a slot, in the order in which all channels enter them. */
  function linesOf({ part }: SlotAsk): readonly FairSemaphore<SlotAsk>[] {
    const limit = limits.of(part);
    if (limit < FIRST_LIMIT) return [failing, unproven, semaphore];
    return limit === FIRST_LIMIT ? [unproven, semaphore] : [semaphore];
  }

  function isSlow(channelId: string): boolean {
    const [oldest] = taken.get(channelId) ?? [];
    return oldest !== undefined && monotonicMs() - oldest.acquiredAt > SLOW_DELIVERY_MS;
  }

  function takenBySlow(): number {
    let sum = 0;
    for (const [channelId, slots] of taken) if (isSlow(channelId)) sum += slots.size;
    return sum;
  }

  function boundOf({ part, kind }: SlotAsk): number {
    if (isSlow(part) && takenBySlow() >= total / 2) return 0;
    return Math.min(semaphore.free(), perKind[kind] ?? total, limits.of(part));
  }

  /** `permits`: one of each line, in their order. */
  function toSlot({ part }: SlotAsk, permits: readonly Permit[]): Slot {
    const slot = { acquiredAt: monotonicMs() };
    const slots = taken.get(part) ?? new Set();
    taken.set(part, slots.add(slot));
    return {
      release(answered) {
        if (!slots.delete(slot)) return;
        if (slots.size === 0) taken.delete(part);
        if (answered !== undefined) limits.adjust(part, answered);
        // The slot first: the bounds in the lines of its class depend on how many are free.
        for (const permit of permits.toReversed()) permit.release();
      },
    };
  }

  function acquireUpTo(asked: SlotAsk, most: number): Slot[] {
    const rows: Permit[][] = [];
    let count = most;
    for (const line of linesOf(asked)) {
      const row = line.acquireUpTo(asked, count);
      count = row.length;
      rows.push(row);
    }
    for (const row of rows) for (const surplus of row.splice(count)) surplus.release();
    return Array.from({ length: count }, (_, index) =>
      toSlot(
        asked,
        rows.flatMap((row) => row[index] ?? []),
      ),
    );
  }

  async function acquire(asked: SlotAsk, signal?: AbortSignal): Promise<Slot | null> {
    const permits: Permit[] = [];
    for (const line of linesOf(asked)) {
      const permit = await line.acquire(asked, signal);
      if (permit) permits.push(permit);
      else {
        for (const entered of permits) entered.release();
        return null;
      }
    }
    return toSlot(asked, permits);
  }

  return {
    acquireUpTo,
    acquire,
    canAcquire: (asked) => linesOf(asked).every((line) => line.canAcquire(asked)),
    free: semaphore.free,
    onFree: semaphore.onFree,
    waiting: () => failing.waiting() + unproven.waiting() + semaphore.waiting(),
  };
}

/** A run with a template needs a permit before its claim, because the claim starts the lease. */
export interface RenderPermit {
  /** Releases the permit; calling it again does nothing. */
  readonly release: () => void;
  /** Releases the permit after rendering, and records how long that took. */
  readonly rendered: () => void;
}

/** Limits how many runs may be claimed but not rendered, per tenant and in total. */
export interface RenderPermits {
  /** As many permits as are free at once, at most `most`; none if others wait for them. */
  acquireUpTo(key: Holder, most: number): RenderPermit[];
  /** Waits for a permit; null if too many wait, no render process starts, or `signal` aborts. */
  acquire(key: Holder, signal: AbortSignal): Promise<RenderPermit | null>;
  waiting(): number;
}

/** What a claim may use. All of it is released, or passed on with a run. */
export interface Permits {
  readonly slots: Slot[];
  readonly renders: RenderPermit[];
}

/** The permits of a claimed run, and the earliest start of its lease. */
export interface RunPermits {
  readonly slot: Slot;
  readonly render: RenderPermit | undefined;
  /** Monotonic time before the claim was requested: the lease starts with the claim, not with its response. */
  readonly askedAt: number;
}

/**
 * Waits for what a claim needs; null if too many channels wait, or `signal` aborts.
 * @param most the most runs
 * @param needsRender whether the next run probably has a template
 */
export type AcquirePermits = (
  asked: SlotAsk,
  claim: { readonly most: number; readonly needsRender: boolean },
  signal: AbortSignal,
) => Promise<Permits | null>;

/** Releases what a claim has not used. */
export function releasePermits({ slots, renders }: Permits): void {
  for (const slot of slots.splice(0)) slot.release();
  for (const render of renders.splice(0)) render.release();
}

/**
 * How many channels may keep their slot while they wait for a render permit, as a share of all slots, and how many of a tenant: its
 * renders may be slow, and its channels many.
 */
const PATIENT = { share: 1 / 8, perOwner: 1, maxWaiting: 2_000, maxWaitingPerOwner: 500 };

/**
 * Creates the function that waits for the permits of a claim: at least a slot, and at least a render permit if `needsRender`.
 * Tenants take turns, and within a tenant its channels. Nothing is held while waiting, because a slot that waits for a render
 * permit, or the other way round, would keep others waiting. But a channel that has had its turn in both lines, and found the other
 * permit taken, could go on like that without end. It then waits until it may keep its slot while it waits for the render permit. Null
 * if too many channels wait, or `signal` aborts.
 * @param slots none of them taken yet
 */
export function createAcquirePermits(slots: Slots, renders: RenderPermits): AcquirePermits {
  const patient = createFairSemaphore({
    ...PATIENT,
    total: Math.max(1, Math.floor(slots.free() * PATIENT.share)),
  });

  /** Keeps the slot while it waits. Nobody who has a render permit waits for a slot, so it gets one. */
  async function waitForBoth(asked: SlotAsk, signal: AbortSignal): Promise<Permits | null> {
    const slot = await slots.acquire(asked, signal);
    if (!slot) return null;
    const render = await renders.acquire(asked, signal);
    if (render) return { slots: [slot], renders: [render] };
    slot.release();
    return null;
  }

  return async (asked, { most, needsRender }, signal) => {
    const first = await slots.acquire(asked, signal);
    if (!first) return null;
    if (!needsRender) return { slots: [first, ...slots.acquireUpTo(asked, most - 1)], renders: [] };
    const entered = renders.acquireUpTo(asked, most);
    if (entered.length > 0) {
      return { slots: [first, ...slots.acquireUpTo(asked, entered.length - 1)], renders: entered };
    }
    first.release();
    const render = await renders.acquire(asked, signal);
    if (!render) return null;
    const [slot] = slots.acquireUpTo(asked, 1);
    if (slot) return { slots: [slot], renders: [render] };
    render.release();
    const turn = await patient.acquire(asked, signal);
    return turn && waitForBoth(asked, signal).finally(turn.release);
  };
}
