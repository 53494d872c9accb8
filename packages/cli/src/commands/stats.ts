import type { QueryOf } from '@postrider/client';
import { Command } from 'commander';
import { type Act, ENVIRONMENT_OPTION, examples } from '../action.ts';
import { environmentOf } from '../environment.ts';
import { fieldOption, fieldsIn, withFields } from '../field-options.ts';
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

interface StatsOptions {
  readonly environment?: string;
  readonly groupBy?: string;
}

/** `postrider stats`: what was accepted, delivered and failed over time. */
export function statsCommand(act: Act): Command {
  const command = new Command('stats')
    .description('show accepted, delivered and failed counts by hour or minute, with latencies')
    .option(...ENVIRONMENT_OPTION);
  withFields(command, QUERY).action(
    act(async (session, options: StatsOptions) => {
      const { environment, groupBy } = options;
      const query = fieldsIn<QueryOf<'getStats'>>(QUERY, options);
      const stats = await environmentOf(session, environment).stats(query, session.call);
      session.show(stats, ({ buckets, totals }, style) => {
        const rows =
          groupBy === undefined
            ? buckets
            : buckets.flatMap(({ start, groups = [] }) => groups.map((group) => ({ start, ...group })));
        const columns = groupBy === undefined ? ['start', ...FIGURES] : ['start', 'key', ...FIGURES];
        return table(columns, [...rows, { start: 'total', key: '', ...totals }], style);
      });
    }),
  );
  return examples(command, { 'postrider stats --group-by error_code': 'What failed today, and why?' });
}
