import { createRenderPlaces, type RenderPlaces } from '../../src/scheduler/render-places.ts';

/** Places for rendering in as many processes as there may be deliveries. */
export const openGate = (): RenderPlaces =>
  createRenderPlaces({
    renderer: { isReady: () => true, whenReady: async () => true },
    processes: 1_000,
    concurrency: 1_000,
  });
