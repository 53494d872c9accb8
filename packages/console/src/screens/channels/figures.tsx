import { keys, lastDay, sumOf, useEnvironment } from '../../api/index.ts';
import { useRead } from '../../ui/display.ts';
import { formatLatency, formatNumber, formatShare, formatSuccessRate } from '../../ui/format.ts';
import { Figures } from '../../ui/parts.tsx';

/** The figures of one group in the last 24 hours. */
function useStatsOf(group: 'channel' | 'sender', name: string) {
  const { environmentId, scope } = useEnvironment();
  return useRead(keys.stats(environmentId, group), () => scope.stats({ ...lastDay(), group_by: group }), {
    select: ({ buckets }) =>
      sumOf(buckets.flatMap(({ groups }) => groups?.filter(({ key }) => key === name) ?? [])),
    rows: 1,
  });
}

/** The figures of a channel for the last 24 hours. */
export function ChannelFigures({ channelId }: { channelId: string }) {
  const [data, placeholder] = useStatsOf('channel', channelId);
  if (!data || placeholder) return placeholder;
  const { delivered, failed, attempts, latency_ms } = data;
  const items = [
    ['Delivered, 24 h', formatNumber(delivered)],
    ['Failed, 24 h', formatNumber(failed)],
    ['Success rate', formatSuccessRate({ delivered, failed })],
    ['Attempts', formatNumber(attempts)],
    ['Latency, p95', formatLatency(latency_ms?.p95)],
  ] as const;
  return <Figures label="The last 24 hours" items={items} />;
}

/** What a sender of an email channel delivered in the last 24 hours, and the shares that came back or were reported as spam. */
export function SenderFigures({ channelId, sender }: { channelId: string; sender: string }) {
  const [data, placeholder, { error }] = useStatsOf('sender', `${channelId}/${sender}`);
  if (error) return placeholder;
  if (!data) return <span className="muted">–</span>;
  const { delivered, bounced, complained } = data;
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
