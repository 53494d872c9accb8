import { useQuery } from '@tanstack/react-query';
import type { Counters } from '../../api/contract.ts';
import { keys } from '../../api/keys.ts';
import { lastDay } from '../../api/scope.ts';
import { useEnvironment } from '../../app/environment.tsx';
import { ErrorNotice } from '../../ui/feedback.tsx';
import { formatLatency, formatNumber, formatShare, formatSuccessRate } from '../../ui/format.ts';
import { Figures, Loading } from '../../ui/parts.tsx';

/** Sums the figures of one group over the buckets of an answer. Percentiles are the highest of all hours. */
function sumOf(
  buckets: readonly { readonly groups?: readonly (Counters & { key: string })[] }[],
  group: string,
) {
  const mine = buckets.flatMap(({ groups }) => groups?.filter(({ key }) => key === group) ?? []);
  const sum = (name: Exclude<keyof Counters, 'latency_ms'>) =>
    mine.reduce((all, each) => all + each[name], 0);
  const p95 = Math.max(...mine.map(({ latency_ms }) => latency_ms?.p95 ?? -1), -1);
  return {
    delivered: sum('delivered'),
    failed: sum('failed'),
    attempts: sum('attempts'),
    bounced: sum('bounced'),
    complained: sum('complained'),
    p95: p95 < 0 ? null : p95,
  };
}

function useStatsBy(group: 'channel' | 'sender') {
  const { environmentId, scope } = useEnvironment();
  return useQuery({
    queryKey: keys.stats(environmentId, group),
    queryFn: () => scope.stats({ ...lastDay(), group_by: group }),
  });
}

/** The figures of a channel for the last 24 hours. */
export function ChannelFigures({ channelId }: { channelId: string }) {
  const { data, error } = useStatsBy('channel');
  if (error) return <ErrorNotice error={error} />;
  if (!data) return <Loading rows={1} />;
  const { delivered, failed, attempts, p95 } = sumOf(data.buckets, channelId);
  const items = [
    ['Delivered, 24 h', formatNumber(delivered)],
    ['Failed, 24 h', formatNumber(failed)],
    ['Success rate', formatSuccessRate({ delivered, failed })],
    ['Attempts', formatNumber(attempts)],
    ['Latency, p95', formatLatency(p95)],
  ] as const;
  return <Figures label="The last 24 hours" items={items} />;
}

/** What a sender of an email channel delivered in the last 24 hours, and the shares that came back or were reported as spam. */
export function SenderFigures({ channelId, sender }: { channelId: string; sender: string }) {
  const { data, error } = useStatsBy('sender');
  if (error) return <ErrorNotice error={error} />;
  if (!data) return <span className="muted">–</span>;
  const { delivered, bounced, complained } = sumOf(data.buckets, `${channelId}/${sender}`);
  const withShare = (count: number) =>
    delivered === 0 ? formatNumber(count) : `${formatNumber(count)} (${formatShare(count / delivered)})`;
  return (
    <div className="stack-tight">
      {`${formatNumber(delivered)} delivered`}
      <span className="small muted">
        {`bounced: ${withShare(bounced)}, complaints: ${withShare(complained)}`}
      </span>
    </div>
  );
}
