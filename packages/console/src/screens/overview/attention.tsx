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
import { type Attention, path } from '../../api/index.ts';
import { ButtonLink, Tag, type Tone } from '../../ui/display.ts';
import { capitalised, formatDuration, formatNumber, formatPercent } from '../../ui/format.ts';
import { Card, TextWithTime, Time } from '../../ui/parts.tsx';
import { HEALTH_REASONS } from '../channels/health.tsx';

/** A backlog older than this is a problem; a younger one is normal work. */
const BACKLOG_IS_OLD_MS = 60_000;

const EXPIRING_NAMES: Readonly<Record<string, string>> = {
  client_certificate: 'client certificate',
  webhook_signing_secret: 'previous signing secret',
  token: 'token',
};

const counted = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${formatNumber(count)} ${many}`;

interface Item {
  readonly key: string;
  readonly icon: LucideIcon;
  readonly title: string;
  /** The amount, such as a number of runs. */
  readonly tag?: string;
  /** The tone of the tag; `warn` by default. */
  readonly tone?: Tone;
  readonly about: ReactNode;
  readonly to: string;
  readonly search?: Record<string, string>;
  readonly action: string;
}

function itemsOf(attention: Attention, environmentId: string): Item[] {
  const base = path`/e/${environmentId}`;
  const toChannel = (id: string, action = 'Open the channel') => ({
    to: `${base}${path`/channels/${id}`}`,
    action,
  });
  const { backlog, quota, render_failures: renders } = attention;
  const age = backlog.oldest_due_at ? Date.now() - Date.parse(backlog.oldest_due_at) : 0;
  const items: (Item | false | null)[] = [
    ...attention.failing_channels.map(({ channel_id: id, name, ...channel }) => ({
      key: id,
      icon: Radio,
      title: name,
      tone: 'bad',
      tag: counted(channel.consecutive_failures, 'failure', 'failures in a row'),
      about: (
        <>
          {channel.last_error_code && <code>{channel.last_error_code}</code>}
          <TextWithTime text=" since " at={channel.failing_since} />
        </>
      ),
      ...toChannel(id),
    })),
    ...attention.paused_channels.map(({ channel_id: id, name, ...channel }) => ({
      key: `paused ${id}`,
      icon: CirclePause,
      title: `${name} is paused`,
      tag: counted(channel.waiting, 'delivery waits', 'deliveries wait'),
      about: (
        <>
          {channel.reason && capitalised(HEALTH_REASONS[channel.reason] ?? '')}
          <TextWithTime text=", since " at={channel.failing_since} />
          <TextWithTime text=". Tried again at " at={channel.next_probe_at} />
          {!channel.next_probe_at && '. It waits until someone resumes it.'}
        </>
      ),
      ...toChannel(id),
    })),
    ...attention.paused_streams.map(({ stream, paused_at, delivered, complained }) => ({
      key: `stream ${stream}`,
      icon: CirclePause,
      title: `The stream ${stream} is paused`,
      tag: `${formatNumber(complained)} complaints`,
      about: (
        <>
          {`Recipients complained about ${formatPercent(complained / Math.max(1, delivered))} of its email, since `}
          <Time at={paused_at} />. It waits until someone resumes it.
        </>
      ),
      to: `${base}/suppressions`,
      action: 'Show the stream',
    })),
    ...attention.blocked_channels.map(({ channel_id: id, name, blocked_keys: keys }) => ({
      key: `blocked ${id}`,
      icon: ListOrdered,
      title: `${name} has blocked ordering keys`,
      tag: counted(keys, 'key', 'keys'),
      about: 'A delivery has failed permanently, and later ones wait. Retry or skip it.',
      ...toChannel(id, 'Show the keys'),
    })),
    ...attention.expiring.map(({ type, id, name, expires_at: endsAt }) => ({
      key: `${type}/${id}`,
      icon: KeyRound,
      title: `The ${EXPIRING_NAMES[type] ?? type} of ${name} ends`,
      about: <TextWithTime text="At " at={endsAt} />,
      ...(type === 'token' ? { to: `${base}/tokens`, action: 'Show the tokens' } : toChannel(id)),
    })),
    backlog.due > 0 &&
      age > BACKLOG_IS_OLD_MS && {
        key: 'backlog',
        icon: Clock,
        title: `${formatNumber(backlog.due)} deliveries are due`,
        about: `The oldest has waited for ${formatDuration(age)}. Check that workers are running and Redis responds.`,
        to: `${base}/messages`,
        search: { status: 'pending' },
        action: 'Show them',
      },
    quota &&
      quota.ratio >= 0.8 && {
        key: 'quota',
        icon: Gauge,
        title: `${formatPercent(quota.ratio)} of the month’s events are used`,
        about: `${formatNumber(quota.used)} of ${formatNumber(quota.limit)}. At the limit no further events are accepted.`,
        to: `${base}/usage`,
        action: 'Show the usage',
      },
    renders.last_hour > 0 && {
      key: 'renders',
      icon: FilePen,
      title: `${formatNumber(renders.last_hour)} render failures in the last hour`,
      about: 'A template uses a value that the event does not have.',
      to: `${base}/messages`,
      search: { error_code: 'template_render_failed' },
      action: 'Show the messages',
    },
  ];
  return items.filter((item) => item !== false && item !== null);
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
        {items.map(({ key, icon: Icon, title, tag, tone = 'warn', about, to, search, action }) => (
          <li key={key} className="card-foot">
            <Icon className="icon" aria-hidden="true" />
            <div className="grow">
              <strong className="break">
                {title} {tag && <Tag tone={tone}>{tag}</Tag>}
              </strong>
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
