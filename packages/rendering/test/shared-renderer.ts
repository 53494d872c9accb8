import { createRenderer, type Renderer } from '@postrider/rendering';
import { atProcessEnd } from '@postrider/testing';

let shared: Renderer | undefined;

/**
 * Returns the renderer that the APIs and workers of this test process share, because each render process costs 0.2 s of
 * processor time or more. Its render processes end with this process, so `close` does nothing. Tests of rendering create
 * their own.
 */
export function openSharedRenderer(): Renderer {
  if (!shared) {
    const opened = createRenderer({ onError: (error) => process.stderr.write(`${error}\n`) });
    atProcessEnd(opened.close);
    shared = opened;
  }
  return { ...shared, close: async () => undefined };
}
