import type { EventTypeSummary } from '@postrider/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { Braces, Plus } from 'lucide-react';
import { keys } from '../../api/keys.ts';
import { useEnvironment } from '../../app/environment.tsx';
import { Empty } from '../../ui/feedback.tsx';
import { type Column, PagedTable, usePaged } from '../../ui/list.tsx';
import { May, PageHead, Time } from '../../ui/parts.tsx';

/** The event types of an environment. */
export function Screen() {
  const { environmentId, admin, screen } = useEnvironment();
  const navigate = useNavigate();
  const list = usePaged(keys.eventTypes(environmentId, 'list'), (query) =>
    admin.eventTypes.of(environmentId).page(query),
  );
  const to = (eventKey: string) => screen`/event-types/${eventKey}`;
  const columns: Column<EventTypeSummary>[] = [
    { name: 'Event key', cell: ({ event_key }) => <Link to={to(event_key)}>{event_key}</Link> },
    { name: 'Description', cell: ({ description }) => <span className="break">{description ?? '–'}</span> },
    { name: 'Stream', cell: ({ stream }) => stream ?? <span className="muted">transactional</span> },
    { name: 'Changed', isEnd: true, cell: ({ updated_at }) => <Time at={updated_at} format="short" /> },
  ];
  return (
    <>
      <PageHead
        title="Event types"
        about="What event keys mean, and the JSON Schema that their payloads must match."
      >
        <May operation="putEventType">
          <Link to={to('new')} className="button button-primary">
            <Plus aria-hidden="true" />
            Describe an event key
          </Link>
        </May>
      </PageHead>
      <PagedTable
        label="Event types"
        list={list}
        columns={columns}
        keyOf={({ event_key }) => event_key}
        onOpen={({ event_key }) => void navigate({ to: to(event_key) })}
        empty={
          <Empty
            icon={Braces}
            title="No event key is described yet"
            command={`npm run postrider -- event-types put --environment ${environmentId} --event-key order.shipped --schema-file order.shipped.json`}
          >
            An event key needs no event type. With one, events with an invalid payload are refused.
          </Empty>
        }
      />
    </>
  );
}
