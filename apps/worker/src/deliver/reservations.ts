import type { RunToDeliver } from '@postrider/db';
import { createFairGate, type GateKey, type LeaveGate, type Renderer } from '@postrider/rendering';
import { type ConcurrencyLimiter, createAimdLimits, type ReleaseSlot } from './concurrency-limiter.ts';

/**
 * Runs that are claimed and not rendered yet, for each render process: enough to keep it busy while others are
 * claimed, and so few that each is rendered well within its lease.
 */
const RENDERS_PER_PROCESS = 4;
/** Channels that wait for a render place; the sweeper brings back those that are refused. */
const MAX_WAITING_CHANNELS = { maxWaiting: 1_000, maxWaitingPerOwner: 250 };
/** From the place to the rendered content, the claim included; a sound template takes a few milliseconds. */
const SLOW_MS = 200;

/** What a run with a template needs before it is claimed, because a claim starts a lease. */
export interface RenderPlace {
  /** Gives the place back; calling it again does nothing. */
  readonly leave: LeaveGate;
  /** The run was rendered: gives the place back, and says how long that took. */
  readonly rendered: () => void;
}

export interface RenderPlaces {
  /** A place at once, or null when there is none or others wait for it. */
  tryEnter(key: GateKey): RenderPlace | null;
  /** Waits for a place; null when too many wait, no render process starts, or the caller gave up. */
  enter(key: GateKey, signal: AbortSignal): Promise<RenderPlace | null>;
}

/**
 * Shares the places between tenants and then between their channels. A tenant begins with one, has more while
 * its renders are fast, and one again while they are slow: what is claimed behind a slow template spends its lease
 * there. There are none until a render process has started.
 */
export function createRenderPlaces({
  renderer,
  processes,
  concurrency,
  nowMs = () => performance.now(),
}: {
  renderer: Pick<Renderer, 'isReady' | 'whenReady'>;
  processes: number;
  concurrency: number;
  nowMs?: () => number;
}): RenderPlaces {
  const places = Math.min(RENDERS_PER_PROCESS * processes, Math.max(2, Math.floor(concurrency / 2)));
  const limits = createAimdLimits(Math.max(1, Math.floor((places * (processes - 1)) / processes)), 1);
  const gate = createFairGate({
    places,
    placesOf: (tenantId) => Math.min(places - 1, limits.of(tenantId)),
    ...MAX_WAITING_CHANNELS,
  });

  function toPlace({ owner }: GateKey, leave: LeaveGate | null): RenderPlace | null {
    if (!leave) return null;
    const takenAt = nowMs();
    return {
      leave,
      rendered() {
        limits.adjust(owner, nowMs() - takenAt < SLOW_MS);
        leave();
      },
    };
  }

  return {
    tryEnter: (key) => toPlace(key, renderer.isReady() ? gate.tryEnter(key) : null),
    enter: async (key, signal) =>
      (await renderer.whenReady()) ? toPlace(key, await gate.enter(key, signal)) : null,
  };
}

/** The resources that a delivery reserves before its claim. */
export interface Reservation {
  /** Gives back all of it; calling it again does nothing. */
  readonly release: ReleaseSlot;
  /** Gives back the render place: to be called when the run was rendered. */
  readonly rendered: () => void;
}

type Reserved =
  | { readonly outcome: 'reserved'; readonly reservation: Reservation }
  | { readonly outcome: 'no_slot' | 'no_render_place' };

/** Reserves what a run needs before it is claimed: a slot, and a render place if it has a template. */
export interface Reservations {
  /** Acquires both or neither. A render place that was waited for is passed in. */
  tryAcquire(run: RunToDeliver, renderPlace?: RenderPlace): Reserved;
  /** Waits for a render place; null when too many wait, or `signal` was aborted. */
  waitForRenderPlace(run: RunToDeliver, signal: AbortSignal): Promise<RenderPlace | null>;
}

const keyOf = ({ renderedFor, channelId }: RunToDeliver) => ({
  owner: renderedFor ?? channelId,
  part: channelId,
});

/**
 * A claim opens an attempt and starts a lease, so anything that may have to be waited for is reserved before
 * it. Runs of a tenant that has all its render places wait without a slot and without a lease.
 */
export function createReservations(limiter: ConcurrencyLimiter, renderPlaces: RenderPlaces): Reservations {
  return {
    tryAcquire(run, renderPlace) {
      const isRendered = run.renderedFor !== null;
      const place = renderPlace ?? (isRendered ? renderPlaces.tryEnter(keyOf(run)) : null);
      if (isRendered && !place) return { outcome: 'no_render_place' };
      const releaseSlot = limiter.tryAcquire(run);
      if (!releaseSlot) {
        place?.leave();
        return { outcome: 'no_slot' };
      }
      const release: ReleaseSlot = (answered) => {
        place?.leave();
        releaseSlot(answered);
      };
      return { outcome: 'reserved', reservation: { release, rendered: () => place?.rendered() } };
    },
    waitForRenderPlace: (run, signal) => renderPlaces.enter(keyOf(run), signal),
  };
}
