import type { RunToDeliver } from '@postrider/db';
import type { RenderPlace, RenderPlaces } from './render-places.ts';
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
  take(run: RunToDeliver, renderPlace?: RenderPlace): Reserved;
  /** Waits for a render place; null when too many wait, or the caller gave up. */
  waitForRenderPlace(run: RunToDeliver, signal: AbortSignal): Promise<RenderPlace | null>;
}

const keyOf = ({ renderedFor, channelId }: RunToDeliver) => ({
  owner: renderedFor ?? channelId,
  part: channelId,
});

/**
 * A claim opens an attempt and starts a lease, so whatever may have to be waited for is reserved before it.
 * Renders of a tenant that has all its places wait outside the claim, and hold neither a slot nor a lease.
 */
export function createReservations(slots: Slots, renderPlaces: RenderPlaces): Reservations {
  return {
    take(run, renderPlace) {
      const isRendered = run.renderedFor !== null;
      const place = renderPlace ?? (isRendered ? renderPlaces.tryEnter(keyOf(run)) : null);
      if (isRendered && !place) return { outcome: 'no_render_place' };
      const releaseSlot = slots.take(run);
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
