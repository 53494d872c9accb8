import { isBarredFromDeliveries } from '@postrider/domain';
import { refuse } from '../http/reply.ts';
import type { Identified, Stage } from './stage.ts';

/** Stage 4: refuses what makes deliveries for a tenant that does not pay. */
export const enforcePaymentAccess: Stage<Identified, Identified> = (request) => {
  const { tenant, databaseNow } = request.snapshot;
  return request.traits.createsDeliveries && isBarredFromDeliveries(tenant, databaseNow())
    ? { reply: refuse('payment_required') }
    : { passed: request };
};
