import type { RunToDeliver } from '@postrider/db';
import type { FairGate, LeaveGate } from '@postrider/rendering';
import type { ReleaseSlot, Slots } from './slots.ts';

/** What a delivery holds from before its claim. */
export interface Reservation {
  /** Gives back all of it; calling it again does nothing. */
  readonly release: ReleaseSlot;
  /** Gives back the render place: to be called when rendering is over. */
  readonly rendered: () => void;
}

export type Reserved =
  | { readonly outcome: 'reserved'; readonly reservation: Reservation }
  | { readonly outcome: 'no_slot' | 'no_render_place' };

/** Reserves what a run needs before it is claimed: a slot, and a render place where it has a template. */
export interface Reservations {
  /** Takes both or neither. A render place that was waited for is handed in. */
  take(run: RunToDeliver, renderPlace?: LeaveGate): Reserved;
  /** Waits for a render place; null when too many wait, or the caller gave up. */
  waitForRenderPlace(run: RunToDeliver, signal: AbortSignal): Promise<LeaveGate | null>;
}

const keyOf = ({ renderedFor, channelId }: RunToDeliver) => ({
  owner: renderedFor ?? channelId,
  part: channelId,
});

/**
 * A claim opens an attempt and starts a lease, so whatever may have to be waited for is reserved before it.
 * Renders of a tenant that has all its places wait outside the claim, and hold neither a slot nor a lease.
 */
export function createReservations(slots: Slots, renderPlaces: FairGate): Reservations {
  return {
    take(run, renderPlace) {
      const isRendered = run.renderedFor !== null;
      const leave = renderPlace ?? (isRendered ? renderPlaces.tryEnter(keyOf(run)) : null);
      if (isRendered && !leave) return { outcome: 'no_render_place' };
      const rendered = () => leave?.();
      const releaseSlot = slots.take(run);
      if (!releaseSlot) {
        rendered();
        return { outcome: 'no_slot' };
      }
      const release: ReleaseSlot = (answered) => {
        rendered();
        releaseSlot(answered);
      };
      return { outcome: 'reserved', reservation: { release, rendered } };
    },
    waitForRenderPlace: (run, signal) => renderPlaces.enter(keyOf(run), signal),
  };
}
