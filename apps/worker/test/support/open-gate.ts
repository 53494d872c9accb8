import { createRenderPlaces, type RenderPlaces } from '../../src/deliver/reservations.ts';

/** Places for rendering in as many processes as there may be deliveries. */
export const openGate = (): RenderPlaces =>
  createRenderPlaces({
    renderer: { isReady: () => true, whenReady: async () => true },
    processes: 1_000,
    concurrency: 1_000,
  });

/** A run of a channel that needs no rendering. */
export const runOf = (channelId: string, runId: string) => ({
  runId,
  environmentId: 'any',
  channelId,
  kind: 'webhook' as const,
  renderedFor: null,
});
