import {
  readInEnvironments,
  readStats,
  STATS_GROUPS,
  STATS_INTERVALS,
  type StatsFigures,
  type StatsGroup,
  type StatsInterval,
} from '@postrider/db';
import {
  formatId,
  formatTime,
  invalid,
  invalidValue,
  type JsonObject,
  presentFields,
  reject,
} from '@postrider/domain';
import { MEMORY } from '../http/memory.ts';
import { EXAMPLE_IDS } from '../openapi/examples.ts';
import { returns } from '../openapi/operation.ts';
import * as json from '../openapi/schema.ts';
import { described, oneOf, TIME } from '../paging/query.ts';
import { type PublicResource, publicOperation, READ } from '../pipeline/operation.ts';

const INTERVALS = Object.keys(STATS_INTERVALS) as StatsInterval[];
/** The most buckets of a response. */
const MAX_BUCKETS = 1_500;
const DEFAULT_BUCKETS: Readonly<Record<StatsInterval, number>> = { minute: 60, hour: 24 };

const latency = (share: string) =>
  json.nullable(
    json.count(`${share} took at most this long, in milliseconds; null when longer than 15 minutes.`),
  );

const figures = {
  accepted: json.count('Accepted events. Always 0 in groups by channel, kind, sender or error code.'),
  delivered: json.count('Delivery runs that succeeded.'),
  failed: json.count('Delivery runs that failed permanently.'),
  attempts: json.count('Ended attempts, whatever their result.'),
  bounced: json.count('Emails whose bounce was reported, in the interval of the report.'),
  complained: json.count('Emails about which their recipient complained, in the interval of the report.'),
  latency_ms: json.nullable(
    json.titled(
      'Latency',
      json.record(
        'The time from the acceptance, or from the scheduled time, to the end of the first attempt.',
        {
          p50: latency('Half of them'),
          p95: latency('95 of 100'),
          p99: latency('99 of 100'),
        },
      ),
    ),
  ),
};

const STATS_SCHEMAS: json.Schemas = {
  StatsFigures: json.record('The counts. Test sends are not counted.', figures),
  StatsBucket: {
    ...json.record('The counts of an interval.', { start: json.time('When it begins.'), ...figures }),
    properties: {
      start: json.time('When it begins.'),
      ...figures,
      groups: json.list(
        json.record('A part of the interval.', {
          key: json.text(
            'A channel’s id or kind, a sender as `chn_…/name`, an event key, a stream or an error code.',
          ),
          ...figures,
        }),
        'The groups of the interval; only with `group_by`.',
      ),
    },
  },
  Stats: json.record('Statistics of an environment over time.', {
    interval: json.oneOf(INTERVALS, 'Of each bucket.'),
    from: json.time('The beginning of the first interval.'),
    to: json.time('The end of the last interval.'),
    buckets: json.list(json.ref('StatsBucket'), 'Intervals with counts, oldest first.'),
    totals: json.ref('StatsFigures'),
  }),
};

const FIGURES_EXAMPLE = {
  accepted: 1_204,
  delivered: 2_391,
  failed: 3,
  attempts: 2_420,
  bounced: 4,
  complained: 1,
  latency_ms: { p50: 60, p95: 300, p99: 2_250 },
};

const STATS_EXAMPLE = {
  interval: 'hour',
  from: '2026-11-20T10:00:00.000Z',
  to: '2026-11-21T10:00:00.000Z',
  buckets: [
    {
      start: '2026-11-21T09:00:00.000Z',
      ...FIGURES_EXAMPLE,
      groups: [{ key: EXAMPLE_IDS.webhookChannel, ...FIGURES_EXAMPLE, accepted: 0 }],
    },
  ],
  totals: FIGURES_EXAMPLE,
};

const presentFigures = ({ latency, ...of }: StatsFigures): JsonObject => ({
  ...presentFields(of, ['accepted', 'delivered', 'failed', 'attempts', 'bounced', 'complained']),
  latency_ms: latency && { ...latency },
});

/** The key of a group as shown. That of a channel or sender begins with the channel's UUID. */
function presentKey(key: string, group: StatsGroup): string {
  if (group !== 'channel' && group !== 'sender') return key;
  const [channelId = '', ...sender] = key.split('/');
  return [formatId('chn', channelId), ...sender].join('/');
}

interface Range {
  readonly interval: StatsInterval;
  readonly from: Date;
  readonly to: Date;
}

/** The range rounded to whole intervals; null if it is empty or too long. */
function rangeOf(
  asked: { readonly from: Date | undefined; readonly to: Date | undefined; readonly interval: StatsInterval },
  now: Date,
): Range | null {
  const { interval } = asked;
  const ms = STATS_INTERVALS[interval] * 1_000;
  const end = Math.ceil((asked.to ?? now).getTime() / ms) * ms;
  const start = asked.from
    ? Math.floor(asked.from.getTime() / ms) * ms
    : end - DEFAULT_BUCKETS[interval] * ms;
  const buckets = (end - start) / ms;
  return buckets > 0 && buckets <= MAX_BUCKETS
    ? { interval, from: new Date(start), to: new Date(end) }
    : null;
}

const rejectRange = (message: string): never => reject(invalid([invalidValue('/from', message)]));

const getStats = publicOperation({
  method: 'get',
  path: '/api/v1/stats',
  operationId: 'getStats',
  asOperator: 'getEnvironmentStats',
  // At most 2 MiB, but rarely: a larger reservation would keep the tenant's own events waiting behind slow figures.
  scope: 'usage:read',
  memory: MEMORY.rows,
  summary: 'Read statistics over time',
  description:
    'Accepted, delivered and failed counts by hour or minute, with latencies. The counts are exact and a few ' +
    'seconds behind. Minutes are kept for two days and hours for 400 days, even if the messages are ' +
    'removed or erased.',
  traits: READ,
  query: {
    from: described('The first interval contains this time. Default: 24 hours or 60 minutes ago.', TIME),
    to: described('The last interval ends at or after this time. Default: now.', TIME),
    interval: described(`The length of each bucket; at most ${MAX_BUCKETS} buckets.`, oneOf(INTERVALS), {
      type: 'string',
      enum: INTERVALS,
      default: 'hour',
    }),
    group_by: described(
      'Adds groups to each interval. `stream`: the current stream of the event key. `sender`: the sender of the ' +
        'email channel that sent the mail.',
      oneOf(STATS_GROUPS),
    ),
  },
  success: returns('Stats', STATS_EXAMPLE),
  run:
    ({ db }) =>
    async ({ values, snapshot }) => {
      const { from, to, interval = 'hour', group_by: groupBy } = values;
      const range =
        rangeOf({ from, to, interval }, snapshot.databaseNow()) ??
        rejectRange(`must be before to, and at most ${MAX_BUCKETS} intervals`);
      const environmentId = snapshot.environment.id;
      const found = await readInEnvironments(db, [environmentId], (tx) =>
        readStats(tx, { environmentId, ...range, groupBy: groupBy ?? null }),
      );
      const stats = found ?? rejectRange('covers too many figures: request a shorter range or no groups');
      return {
        interval,
        from: formatTime(range.from),
        to: formatTime(range.to),
        buckets: stats.buckets.map(({ start, groups, ...of }) => ({
          start: formatTime(start),
          ...presentFigures(of),
          ...(groupBy && {
            groups: groups.map(({ key, ...part }) => ({
              key: presentKey(key, groupBy),
              ...presentFigures(part),
            })),
          }),
        })),
        totals: presentFigures(stats.totals),
      };
    },
});

export const STATS: PublicResource = {
  tag: { name: 'Stats', description: 'Statistics of an environment over time.' },
  schemas: STATS_SCHEMAS,
  operations: [getStats],
};
