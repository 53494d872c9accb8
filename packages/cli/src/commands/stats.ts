import { Command } from 'commander';
import { type Act, ENVIRONMENT_OPTION, examples } from '../action.ts';
import { table } from '../output/table.ts';
import { given } from '../values.ts';

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

interface StatsOptions {
  readonly environment?: string;
  readonly from?: string;
  readonly to?: string;
  readonly interval?: 'hour' | 'minute';
  readonly groupBy?: 'channel' | 'channel_kind' | 'sender' | 'event_key' | 'stream' | 'error_code';
}

/** `postrider stats`: what was accepted, delivered and failed over time. */
export function statsCommand(act: Act): Command {
  const command = new Command('stats')
    .description('show accepted, delivered and failed counts by hour or minute, with latencies')
    .option(...ENVIRONMENT_OPTION)
    .option('--from <time>', 'RFC 3339; by default a day ago')
    .option('--to <time>', 'RFC 3339; by default now')
    .option('--interval <interval>', 'hour or minute')
    .option('--group-by <part>', 'channel, channel_kind, sender, event_key, stream or error_code')
    .action(
      act(async (session, { environment, groupBy, ...rest }: StatsOptions) => {
        const query = given({ ...rest, group_by: groupBy });
        const stats =
          environment === undefined
            ? await session.postrider().stats(query, session.call)
            : await session.admin().environments.stats(environment, query, session.call);
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
