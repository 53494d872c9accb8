import type { ConfiguredChannel } from '@postrider/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus, Radio } from 'lucide-react';
import { useState } from 'react';
import { path } from '../../api/path.ts';
import { useAdmin } from '../../api/session.ts';
import { useEnvironment } from '../../app/environment.tsx';
import { Empty } from '../../ui/feedback.tsx';
import { type Column, PagedTable, usePaged } from '../../ui/list.tsx';
import { Button, PageHead, Time } from '../../ui/parts.tsx';
import { Status } from '../../ui/status.tsx';
import { KindIcon } from '../messages/table.tsx';
import { CreateChannel, schemaOfKind } from './create.tsx';
import { HEALTH_REASONS, stateOf } from './health.tsx';
import { sendersOf } from './senders.tsx';

const LOGIN = /^(?:username|access_key_id)$/;

/** The required settings of a kind name its destination. Those of its login are left out. */
function requiredSettingsOf({ kind, config }: ConfiguredChannel): string {
  const required = schemaOfKind(kind)?.properties?.config?.required ?? [];
  const settings: Readonly<Record<string, unknown>> = config;
  return required
    .filter((name) => !LOGIN.test(name))
    .map((name) => String(settings[name] ?? ''))
    .join(' ')
    .trim();
}

/** The destination of a channel, in one line. */
export function destinationOf(channel: ConfiguredChannel): string {
  if (channel.kind === 'webhook') return channel.config.url;
  if (channel.kind !== 'email') return requiredSettingsOf(channel);
  const { from, smtp } = channel.config;
  const by = smtp
    ? `${smtp.host}:${smtp.port}`
    : sendersOf(channel)
        .map(({ name }) => name)
        .join(', ');
  return by === '' ? from.email : `${from.email} by ${by}`;
}

/** The destinations of an environment. */
export function Screen() {
  const { environmentId } = useEnvironment();
  const admin = useAdmin();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const list = usePaged(['channels', environmentId, 'list'], (query) =>
    admin.channels.of(environmentId).page(query),
  );
  const to = ({ id }: ConfiguredChannel) => path`/e/${environmentId}/channels/${id}`;
  const columns: Column<ConfiguredChannel>[] = [
    {
      name: 'Name',
      cell: (channel) => (
        <span className="row">
          <KindIcon kind={channel.kind} />
          <Link to={to(channel) as string}>{channel.name}</Link>
        </span>
      ),
    },
    {
      name: 'State',
      cell: (channel) => (
        <Status
          value={stateOf(channel)}
          title={
            channel.disabled_reason ??
            (channel.health.reason ? HEALTH_REASONS[channel.health.reason] : undefined)
          }
        />
      ),
    },
    { name: 'Delivers to', cell: (channel) => <code className="break">{destinationOf(channel)}</code> },
    { name: 'Takes', cell: ({ event_keys }) => <code className="break">{event_keys.join(', ')}</code> },
    { name: 'Changed', isEnd: true, cell: ({ updated_at }) => <Time at={updated_at} format="short" /> },
  ];
  return (
    <>
      <PageHead title="Channels" about="Where events of this environment are delivered.">
        <Button variant="primary" icon={Plus} operation="createChannel" onClick={() => setCreating(true)}>
          Create a channel
        </Button>
      </PageHead>
      <PagedTable
        label="Channels"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={(channel) => void navigate({ to: to(channel) as string })}
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
      {isCreating && <CreateChannel onClose={() => setCreating(false)} />}
    </>
  );
}
