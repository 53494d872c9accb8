import { acceptance } from './acceptance.ts';
import { delivery } from './delivery.ts';
import type { Measure } from './measure.ts';

/** In the order in which they run. */
export const MEASURES: readonly Measure[] = [acceptance, delivery];
