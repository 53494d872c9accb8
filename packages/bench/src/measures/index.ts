import { acceptance } from './acceptance.ts';
import { batches } from './batches.ts';
import { consumers } from './consumers.ts';
import { delivery } from './delivery.ts';
import { drain } from './drain.ts';
import { filters } from './filters.ts';
import { footprint } from './footprint.ts';
import { growth } from './growth.ts';
import { hotTenant } from './hot-tenant.ts';
import { latency } from './latency.ts';
import { lists } from './lists.ts';
import type { Measure } from './measure.ts';
import { floors } from './parts.ts';
import { processor } from './processor.ts';
import { retention } from './retention.ts';
import { rowSecurity } from './row-security.ts';
import { rows } from './rows.ts';
import { scaleOut } from './scale-out.ts';
import { scheduled } from './scheduled.ts';
import { senders } from './senders.ts';

/** In the order in which they run. */
export const MEASURES: readonly Measure[] = [
  floors,
  acceptance,
  batches,
  delivery,
  senders,
  latency,
  scheduled,
  scaleOut,
  processor,
  rows,
  footprint,
  hotTenant,
  growth,
  lists,
  retention,
  rowSecurity,
  filters,
  consumers,
  drain,
];
