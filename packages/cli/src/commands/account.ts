import type { QueryOf } from '@postrider/client';
import type { SessionCommand } from '../command.ts';
import { fieldOption, fieldsIn } from '../field-options.ts';
import { table } from '../output/table.ts';

const FIGURES = [
  'accepted',
  'delivered',
  'failed',
  'attempts',
  'bounced',
  'complained',
  'latency_ms.p50',
  'latency_ms.p95',
  'latency_ms.p99',
];

const QUERY = [
  fieldOption('--from <time>', 'RFC 3339; by default a day ago'),
  fieldOption('--to <time>', 'RFC 3339; by default now'),
  fieldOption('--interval <interval>', 'hour or minute'),
  fieldOption('--group-by <part>', 'channel, channel_kind, sender, event_key, stream or error_code'),
];

/** `postrider usage`, `limits` and `stats`: the account of an environment, and what was accepted, delivered and failed over time. */
export function addAccount(program: SessionCommand): void {
  program
    .add('usage', 'show the tenant’s usage in this calendar month')
    .shows((session) => session.postrider().usage(session.call));
  program
    .add('limits', 'show the limits of the tenant’s plan')
    .shows((session) => session.postrider().limits(session.call));
  program
    .add('stats', 'show accepted, delivered and failed counts by hour or minute, with latencies')
    .inEnvironment()
    .addFields(QUERY)
    .examples({ 'postrider stats --group-by error_code': 'What failed today, and why?' })
    .runs(async (session, options: { readonly groupBy?: string }) => {
      const query = fieldsIn<QueryOf<'getStats'>>(QUERY, options);
      const stats = await session.environment().stats(query, session.call);
      session.show(stats, ({ buckets, totals }, style) => {
        const isWhole = options.groupBy === undefined;
        const rows = isWhole
          ? buckets
          : buckets.flatMap(({ start, groups = [] }) => groups.map((group) => ({ start, ...group })));
        const columns = ['start', ...(isWhole ? [] : ['key']), ...FIGURES];
        return table(columns, [...rows, { start: 'total', key: '', ...totals }], style);
      });
    });
}
