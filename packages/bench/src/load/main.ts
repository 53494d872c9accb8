import { serve } from '../processes/serve.ts';
import { runClosedLoad } from './closed.ts';
import { runOpenLoad } from './open.ts';

const handlers = { closed: runClosedLoad, open: runOpenLoad };

/** What the load generator can be asked for. */
export type LoadGenerator = typeof handlers;

serve(handlers);
