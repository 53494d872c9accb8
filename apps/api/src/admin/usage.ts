import { readUsageMonths } from '@postrider/db';
import { ok, refuse } from '../http/reply.ts';
import { count, limit, list, record, ref, type Schema } from '../openapi/schema.ts';
import { described, type Parameter } from '../paging/query.ts';
import { type AdminResource, withoutBody } from './operation.ts';
import { TENANTS } from './tenants.ts';

const DEFAULT_MONTHS = 12;
const MAX_MONTHS = 120;

const USAGE_SCHEMAS: Readonly<Record<string, Schema>> = {
  UsageMonth: record('The usage of a tenant in a calendar month.', {
    period_start: { type: 'string', format: 'date', description: 'The first day of the month, UTC.' },
    events_used: count('Events that were accepted.'),
    events_limit: limit('The monthly limit of the current plan. Earlier plans are not stored.'),
  }),
  UsageHistory: record('The usage of a tenant by month.', {
    items: list(ref('UsageMonth'), 'Newest first, including months without events.'),
  }),
};

const MONTHS: Parameter<number> = {
  parse: (text) => (/^\d{1,3}$/.test(text) && +text >= 1 && +text <= MAX_MONTHS ? +text : null),
  code: 'invalid_value',
  message: `must be a whole number from 1 to ${MAX_MONTHS}`,
};

const usage = withoutBody({
  path: '/admin/v1/tenants/{tenantId}/usage',
  operationId: 'getTenantUsage',
  scope: 'usage:read',
  summary: 'Read the usage of a tenant',
  description: 'The events of each calendar month, the current one first.',
  query: {
    months: described('How many months.', MONTHS, {
      type: 'integer',
      minimum: 1,
      maximum: MAX_MONTHS,
      default: DEFAULT_MONTHS,
    }),
  },
  success: {
    status: 200,
    schema: ref('UsageHistory'),
    example: { items: [{ period_start: '2026-11-01', events_used: 7_312, events_limit: 10_000 }] },
  },
  errors: ['validation_failed'],
  run: async (request, { db }) => {
    const { months = DEFAULT_MONTHS } = request.values;
    const used = await readUsageMonths(db, request.ids.tenantId, months);
    if (!used) return refuse('tenant_not_found');
    const items = used.months.map(({ periodStart, eventsUsed }) => ({
      period_start: periodStart.toISOString().slice(0, 10),
      events_used: eventsUsed,
      events_limit: used.limit,
    }));
    return ok({ items });
  },
});

export const USAGE: AdminResource = { tag: TENANTS.tag, schemas: USAGE_SCHEMAS, operations: [usage] };
