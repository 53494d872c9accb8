import { createFairGate, type FairGate } from '@postrider/rendering';

/** A gate at which nobody waits, unless a test gives it few places. */
export const openGate = (places = 1_000, placesPerOwner = 1_000): FairGate =>
  createFairGate({ places, placesPerOwner, maxWaiting: 1_000, maxWaitingPerOwner: 1_000 });

/** A run of a channel that needs no rendering. */
export const runOf = (channelId: string, runId: string) => ({
  runId,
  environmentId: 'any',
  channelId,
  kind: 'webhook' as const,
  renderedFor: null,
});
