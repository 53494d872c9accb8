import {
  CircleCheck,
  CirclePause,
  Clock,
  FilePen,
  Gauge,
  KeyRound,
  ListOrdered,
  type LucideIcon,
  Radio,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Attention } from '../../api/contract.ts';
import { path } from '../../api/path.ts';
import { capitalised, formatDuration, formatNumber, formatPercent } from '../../ui/format.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { Card, Time } from '../../ui/parts.tsx';
import { Tag } from '../../ui/status.tsx';
import { HEALTH_REASONS } from '../channels/health.tsx';

/** A backlog older than this is a problem; a younger one is normal work. */
const BACKLOG_IS_OLD_MS = 60_000;

const EXPIRING_NAMES: Readonly<Record<string, string>> = {
  client_certificate: 'client certificate',
  webhook_signing_secret: 'previous signing secret',
  token: 'token',
};

const failuresOf = (count: number) =>
  count === 1 ? '1 failure' : `${formatNumber(count)} failures in a row`;

interface Item {
  readonly key: string;
  readonly icon: LucideIcon;
  readonly title: ReactNode;
  readonly about: ReactNode;
  readonly to: string;
  readonly search?: Record<string, string>;
  readonly action: string;
}

function itemsOf(attention: Attention, environmentId: string): Item[] {
  const base = path`/e/${environmentId}`;
  const {
    failing_channels: failing,
    paused_channels: paused,
    paused_streams: pausedStreams,
    blocked_channels: blocked,
    expiring,
    backlog,
    quota,
    render_failures: renders,
  } = attention;
  const items: Item[] = failing.map((channel) => ({
    key: channel.channel_id,
    icon: Radio,
    title: (
      <>
        {channel.name} <Tag tone="bad">{failuresOf(channel.consecutive_failures)}</Tag>
      </>
    ),
    about: (
      <>
        {channel.last_error_code && <code>{channel.last_error_code}</code>}
        {channel.failing_since && (
          <>
            {' since '}
            <Time at={channel.failing_since} />
          </>
        )}
      </>
    ),
    to: `${base}${path`/channels/${channel.channel_id}`}`,
    action: 'Open the channel',
  }));
  for (const channel of paused)
    items.push({
      key: `paused ${channel.channel_id}`,
      icon: CirclePause,
      title: (
        <>
          {channel.name} is paused{' '}
          <Tag tone="warn">
            {channel.waiting === 1 ? '1 delivery waits' : `${formatNumber(channel.waiting)} deliveries wait`}
          </Tag>
        </>
      ),
      about: (
        <>
          {channel.reason && capitalised(HEALTH_REASONS[channel.reason] ?? '')}
          {channel.failing_since && (
            <>
              {', since '}
              <Time at={channel.failing_since} />
            </>
          )}
          {channel.next_probe_at ? (
            <>
              {'. Tried again at '}
              <Time at={channel.next_probe_at} />
            </>
          ) : (
            '. It waits until someone resumes it.'
          )}
        </>
      ),
      to: `${base}${path`/channels/${channel.channel_id}`}`,
      action: 'Open the channel',
    });
  for (const { stream, paused_at, delivered, complained } of pausedStreams)
    items.push({
      key: `stream ${stream}`,
      icon: CirclePause,
      title: (
        <>
          The stream {stream} is paused <Tag tone="warn">{`${formatNumber(complained)} complaints`}</Tag>
        </>
      ),
      about: (
        <>
          {`Recipients complained about ${formatPercent(complained / Math.max(1, delivered))} of its email, since `}
          <Time at={paused_at} />. It waits until someone resumes it.
        </>
      ),
      to: `${base}/suppressions`,
      action: 'Show the stream',
    });
  for (const { channel_id: id, name, blocked_keys: keys } of blocked)
    items.push({
      key: `blocked ${id}`,
      icon: ListOrdered,
      title: (
        <>
          {name} has blocked ordering keys{' '}
          <Tag tone="warn">{keys === 1 ? '1 key' : `${formatNumber(keys)} keys`}</Tag>
        </>
      ),
      about: 'A delivery has failed permanently, and later ones wait. Retry or skip it.',
      to: `${base}${path`/channels/${id}`}`,
      action: 'Show the keys',
    });
  for (const { type, id, name, expires_at: endsAt } of expiring)
    items.push({
      key: `${type}/${id}`,
      icon: KeyRound,
      title: `The ${EXPIRING_NAMES[type] ?? type} of ${name} ends`,
      about: (
        <>
          {'At '}
          <Time at={endsAt} />
        </>
      ),
      to: type === 'token' ? `${base}/tokens` : `${base}${path`/channels/${id}`}`,
      action: type === 'token' ? 'Show the tokens' : 'Open the channel',
    });
  const age = backlog.oldest_due_at ? Date.now() - Date.parse(backlog.oldest_due_at) : 0;
  if (backlog.due > 0 && age > BACKLOG_IS_OLD_MS)
    items.push({
      key: 'backlog',
      icon: Clock,
      title: `${formatNumber(backlog.due)} deliveries are due`,
      about: `The oldest has waited for ${formatDuration(age)}. Check that workers run and that Redis responds.`,
      to: `${base}/messages`,
      search: { status: 'pending' },
      action: 'Show them',
    });
  if (quota && quota.ratio >= 0.8)
    items.push({
      key: 'quota',
      icon: Gauge,
      title: `${formatPercent(quota.ratio)} of the month’s events are used`,
      about: `${formatNumber(quota.used)} of ${formatNumber(quota.limit)}. At the limit no further events are accepted.`,
      to: `${base}/usage`,
      action: 'Show the usage',
    });
  if (renders.last_hour > 0)
    items.push({
      key: 'renders',
      icon: FilePen,
      title: `${formatNumber(renders.last_hour)} render failures in the last hour`,
      about: 'A template uses a value that the event does not have.',
      to: `${base}/messages`,
      search: { error_code: 'template_render_failed' },
      action: 'Show the messages',
    });
  return items;
}

/** What needs attention; a line if nothing does. */
export function AttentionList({
  attention,
  environmentId,
  title = 'Needs action',
}: {
  attention: Attention;
  environmentId: string;
  title?: string;
}) {
  const items = itemsOf(attention, environmentId);
  if (items.length === 0)
    return (
      <div className="notice notice-ok">
        <CircleCheck aria-hidden="true" />
        <span>
          Nothing needs action: no failing or paused channel, no paused stream, no blocked key, no old
          backlog, no quota near its limit.
        </span>
      </div>
    );
  return (
    <Card title={title} flush>
      <ul>
        {items.map(({ key, icon: Icon, title, about, to, search, action }) => (
          <li key={key} className="card-foot">
            <Icon className="icon" aria-hidden="true" />
            <div className="grow">
              <strong className="break">{title}</strong>
              <div className="muted break">{about}</div>
            </div>
            <ButtonLink to={to} search={search ?? {}} small>
              {action}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Card>
  );
}
