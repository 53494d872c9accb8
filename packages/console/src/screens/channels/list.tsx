import type { ConfiguredChannel, Page, QueryOf } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { Plus, Radio } from 'lucide-react';
import type { ReactNode } from 'react';
import { keys, useEnvironment, useRefresh } from '../../api/index.ts';
import { ButtonLink, type Columns, Empty, PagedTable, Status, usePaged } from '../../ui/display.ts';
import { formatPercent } from '../../ui/format.ts';
import { LostNotice } from '../../ui/live.tsx';
import { PageHead, Time } from '../../ui/parts.tsx';
import { HEALTH_REASONS, replyOf } from './health.tsx';
import { Sparkline } from './hours.tsx';
import { Logo } from './logos.tsx';
import { sendersOf } from './senders.tsx';

/** The settings that name the destination of a broker. */
const NAMES_DESTINATION = ['host', 'exchange', 'queue_url', 'brokers', 'topic'];

function settingsOf({ config }: ConfiguredChannel): string {
  const settings: Readonly<Record<string, unknown>> = config;
  return NAMES_DESTINATION.map((name) => String(settings[name] ?? ''))
    .join(' ')
    .trim();
}

export function destinationOf(channel: ConfiguredChannel): string {
  if (channel.kind === 'webhook') return channel.config.url;
  if (channel.kind !== 'email') return settingsOf(channel);
  const { from, smtp } = channel.config;
  const by = smtp
    ? `${smtp.host}:${smtp.port}`
    : sendersOf(channel)
        .map(({ name }) => name)
        .join(', ');
  return by === '' ? from.email : `${from.email} by ${by}`;
}

/** The states are read at most once in this time. */
const REFRESH_MS = 5_000;

/** The columns of a list of channels, whose names lead to `to`. */
const columnsWith = (to: (channel: ConfiguredChannel) => string): Columns<ConfiguredChannel> => ({
  Name: (channel) => (
    <span className="channel-name">
      <Logo of={channel.kind} />
      <span className="stack-none">
        <Link className="break" to={to(channel)}>
          {channel.name}
        </Link>
        <code className="small muted clamp" title={destinationOf(channel)}>
          {destinationOf(channel)}
        </code>
      </span>
    </span>
  ),
  State: ({ state, disabled_reason }) => (
    <Status
      value={state.code}
      title={disabled_reason ?? (state.reason ? HEALTH_REASONS[state.reason] : undefined)}
    />
  ),
  'Last 24 hours': ({ state }) => <Sparkline hours={state.hours} />,
  Success: {
    end: ({ state: { success_rate: rate } }) => (
      <span className="number">{rate === null ? '–' : formatPercent(rate)}</span>
    ),
  },
  'Last reply': ({ state: { last_reply: last } }) =>
    last === null ? (
      <span className="muted">–</span>
    ) : (
      <span className="stack-none">
        <span className="clamp" title={replyOf(last)}>
          {replyOf(last)}
        </span>
        <span className="small muted">
          <Time at={last.at} format="relative" />
        </span>
      </span>
    ),
  Takes: ({ event_keys }) => <code className="break">{event_keys.join(', ')}</code>,
});

interface ChannelTableProps {
  /** What tells this list from others of the environment. */
  readonly name: string;
  readonly read: (query: QueryOf<'listConsumerChannels'>) => Promise<Page<ConfiguredChannel>>;
  readonly label: string;
  readonly empty: ReactNode;
}

/** Channels with their states, those that need somebody first. */
export function ChannelTable({ name, read, label, empty }: ChannelTableProps) {
  const { environmentId, scope, screen } = useEnvironment();
  const key = keys.channels(environmentId, name);
  const list = usePaged(key, (query) => read({ ...query, order: 'state' }));
  const connection = useRefresh(scope, [key], { everyMs: REFRESH_MS });
  const to = ({ id }: ConfiguredChannel) => screen`/channels/${id}`;
  return (
    <>
      <LostNotice connection={connection} at={list.dataUpdatedAt} />
      <PagedTable label={label} list={list} columns={columnsWith(to)} to={to} empty={empty} />
    </>
  );
}

/** The destinations of an environment. */
export function Screen() {
  const { environmentId, admin, screen } = useEnvironment();
  return (
    <>
      <PageHead title="Channels" about="Where events of this environment are delivered.">
        <ButtonLink operation="createChannel" variant="primary" icon={Plus} to={screen`/channels/new`}>
          Create a channel
        </ButtonLink>
      </PageHead>
      <ChannelTable
        name="list"
        label="Channels"
        read={admin.channels.of(environmentId).page}
        empty={
          <Empty
            icon={Radio}
            title="There is no channel yet"
            command={`npm run postrider -- channels create-webhook --environment ${environmentId} --name receiver --url https://example.com/hooks`}
          >
            Events are delivered only once a channel takes them.
          </Empty>
        }
      />
    </>
  );
}
