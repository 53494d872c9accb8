import { type Database, type DeliveryCounts, readUsage, type UsageRecord } from '@postrider/db';
import { formatId, formatTime } from '@postrider/domain';
import type { Operation } from '../http/protected-route.ts';
import { ok } from '../http/reply.ts';
import { READ } from '../pipeline/traits.ts';

function presentCounts({ succeeded, failed, cancelled, pending }: DeliveryCounts) {
  return { succeeded, failed, cancelled, pending };
}

function presentUsage(tenantId: string, { period, events, deliveries, environments }: UsageRecord) {
  const { used, limit } = events;
  return {
    tenant_id: formatId('ten', tenantId),
    period: { start: formatTime(period.start), end: formatTime(period.end) },
    events: { used, limit, remaining: limit === null ? null : Math.max(0, limit - used) },
    deliveries: {
      ...presentCounts(deliveries),
      by_channel_kind: {
        email: presentCounts(deliveries.byChannelKind.email),
        webhook: presentCounts(deliveries.byChannelKind.webhook),
      },
    },
    environments: environments.map(({ id, name, eventsUsed }) => ({
      id: formatId('env', id),
      name,
      events_used: eventsUsed,
    })),
  };
}

/** GET /api/v1/usage/current: what the tenant used in the current calendar month, UTC. */
export function getUsage({ db }: { db: Database }): Operation {
  return {
    method: 'GET',
    path: '/api/v1/usage/current',
    traits: READ,
    run: async ({ snapshot }) =>
      ok(presentUsage(snapshot.tenant.id, await readUsage(db, snapshot.tenant.id))),
  };
}
