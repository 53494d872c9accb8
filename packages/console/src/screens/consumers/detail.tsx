import type { ConsumerDetails } from '@postrider/client';
import { Link, useParams } from '@tanstack/react-router';
import { ExternalLink, Pencil, Trash2 } from 'lucide-react';
import { BASE_URL, keys, type MessageRow, useEnvironment, useLeaveDeleted } from '../../api/index.ts';
import { Back, type Columns, Status, Table, useRead } from '../../ui/display.ts';
import { formatNumber, toJson } from '../../ui/format.ts';
import { ChangeButton, showSecret } from '../../ui/input.ts';
import { Button, Card, CodeBlock, CopyId, Facts, May, PageHead, Time } from '../../ui/parts.tsx';
import { KINDS } from '../channels/forms/index.ts';
import { ChannelTable } from '../channels/list.tsx';
import { recipientOf } from '../messages/table.tsx';
import { Meter } from '../usage.tsx';
import { ConsumerDialog } from './form.tsx';

/** Messages that the page shows. */
const RECENT = 10;
const RECENT_EVERY_MS = 10_000;

function Used({ used, limit, label }: { used: number; limit: number | null; label: string }) {
  return (
    <div className="stack-none">
      <span className="number">
        {formatNumber(used)}
        {limit !== null && ` of ${formatNumber(limit)}`}
      </span>
      {limit !== null && <Meter used={used} limit={limit} label={label} />}
    </div>
  );
}

function About({ consumer: { usage, limits, ...consumer } }: { consumer: ConsumerDetails }) {
  const kinds = limits.channel_kinds?.map((kind) => KINDS[kind]?.name ?? kind).join(', ');
  const hasAttributes = Object.keys(consumer.attributes).length > 0;
  return (
    <div className="grid-2">
      <Card title="Usage and limits">
        <Facts
          items={{
            'Events this month': (
              <Used label="Events this month" used={usage.events} limit={limits.events_per_month} />
            ),
            Channels: <Used label="Channels" used={usage.channels} limit={limits.channels} />,
            'Events a second':
              limits.events_per_second !== null && `at most ${formatNumber(limits.events_per_second)}`,
            'Kinds of channel': kinds ?? 'all of the plan',
          }}
        />
      </Card>
      <Card title="Facts">
        <Facts
          items={{
            Contact: consumer.contact_email ?? 'none',
            Created: <Time at={consumer.created_at} />,
            Changed: <Time at={consumer.updated_at} />,
            Id: <CopyId value={consumer.id} />,
          }}
        />
        {hasAttributes && <CodeBlock text={toJson(consumer.attributes)} label="Attributes" />}
      </Card>
    </div>
  );
}

function Channels({ consumer: { id } }: { consumer: ConsumerDetails }) {
  const { environmentId, admin } = useEnvironment();
  return (
    <section className="stack-tight">
      <h2>Channels</h2>
      <ChannelTable
        label="Channels of the consumer"
        name={`of ${id}`}
        read={admin.consumers.listChannels(environmentId, id).page}
        empty={<p className="card-body muted">It has no channel. It can create one in the portal.</p>}
      />
    </section>
  );
}

function RecentMessages({ consumer: { id } }: { consumer: ConsumerDetails }) {
  const { environmentId, scope, screen } = useEnvironment();
  const [data, placeholder] = useRead(
    keys.messages(environmentId, 'of', id),
    () => scope.rows({ consumer: id, limit: RECENT }),
    { refetchInterval: RECENT_EVERY_MS, rows: 3 },
  );
  const columns: Columns<MessageRow> = {
    Status: ({ status }) => <Status value={status} />,
    Event: (message) => (
      <Link className="break" to={screen`/messages/${message.id}`}>
        {message.event_key} to {recipientOf(message)}
      </Link>
    ),
    Accepted: { end: ({ created_at }) => <Time at={created_at} format="short" /> },
  };
  return (
    <Card title="Recent messages" flush>
      {placeholder}
      {data?.data.length === 0 && <p className="card-body muted">No event has named it yet.</p>}
      {data && data.data.length > 0 && (
        <>
          <Table label="Recent messages" rows={data.data} columns={columns} />
          <div className="card-foot">
            <Link to={screen`/messages`} search={{ consumer: id }}>
              All of its messages
            </Link>
          </div>
        </>
      )}
    </Card>
  );
}

function Actions({ consumer }: { consumer: ConsumerDetails }) {
  const { environmentId, admin, screen } = useEnvironment();
  const leave = useLeaveDeleted();
  const { id, name } = consumer;
  const open = async () => {
    const { url } = await admin.consumers.portalSessions(environmentId, id);
    // Without PUBLIC_URL it is a path.
    return new URL(url.replace(/^\//, ''), BASE_URL).href;
  };
  const remove = async () => {
    await admin.consumers.delete(environmentId, id);
    await leave(screen`/consumers`, [keys.consumers(environmentId), keys.channels(environmentId)]);
  };
  const about = (
    <p>It works once, within five minutes. Open it in another window, or give it to the consumer.</p>
  );
  return (
    <>
      <ChangeButton
        danger={false}
        label="Open the portal"
        of={`of ${name ?? id}`}
        icon={ExternalLink}
        operation="createPortalSession"
        action="Create a link"
        change={open}
        after={showSecret('The portal is open', 'Link', about)}
      >
        <p>
          Anyone who opens the link manages the channels of the consumer for an hour, and sees its deliveries.
          Signing out here ends that, too.
        </p>
      </ChangeButton>
      <Button icon={Pencil} operation="putConsumer" dialog={<ConsumerDialog consumer={consumer} />}>
        Change
      </Button>
      <ChangeButton
        label="Delete"
        of={name ?? id}
        icon={Trash2}
        operation="deleteConsumer"
        action="Delete the consumer"
        change={remove}
        done="The consumer is deleted."
      >
        <p>
          Its channels, tokens and portal sessions are deleted with it, and deliveries that wait fail. Its
          name, contact and attributes are erased. Messages stay. This cannot be undone.
        </p>
      </ChangeButton>
    </>
  );
}

/** A consumer: what it has used, its channels and its messages. */
export function Screen() {
  const { environmentId, admin, screen } = useEnvironment();
  const { consumerId = '' } = useParams({ strict: false });
  const [data, placeholder] = useRead(keys.consumers(environmentId, consumerId), () =>
    admin.consumers.get(environmentId, consumerId),
  );
  return (
    <>
      <Back to={screen`/consumers`}>Consumers</Back>
      <PageHead title={data?.name ?? consumerId} about={data && !data.enabled && <Status value="disabled" />}>
        {data && <Actions consumer={data} />}
      </PageHead>
      {placeholder}
      {data && (
        <div className="stack">
          <About consumer={data} />
          <May operation="listConsumerChannels">
            <Channels consumer={data} />
          </May>
          <May operation="searchMessages">
            <RecentMessages consumer={data} />
          </May>
        </div>
      )}
    </>
  );
}
