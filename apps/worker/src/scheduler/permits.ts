import type { ChannelFacts } from '@postrider/db';
import type { Slot, Slots } from '@postrider/fairness';
import type { RenderPermit, RenderPermits } from './render-permits.ts';

/** What a claim may use. All of it is released, or passed on with a run. */
export interface Permits {
  readonly slots: Slot[];
  readonly renders: RenderPermit[];
}

/** What is asked for. */
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
 * Creates the function that waits for the permits of a claim: at least a slot, and at least a render permit if `isRendered`.
 * Tenants take turns, and within a tenant its channels. Nothing is held while waiting, because a slot that waits for a render
 * permit, or the other way round, would keep others waiting. Null if too many channels wait, or `signal` aborts.
 */
export function createAcquirePermits(slots: Slots, renders: RenderPermits): AcquirePermits {
  return async ({ channel, most, isRendered }, signal) => {
    const { channelId: part, tenantId: owner, kind } = channel;
    const asked = { owner, part, kind };
    for (;;) {
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
    }
  };
}
