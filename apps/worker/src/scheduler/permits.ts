import type { ChannelFacts } from '@postrider/db';
import { createFairSemaphore, type FairSemaphore, type Holder, type Permit } from '@postrider/fairness';
import type { Renderer } from '@postrider/rendering';

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

/** The tenant and the channel of a delivery. */
interface SlotAsk extends Holder {
  /** Id of the channel. */
  readonly part: string;
  /** Kind of the channel. */
  readonly kind: string;
}

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

export interface SlotsOptions {
  readonly total: number;
  /** The most slots of one channel, by its kind; all of them when left out. */
  readonly perKind?: Readonly<Record<string, number>>;
  /** A monotonic clock, in milliseconds. */
  readonly nowMs?: () => number;
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
 * because a hanging channel is slow only after seconds of each try; and a bound that sums up the held slots for each waiting
 * channel, which takes the thread when a thousand wait. The last rule is a line of its own for each class.
 */
export function createSlots({ total, perKind = {}, nowMs = () => performance.now() }: SlotsOptions): Slots {
  /** When each slot of a channel was acquired, the oldest first. */
  const held = new Map<string, Set<{ readonly acquiredAt: number }>>();
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
    const [oldest] = held.get(channelId) ?? [];
    return oldest !== undefined && nowMs() - oldest.acquiredAt > SLOW_DELIVERY_MS;
  }

  function heldBySlow(): number {
    let sum = 0;
    for (const [channelId, slots] of held) if (isSlow(channelId)) sum += slots.size;
    return sum;
  }

  function boundOf({ part, kind }: SlotAsk): number {
    if (isSlow(part) && heldBySlow() >= total / 2) return 0;
    return Math.min(semaphore.free(), perKind[kind] ?? total, limits.of(part));
  }

  /** `permits`: one of each line, in their order. */
  function toSlot({ part }: SlotAsk, permits: readonly Permit[]): Slot {
    const slot = { acquiredAt: nowMs() };
    const slots = held.get(part) ?? new Set();
    held.set(part, slots.add(slot));
    return {
      release(answered) {
        if (!slots.delete(slot)) return;
        if (slots.size === 0) held.delete(part);
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

/**
 * Claimed but not yet rendered runs per render process: enough to keep it busy while others are claimed, and few enough
 * that each is rendered well within its lease.
 */
const RENDERS_PER_PROCESS = 4;
/** Channels that wait for a render permit. A poll finds those that are refused. */
const MAX_WAITING_CHANNELS = { maxWaiting: 1_000, maxWaitingPerOwner: 250 };
/**
 * Time from getting the permit to the rendered content, including the claim. A good template takes a few milliseconds.
 */
const SLOW_RENDER_MS = 200;

/** A run with a template needs a permit before its claim, because the claim starts the lease. */
export interface RenderPermit {
  /** Releases the permit; calling it again does nothing. */
  readonly release: () => void;
  /** Releases the permit after rendering, and records how long that took. */
  readonly rendered: () => void;
}

export interface RenderPermits {
  /** As many permits as are free at once, at most `most`; none if others wait for them. */
  acquireUpTo(key: Holder, most: number): RenderPermit[];
  /** Waits for a permit; null if too many wait, no render process starts, or `signal` aborts. */
  acquire(key: Holder, signal: AbortSignal): Promise<RenderPermit | null>;
  waiting(): number;
}

/**
 * Shares the permits between tenants, and then between their channels. A tenant starts with one permit, gets more while
 * its renders are fast, and is reduced to one while they are slow, because runs that are claimed behind a slow template
 * spend their lease waiting. There are no permits until a render process has started.
 */
export function createRenderPermits({
  renderer,
  processes,
  concurrency,
  nowMs = () => performance.now(),
}: {
  renderer: Pick<Renderer, 'isReady' | 'whenReady'>;
  processes: number;
  concurrency: number;
  nowMs?: () => number;
}): RenderPermits {
  const permits = Math.min(RENDERS_PER_PROCESS * processes, Math.max(2, Math.floor(concurrency / 2)));
  const largest = Math.max(1, Math.floor((permits * (processes - 1)) / processes));
  const limits = createAimdLimits({ first: 1, largest });
  const semaphore = createFairSemaphore({
    total: permits,
    perOwner: (tenantId) => Math.min(permits - 1, limits.of(tenantId)),
    ...MAX_WAITING_CHANNELS,
  });

  function toRenderPermit({ owner }: Holder, permit: Permit): RenderPermit {
    const takenAt = nowMs();
    return {
      release: permit.release,
      rendered() {
        limits.adjust(owner, nowMs() - takenAt < SLOW_RENDER_MS);
        permit.release();
      },
    };
  }

  /** Whether a render process has started; false as soon as `signal` aborts. */
  function readyUnless(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = () => resolve(false);
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
      void renderer.whenReady().then((isReady) => {
        signal.removeEventListener('abort', giveUp);
        resolve(isReady);
      });
    });
  }

  return {
    acquireUpTo: (key, most) =>
      renderer.isReady() ? semaphore.acquireUpTo(key, most).map((permit) => toRenderPermit(key, permit)) : [],
    async acquire(key, signal) {
      const permit = (await readyUnless(signal)) ? await semaphore.acquire(key, signal) : null;
      return permit && toRenderPermit(key, permit);
    },
    waiting: semaphore.waiting,
  };
}

/** What a claim may use. All of it is released, or passed on with a run. */
export interface Permits {
  readonly slots: Slot[];
  readonly renders: RenderPermit[];
}

interface PermitAsk {
  readonly channel: ChannelFacts;
  /** The most runs. */
  readonly most: number;
  /** Whether the next run probably has a template. */
  readonly isRendered: boolean;
}

/** Waits for what a claim needs; null if too many channels wait, or `signal` aborts. */
export type AcquirePermits = (ask: PermitAsk, signal: AbortSignal) => Promise<Permits | null>;

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
 * Creates the function that waits for the permits of a claim: at least a slot, and at least a render permit if `isRendered`.
 * Tenants take turns, and within a tenant its channels. Nothing is held while waiting, because a slot that waits for a render
 * permit, or the other way round, would keep others waiting. But a channel that has had its turn in both lines, and found the other
 * permit taken, could go on like that without end. It then waits until it may keep its slot while it waits for the render permit. Null
 * if too many channels wait, or `signal` aborts.
 * @param slots of which none is held yet
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

  return async ({ channel, most, isRendered }, signal) => {
    const { channelId: part, tenantId: owner, kind } = channel;
    const asked = { owner, part, kind };
    const first = await slots.acquire(asked, signal);
    if (!first) return null;
    if (!isRendered) return { slots: [first, ...slots.acquireUpTo(asked, most - 1)], renders: [] };
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
