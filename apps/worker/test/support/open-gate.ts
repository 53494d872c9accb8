import type { RenderPermits } from '../../src/scheduler/permits.ts';
import { createRenderPermits } from '../../src/scheduler/render-permits.ts';

/** Permits to render in as many processes as there may be deliveries. */
export const openGate = (): RenderPermits =>
  createRenderPermits({
    renderer: { isReady: () => true, whenReady: async () => true },
    processes: 1_000,
    concurrency: 1_000,
  });
