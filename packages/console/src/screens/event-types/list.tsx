import type { EventTypeSummary } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { Braces } from 'lucide-react';
import { keys, useEnvironment } from '../../api/index.ts';
import { ListScreen } from '../../ui/display.ts';
import { Time } from '../../ui/parts.tsx';

/** The event types of an environment. */
export function Screen() {
  const { environmentId, admin, screen } = useEnvironment();
  const to = ({ event_key }: EventTypeSummary) => screen`/event-types/${event_key}`;
  return (
    <ListScreen
      title="Event types"
      about="What event keys mean, and the JSON Schema that their payloads must match."
      create={{ label: 'Describe an event key', operation: 'putEventType', to: screen`/event-types/new` }}
      queryKey={keys.eventTypes(environmentId, 'list')}
      read={(query) => admin.eventTypes.of(environmentId).page(query)}
      keyOf={({ event_key }) => event_key}
      to={to}
      columns={{
        'Event key': (each) => <Link to={to(each)}>{each.event_key}</Link>,
        Description: ({ description }) => <span className="break">{description ?? '–'}</span>,
        Stream: ({ stream }) => stream ?? <span className="muted">transactional</span>,
        Changed: { end: ({ updated_at }) => <Time at={updated_at} format="short" /> },
      }}
      empty={{
        icon: Braces,
        title: 'No event types yet',
        command: `npm run postrider -- event-types put --environment ${environmentId} --event-key order.shipped --schema-file order.shipped.json`,
        children: 'An event key needs no event type. With one, events with an invalid payload are refused.',
      }}
    />
  );
}
